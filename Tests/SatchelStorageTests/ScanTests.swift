import LMDB
import RankedIndex
import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelReading
import SatchelStorage
import SatchelWriting
import Testing

/// A scan of the records gives the messages that the index of visible messages has, each once.
func expectScanAsIndexed(_ snapshot: Snapshot, sourceLocation: SourceLocation = #_sourceLocation) throws {
  #expect(snapshot.scansVisibleMessages, sourceLocation: sourceLocation)
  var scanned: [MessageKey] = []
  try snapshot.forEachVisibleMessage { head in
    let named = try snapshot.message(conversation: head.key.conversation, sequence: head.key.sequence)
    #expect(
      try snapshot.identifier(of: head) == snapshot.identifier(of: named), sourceLocation: sourceLocation)
    scanned.append(head.key)
    return true
  }
  var indexed: [MessageKey] = []
  var cursor = try snapshot.forest.cursor(IndexCatalog.messageCreated.tree)
  while let words = try cursor.next() {
    indexed.append(MessageKey(conversation: UInt32(words[1]), sequence: words[0]))
  }
  #expect(scanned == indexed.sorted(), sourceLocation: sourceLocation)
}

@Suite struct ScanTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try openStore(directory.path)
    try store.write { writer in
      for conversation in ["c", "d", "e"] {
        _ = try writer.createConversation(
          ConversationDraft(identifier: Conversation.ID(conversation), participants: ["bob"]))
        for index in 0..<10 {
          _ = try writer.insertMessage(
            MessageDraft(
              identifier: Message.ID("\(conversation)\(index)"), sender: "bob", position: Int64(index),
              parts: [.text("text")]), in: Conversation.ID(conversation))
        }
      }
    }
  }

  private func keys() throws -> [MessageKey] {
    try store.read { snapshot in
      var keys: [MessageKey] = []
      try snapshot.forEachVisibleMessage {
        keys.append($0.key)
        return true
      }
      return keys
    }
  }

  private func alter(_ key: MessageKey, _ change: ([UInt8]) -> [UInt8]?) throws {
    try store.environment.write { transaction in
      let database = try store.environment.database("messages")
      try key.bytes.withUnsafeBytes { bytes in
        let old = try [UInt8](#require(try transaction.get(database, bytes)))
        if let new = change(old) {
          try new.withUnsafeBytes { try transaction.put(database, bytes, $0) }
        } else {
          _ = try transaction.delete(database, bytes)
        }
      }
    }
  }

  @Test func hiddenAndDeletedConversationsAreLeftOut() throws {
    #expect(try keys().count == 30)
    try store.write { writer in
      var update = ConversationUpdate()
      update.participants = .remove(["me"])
      try writer.updateConversation("c", update)
      try writer.deleteMessage("d3")
    }
    #expect(try keys().count == 19)
    try store.read { try expectScanAsIndexed($0) }
    // The records of a deleted conversation stay for a while.
    try store.write { try $0.deleteConversation("e") }
    #expect(try store.read { $0.seal[.messages].count } == 29)
    #expect(try keys().count == 9)
    try store.read { try expectScanAsIndexed($0) }
  }

  @Test func aScanEndsWhenItsBodySaysSo() throws {
    var seen = 0
    try store.read { snapshot in
      try snapshot.forEachVisibleMessage { _ in
        seen += 1
        return seen < 7
      }
    }
    #expect(seen == 7)
  }

  @Test func damageIsMet() throws {
    let key = try keys()[12]
    try alter(key) { bytes in
      var bytes = bytes
      bytes[30] ^= 1
      return bytes
    }
    #expect(code { _ = try keys() } == .corrupted)
    #expect(
      code {
        try store.read {
          _ = try $0.messageHead(conversation: key.conversation, sequence: key.sequence)
        }
      } == .corrupted)
    try alter(key) { _ in nil }
    #expect(code { _ = try keys() } == .corrupted, "a record that an index names is missing")
  }

  @Test func insideAWriteAScanIsNotOffered() throws {
    let isOffered = try store.write { writer in try writer.read { $0.scansVisibleMessages } }
    #expect(!isOffered)
  }
}

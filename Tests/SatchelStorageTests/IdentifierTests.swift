import RankedIndex
import SatchelIndexing
import SatchelModel
import SatchelStorage
import SatchelWriting
import StoreModel
import TestSupport
import Testing

/// Messages are found by their identifiers wherever those are: in the transaction, in the index of the newest, in the
/// large one.
@Suite struct IdentifierTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try openStore(directory.path)
    _ = try store.write { try $0.createConversation(ConversationDraft(identifier: "c", participants: ["x"])) }
  }

  private func draft(_ number: Int) -> MessageDraft {
    MessageDraft(identifier: Message.ID("m\(number)"), sender: "x")
  }

  /// The entries of the two indexes.
  private func entries() throws -> (recent: Int, old: Int) {
    try store.read {
      (
        try $0.forest.count(IndexCatalog.messageIdentifierRecent.tree),
        try $0.forest.count(IndexCatalog.messageIdentifier.tree)
      )
    }
  }

  @Test func identifiersMoveOnAndAreFound() throws {
    var generator = SeededGenerator(for: "identifiersMoveOnAndAreFound")
    var live: Set<Int> = []
    var next = 0
    while next < 14_000 {
      let count = generator.draw(from: [1, 40, 900, 3000])
      try store.write { writer in
        for number in next..<next + count {
          _ = try writer.insertMessage(draft(number), in: "c")
          live.insert(number)
        }
        for _ in 0..<count / 10 {
          let number = generator.draw(below: next + count)
          guard live.remove(number) != nil else { continue }
          try writer.deleteMessage(Message.ID("m\(number)"))
          // Sometimes it comes again at once.
          if generator.chance(30) {
            _ = try writer.insertMessage(draft(number), in: "c")
            live.insert(number)
          }
        }
      }
      next += count
    }
    let (recent, old) = try entries()
    #expect(recent + old == live.count && recent > 0 && old > 0)
    try store.read { snapshot in
      for number in 0..<next {
        let isFound = try snapshot.locateMessage("m\(number)") != nil
        #expect(isFound == live.contains(number), "m\(number)")
      }
    }
    try expectSound(store)
  }

  /// More than an overlay holds, so that some are neither in the overlay nor in an index.
  @Test func aTransactionFindsItsOwn() throws {
    try store.write { writer in
      for number in 0..<9000 { _ = try writer.insertMessage(draft(number), in: "c") }
      for number in [0, 1, 7999, 8000, 8999] {
        #expect(code { _ = try writer.insertMessage(draft(number), in: "c") } == .identifierExists)
      }
      try writer.deleteMessage("m1")
      try writer.markRead(["m8999"])
      #expect(code { try writer.deleteMessage("m1") } == .unknownMessage)
      let first = try writer.read { try $0.locateMessage("m0") }
      #expect(first != nil)
      let second = try writer.read { try $0.locateMessage("m1") }
      #expect(second == nil)
      #expect(code { try writer.deleteMessage("m1") } == .unknownMessage)
      _ = try writer.insertMessage(draft(1), in: "c")
    }
    #expect(try store.read { try $0.locateMessage("m1") } != nil)
    try expectSound(store)
  }

  @Test func aThrowLeavesNone() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.write { writer in
        for number in 0..<9000 { _ = try writer.insertMessage(draft(number), in: "c") }
        throw Stop()
      }
    }
    #expect(try store.read { try $0.locateMessage("m0") } == nil)
    let (recent, old) = try entries()
    #expect(recent == 0 && old == 0)
    try expectSound(store)
  }
}

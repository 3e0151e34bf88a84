import LMDB
import SatchelBytes
import SatchelCoding
import SatchelModel
import SatchelReading
import SatchelStorage
import SatchelWriting
import TestSupport
import Testing

/// Messages of one block are the messages that are read one by one, and damage in a block is an error before anybody sees
/// a message of it.
@Suite struct MessageBlockTests {
  @Test func aBlockHasWhatItsMessagesHaveAlone() throws {
    let planted = try PlantedStore()
    try planted.store.read { snapshot in
      // Of two conversations in turn, the same message twice, and back to the beginning.
      let keys = [0, 4, 1, 9, 9, 2, 49, 0].map(planted.key)
      let messages = try snapshot.messages(keys)
      #expect(messages.count == keys.count)
      for (key, message) in zip(keys, messages) {
        let alone = try snapshot.makeMessage(
          conversation: key.conversation, sequence: key.sequence)
        #expect(message == alone && alone == message && message.hashValue == alone.hashValue)
        #expect(message.parts == alone.parts && message.text == "text")
        #expect(message.parts[1].content == .data([UInt8](repeating: 9, count: 2000)))
        #expect(message.conversation == (key.sequence % 5 == 0 ? "d" : "c"))
      }
      #expect(messages[3] == messages[4] && messages[0] != messages[1])
    }
  }

  /// More than one block has room for, by number and by size.
  @Test func manyMessages() throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(directory.path)
    let texts = (0..<1500).map { String(repeating: "ш", count: $0 % 7 == 0 ? 250 : $0 % 30) + "\($0)" }
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      for (index, text) in texts.enumerated() {
        _ = try writer.insertMessage(
          MessageDraft(
            identifier: Message.ID("m\(index)"), sender: Identity.ID("user\(index % 90)"),
            position: Int64(index), parts: [.text(text)], metadata: ["n": .text("\(index)")]),
          in: "c")
      }
    }
    let messages = try store.read { snapshot in
      try snapshot.messages((0..<texts.count).map { MessageKey(conversation: 0, sequence: UInt64($0 + 1)) })
    }
    // The store and its snapshot are gone from here on.
    store.close()
    #expect(messages.map(\.text) == texts)
    #expect(messages.map(\.id) == texts.indices.map { Message.ID("m\($0)") })
    #expect(messages.map(\.sender) == texts.indices.map { Identity.ID("user\($0 % 90)") })
    #expect(messages.allSatisfy { $0.metadata["n"] == "\($0.position ?? -1)" && $0.conversation == "c" })
  }

  @Test func aDetachedMessageIsTheSame() throws {
    let planted = try PlantedStore()
    let messages = try planted.store.read { snapshot in
      try snapshot.messages((0..<50).map(planted.key))
    }
    let detached = messages.map { $0.detached() }
    #expect(detached == messages)
    #expect(detached.map(\.parts) == messages.map(\.parts))
    #expect(detached.map { $0.detached() } == messages)
  }

  /// Records with hostile bytes and right checksums among sound ones: an error that names the record or what it names, or
  /// messages that can be read wholly.
  @Test func hostileRecords() throws {
    let planted = try PlantedStore()
    var random = SeededGenerator()
    let keys = (0..<50).map(planted.key)
    let sound = try planted.store.read { try $0.messages(keys) }
    var (refused, read) = (0, 0)
    for _ in 0..<TestEnvironment.rounds(600) {
      let victim = random.below(keys.count)
      let key = keys[victim]
      let old = try #require(try planted.bytes("messages", key.bytes.array))
      var record = old
      for _ in 0...random.below(3) {
        switch random.below(4) {
        case 0: record[random.below(record.count - 8)] = UInt8(truncatingIfNeeded: random.next())
        case 1: record[random.below(record.count - 8)] ^= 1 << UInt8(random.below(8))
        case 2: record.remove(at: random.below(record.count - 8))
        default:
          record.insert(UInt8(truncatingIfNeeded: random.next()), at: 4 + random.below(record.count - 12))
        }
      }
      try planted.put("messages", key.bytes.array, Self.resealed(record, key))
      do {
        let messages = try planted.store.read { try $0.messages(keys) }
        read += 1
        for (index, message) in messages.enumerated() {
          if index != victim { #expect(message == sound[index]) }
          try Self.readWholly(message)
        }
      } catch {
        refused += 1
        // The record, or the number of a name in it that no name has.
        let places = ["key: \(key.conversation)/\(key.sequence)", "table: dictionaries"]
        #expect(places.contains { "\(error)".contains($0) }, "\(error)")
      }
      try planted.put("messages", key.bytes.array, old)
    }
    #expect(refused > 0 && read > 0)
    #expect(try planted.store.read { try $0.messages(keys) } == sound)
  }

  /// Reads all properties; expects every text to be UTF-8.
  private static func readWholly(_ message: Message) throws {
    var texts = [
      message.id.rawValue, message.conversation.rawValue, message.sender.rawValue, message.text ?? "",
    ]
    for part in message.parts + message.detached().parts {
      texts.append(part.mimeType)
      if case .text(let text) = part.content { texts.append(text) }
      if case .url(let text) = part.content { texts.append(text) }
    }
    texts += message.recipientStatus.keys.map(\.rawValue)
    texts += message.metadata.entries.map(\.key)
    for text in texts { #expect(String(validating: Array(text.utf8), as: UTF8.self) == text) }
    _ = (message.position, message.sentAt, message.receivedTimestamp, message.isSent, message.isUnread)
  }

  private static func resealed(_ record: [UInt8], _ key: MessageKey) -> [UInt8] {
    var body = Array(record.dropLast(8))
    let checksum = Checksum.hash(body, seed: key.bytes.checksumSeed)
    for index in 0..<8 { body.append(UInt8(truncatingIfNeeded: checksum >> UInt64(8 * index))) }
    return body
  }
}

extension Snapshot {
  fileprivate func messages(_ keys: [MessageKey]) throws -> [Message] {
    var messages: [Message] = []
    try makeMessages(keys.count, Accompaniment(), { keys[$0] }, give: { messages.append($0) })
    return messages
  }
}

extension PlantedStore {
  /// The key of the message that was inserted at an index.
  fileprivate func key(_ index: Int) -> MessageKey {
    MessageKey(conversation: index % 5 == 4 ? 1 : 0, sequence: UInt64(index + 1))
  }
}

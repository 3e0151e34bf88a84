import Foundation
import Satchel
import SatchelImport
import SatchelModel
import SatchelScenes
import SatchelWriting
import TestSupport

/// Makes the random commits whose feed is compared with the states of the store.
struct FeedWriter {
  var random: SeededGenerator
  var conversations: [Conversation.ID: [Message.ID]] = [:]
  var records: Set<Record.ID> = []
  var number = 0
  /// The log has forgotten what these had before.
  private(set) var withdrawn: Set<ChangedObject> = []

  mutating func pick<T>(_ values: [T]) -> T { values[random.below(values.count)] }

  mutating func text() -> String {
    String(repeating: pick(["a", "é", "e\u{301}", "漢"]), count: pick([0, 1, 3, 8]))
  }

  /// A content that is kept whole, one that is in the record but not kept whole, or one in `bodies`.
  private mutating func content() -> String {
    String(repeating: text() + "x", count: pick([1, 1, 1, 40, 400]))
  }

  /// A value of metadata of any type.
  mutating func value() -> MetadataValue {
    let number = random.below(3)
    return pick([
      .text(text()), .text(text()), .integer(Int64(number)), .number(Double(number)), .boolean(number == 0),
      .date(Timestamp(microseconds: Int64(number))), .list([text(), text()]), .list([]),
    ])
  }

  /// One to four random changes.
  mutating func change(_ tx: WriteTransaction) throws {
    for _ in 0...random.below(4) { try changeOnce(tx) }
  }

  private mutating func changeOnce(_ tx: WriteTransaction) throws {
    number += 1
    let people: [Identity.ID] = ["bob", "carol", "dan", "eve"]
    guard conversations.count > 2,
      let conversation = conversations.keys.sorted().randomElement(using: &random)
    else { return try create(tx, people) }
    let messages = conversations[conversation] ?? []
    switch random.below(20) {
    case 0: try create(tx, people)
    case 1 where random.percent(30):
      try tx.delete(conversation)
      conversations[conversation] = nil
    case 2, 3, 4: try receive(tx, conversation)
    case 5 where messages.count > 1:
      let gone = pick(messages)
      try tx.delete(gone)
      conversations[conversation]?.removeAll { $0 == gone }
    case 6, 7:
      let (position, sentAt) = (Int64(random.below(9)), date(Double(random.below(9))))
      let (hasPosition, isUnread) = (random.percent(70), random.percent(50))
      try tx.update(pick(messages)) { message in
        message.position = hasPosition ? .some(position) : .some(nil)
        message.sentAt = .some(sentAt)
        message.isUnread = isUnread
      }
    case 8:
      let paths = [["a"], ["b", "c"], ["b", "d"], ["b.c"], ["it's", "😀"]]
      try tx.setMetadata(value(), at: pick(paths), of: .conversation(conversation))
      try tx.setMetadata(value(), at: pick(paths), of: .message(pick(messages)))
    case 9: try tx.removeMetadata(at: pick([["a"], ["b"], ["b.c"], ["it's"]]), of: .message(pick(messages)))
    case 10: try tx.addParticipants([pick(people)], to: conversation)
    case 11: try tx.removeParticipants([pick(people)], from: conversation)
    case 13:
      let parts = (0..<random.below(3)).map { _ in
        MessagePart.Draft.text(content(), mimeType: pick(["a/b", "c/d"]))
      }
      try tx.update(pick(messages)) { message in
        if number % 2 == 0 { message.parts = parts } else { message.appendedParts = parts }
      }
    case 14:
      let statuses: [Identity.ID: RecipientStatus?] = Dictionary(
        uniqueKeysWithValues: people.filter { _ in random.percent(40) }.map { user in
          (user, random.percent(20) ? nil : RecipientStatus.allCases.randomElement(using: &random))
        })
      try tx.update(pick(messages)) { $0.recipientStatus = statuses }
    case 15 where messages.count > 1 && random.percent(30):
      let withdrawn = pick(messages)
      try tx.delete(withdrawn, for: .everyone)
      self.withdrawn.insert(.message(withdrawn))
      conversations[conversation]?.removeAll { $0 == withdrawn }
    case 12:
      try tx.put(
        Identity(
          userID: pick(people), displayName: text(), avatarURL: text(), metadata: ["k": .text(text())]))
    case 17...: try changeRecords(tx)
    default: try tx.setFollowed(random.percent(50), pick(people))
    }
    // What a read has flushed is changed again by the next one.
    if random.percent(30) { _ = try tx.count(Query<Message>()) }
  }

  /// Imports messages of conversations that are there and of a new one, and an identity.
  mutating func importLines(into store: MessageStore) throws {
    var lines = lines().makeIterator()
    var number: UInt64 = 0
    _ = try ImportSession.run(
      into: store.base,
      next: { session in
        guard let line = lines.next() else { return false }
        number += 1
        try line(session, number)
        return true
      }, apply: { _, _, _ in })
  }

  private mutating func lines() -> [(ImportSession, UInt64) throws -> Void] {
    number += 1
    let new = Conversation.ID("i\(number)")
    let user = Identity.ID("user \(number % 7)")
    var lines: [(ImportSession, UInt64) throws -> Void] = []
    if number % 3 == 0 {
      let number = number
      lines.append { try $0.addIdentity(Identity(userID: Identity.ID("user \(number)")), line: $1) }
    }
    conversations[new] = []
    lines.append { session, line in
      try session.addConversation(
        ConversationDraft(identifier: new, participants: ["alice", user], metadata: ["a": "1"]), line: line)
    }
    for conversation in [new] + conversations.keys.sorted().prefix(3) {
      let id = Message.ID("i\(number)/\(conversation)")
      let draft = MessageDraft(
        identifier: id, sender: user, position: Int64(random.below(9)), isUnread: random.percent(50),
        parts: [.text(content())],
        recipientStatus: [RecipientStatusEntry(user: "alice", status: .delivered)])
      lines.append { try $0.addMessage(draft, in: conversation, line: $1) }
      conversations[conversation, default: []].append(id)
    }
    return lines
  }

  /// A conversation never is without a message, so that it is always visible.
  private mutating func create(_ tx: WriteTransaction, _ people: [Identity.ID]) throws {
    let id = Conversation.ID("c\(number)")
    try tx.createConversation(with: [pick(people)], id: id, metadata: ["a": .text(text())])
    conversations[id] = []
    try receive(tx, id)
  }

  private mutating func receive(_ tx: WriteTransaction, _ conversation: Conversation.ID) throws {
    let id = Message.ID("m\(number)/\(random.below(1 << 20))")
    try tx.receive(
      [random.percent(70) ? .text(content()) : .data([1], mimeType: "image/png")], in: conversation,
      from: "bob",
      id: id, position: random.percent(80) ? Int64(random.below(9)) : nil,
      recipientStatus: random.percent(30) ? ["alice": .delivered, "eve": .sent] : [:],
      metadata: ["b": ["c": .text(text())]])
    conversations[conversation, default: []].append(id)
  }
}

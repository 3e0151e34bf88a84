import Foundation
import Satchel
import TestSupport

/// A writer that changes a store at random, a transaction at a time.
struct RandomChanges {
  private let store: MessageStore
  private var random: SeededGenerator
  private let name: String
  private var conversations: [Conversation.ID]
  private var messages: [Message.ID]
  private var announcements: [Announcement.ID]
  private var count = 0

  private static let users: [Identity.ID] = ["bob", "carol", "dave", "erin"]

  /// A writer on what the store has now; equal seeds do the same to equal stores.
  init(_ store: MessageStore, seed: UInt64) throws {
    self.store = store
    random = SeededGenerator(seed: seed)
    name = String(seed, radix: 36)
    conversations = try store.identifiers(Conversation.all)
    messages = try store.identifiers(Message.all)
    announcements = try store.identifiers(Announcement.all)
  }

  /// Commits so many transactions with pauses of up to some microseconds between them.
  mutating func commit(_ transactions: Int, pause: UInt32) throws {
    for _ in 0..<transactions {
      try store.write { transaction in
        let changes = chance(5) ? Int.random(in: 2...30, using: &random) : 1
        for _ in 0..<changes { try change(transaction) }
        // Some of the changes find nothing to change: each transaction is a commit all the same.
        try transaction.put(Identity(userID: "bob", displayName: newName()))
      }
      usleep(UInt32.random(in: 0...pause, using: &random))
    }
  }

  private mutating func change(_ transaction: WriteTransaction) throws {
    do {
      try attempt(transaction)
    } catch let error as SatchelError where [.unknownMessage, .unknownConversation].contains(error.code) {
      // It has gone with its conversation.
    }
  }

  private mutating func attempt(_ transaction: WriteTransaction) throws {
    let conversation = conversations.randomElement(using: &random)
    let message = messages.randomElement(using: &random)
    switch (Int.random(in: 0..<20, using: &random), conversation, message) {
    case (0..<6, let conversation?, _): try receive(transaction, conversation)
    case (6, let conversation?, _):
      messages.append(
        try transaction.send([.text(newName())], to: conversation, id: Message.ID(newName())))
    case (7..<9, _, let message?): try transaction.markAsRead(message)
    case (9, let conversation?, _): try transaction.markAsRead(conversation)
    case (10..<13, _, let message?): try update(transaction, message)
    case (13, _, let message?): try delete(transaction, message)
    case (14, let conversation?, _):
      if chance(30), conversations.count > 5 {
        conversations.removeAll { $0 == conversation }
        try transaction.delete(conversation)
      } else {
        try transaction.setMetadata(.text(newName()), at: "title", of: .conversation(conversation))
      }
    case (15, let conversation?, _):
      let users = Self.users.filter { _ in chance(50) } + (chance(70) ? ["alice"] : [])
      try transaction.setParticipants(users, of: conversation)
    case (16, _, _):
      try transaction.put(Identity(userID: Identity.ID("user-\(random.next() % 40)"), displayName: newName()))
    case (17, _, _):
      announcements.append(
        try transaction.announce([.text(newName())], from: "bob", id: Announcement.ID(newName())))
    case (18, _, _):
      guard let last = announcements.randomElement(using: &random) else { return }
      announcements.removeAll { $0 == last }
      try transaction.delete(last)
    default:
      let users = Self.users.filter { _ in chance(50) }
      let id = Conversation.ID(newName())
      conversations.append(try transaction.createConversation(with: users, id: id).id)
      if chance(80) { try receive(transaction, id) }
    }
  }

  private mutating func receive(_ transaction: WriteTransaction, _ conversation: Conversation.ID) throws {
    let id = Message.ID(newName())
    var parts: [MessagePart.Draft] = chance(90) ? [.text("text " + newName())] : []
    if chance(20) { parts.append(.data([1, 2, 3], mimeType: "image/png")) }
    try transaction.receive(
      parts, in: conversation, from: Self.users.randomElement(using: &random) ?? "bob", id: id,
      position: chance(80) ? Int64.random(in: 0..<200, using: &random) : nil, sentAt: date(),
      isUnread: chance(60))
    messages.append(id)
    // Neither lists nor the test's time shall grow without end.
    if messages.count > 300 {
      try delete(transaction, messages[Int.random(in: 0..<messages.count, using: &random)])
    }
  }

  private mutating func update(_ transaction: WriteTransaction, _ message: Message.ID) throws {
    try transaction.update(message) { changes in
      switch random.next() % 4 {
      case 0: changes.isUnread = chance(50)
      case 1: changes.sentAt = chance(10) ? .some(nil) : date()
      case 2: changes.position = chance(10) ? .some(nil) : Int64.random(in: 0..<200, using: &random)
      default: changes.recipientStatus = ["bob": .read]
      }
    }
  }

  private mutating func delete(_ transaction: WriteTransaction, _ message: Message.ID) throws {
    messages.removeAll { $0 == message }
    try transaction.delete(message)
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  /// Few different ones, so that there are equal ones.
  private mutating func date() -> Date {
    Date(timeIntervalSince1970: 1_700_000_000 + Double(Int.random(in: 0..<500, using: &random)))
  }

  private mutating func newName() -> String {
    count += 1
    return "\(name)-\(count)"
  }
}

import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// A message from all sides: written here, delivered, confirmed, edited, withdrawn and deleted, in any order and again and again,
/// against what it comes to.
@Suite struct DeliveryHistoryTests {
  private let scratch: Scratch
  private var store: MessageStore { scratch.store }

  init() throws { scratch = try Scratch() }

  @Test func deliveriesInAnyOrderComeToWhatTheRulesSay() throws {
    var random = SeededGenerator(for: "deliveriesInAnyOrderComeToWhatTheRulesSay")
    for number in 0..<TestEnvironment.rounds(500) {
      var history = History(number)
      try store.write { tx in _ = try tx.createConversation(with: ["bob"], id: history.conversation) }
      for _ in 0..<(1 + random.below(6)) {
        try store.write { tx in
          for _ in 0..<(1 + random.below(4)) { try history.step(tx, &random) }
        }
      }
      try store.read { snapshot in try history.expectHeld(snapshot) }
    }
    try expectSound(store)
  }
}

/// What a conversation with one message holds, by the rules: the message written here, and what was delivered under the server's name
/// as long as nobody knows that the two are one.
private struct History {
  struct Held: Equatable {
    let identifier: Message.ID
    var remoteID: Message.ID?
    var text: String?
    var edited: Int?
    var position: Int64?
    var sentAt: Double
    var isSent: Bool
    var isWithdrawn = false
  }

  let conversation: Conversation.ID
  private let name: String
  private let mine: Message.ID
  private let theirs: Message.ID
  private var steps: [String] = []
  private var wasWritten = false
  private var held: [Held] = []
  /// The names that the user has deleted, and how far these messages reach.
  private var forgotten: Set<Message.ID> = []
  private var reach: (position: Int64?, sentAt: Double?) = (nil, nil)
  private var isThere = true
  private var floor: (position: Int64?, sentAt: Double?)?

  init(_ number: Int) {
    name = "h\(number)"
    conversation = Conversation.ID(name)
    mine = Message.ID("\(name)/mine")
    theirs = Message.ID("\(name)/theirs")
  }

  /// The date of what is on its way; the server's dates are before it.
  private static let unsent = 1_000_000.0

  private func index(of id: Message.ID) -> Int? {
    held.firstIndex { $0.identifier == id || $0.remoteID == id }
  }

  mutating func step(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    let id = random.percent(50) ? mine : theirs
    switch random.below(12) {
    case 0, 1: try write(tx)
    case 2, 3, 4, 5: try deliver(tx, &random)
    case 6, 7: try confirm(tx, position: Int64(1 + random.below(6)))
    case 8: try edit(id, tx, version: 1 + random.below(4))
    case 9: try withdraw(id, tx)
    case 10: try delete(id, tx)
    default: if random.percent(40) { try deleteConversation(tx) }
    }
  }

  private mutating func write(_ tx: WriteTransaction) throws {
    guard !wasWritten, isThere else { return }
    steps.append("write")
    wasWritten = true
    try tx.send([.text("draft")], to: conversation, id: mine)
    try tx.update(mine) { $0.sentAt = date(Self.unsent) }
    held.append(Held(identifier: mine, text: "draft", sentAt: Self.unsent, isSent: false))
  }

  private mutating func deliver(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    let version = random.below(4)
    let position = Int64(1 + random.below(6))
    let policy: ExistingMessage = random.percent(70) ? .merge : .ignore
    let restores = random.percent(15)
    steps.append("deliver \(version) at \(position) \(policy)\(restores ? " restoring" : "")")
    let text = "version \(version)" + String(repeating: "x", count: version % 2 * 800)
    let edited = version == 0 ? nil : version
    let isKnown = index(of: theirs)

    try tx.receive(
      [.text(text)], in: conversation, from: "alice", id: theirs, position: position, sentAt: date(1),
      editedAt: edited.map { date(Double($0)) }, ifExists: policy, restoresDeleted: restores)
    guard let found = isKnown else {
      if !restores, forgotten.contains(theirs) || isBelowFloor(position) { return }
      isThere = true
      held.append(
        Held(
          identifier: theirs, text: text, edited: edited, position: position, sentAt: 1, isSent: true))
      return
    }
    guard policy == .merge else { return }
    held[found].position = position
    held[found].sentAt = 1
    held[found].isSent = true
    guard !held[found].isWithdrawn else { return }
    if let known = held[found].edited, edited ?? 0 < known { return }
    held[found].text = text
    held[found].edited = edited
  }

  private func isBelowFloor(_ position: Int64) -> Bool {
    guard let floor else { return false }
    if let last = floor.position { return position <= last }
    return floor.sentAt.map { 1 <= $0 } ?? false
  }

  private mutating func confirm(_ tx: WriteTransaction, position: Int64) throws {
    guard let draft = held.firstIndex(where: { $0.identifier == mine }) else { return }
    steps.append("confirm at \(position)")
    try tx.confirm(mine, as: theirs, position: position, sentAt: date(1))
    held[draft].remoteID = theirs
    held[draft].position = position
    held[draft].sentAt = 1
    held[draft].isSent = true
    guard let other = held.firstIndex(where: { $0.identifier == theirs }) else { return }
    let overtaken = held[other]
    if held[draft].isWithdrawn || overtaken.isWithdrawn {
      held[draft].isWithdrawn = true
      held[draft].text = nil
    } else if held[draft].edited.map({ $0 <= overtaken.edited ?? 0 }) ?? true {
      held[draft].text = overtaken.text
      held[draft].edited = overtaken.edited
    }
    held.remove(at: other)
  }

  private mutating func edit(_ id: Message.ID, _ tx: WriteTransaction, version: Int) throws {
    guard let found = index(of: id), !held[found].isWithdrawn else { return }
    steps.append("edit \(id) \(version)")
    let text = "edit \(steps.count)" + String(repeating: "y", count: steps.count % 3 * 500)
    try tx.update(id) { message in
      message.parts = [.text(text)]
      message.editedAt = date(Double(version))
    }
    held[found].text = text
    held[found].edited = version
  }

  private mutating func withdraw(_ id: Message.ID, _ tx: WriteTransaction) throws {
    guard let found = index(of: id) else { return }
    steps.append("withdraw \(id)")
    try tx.delete(id, for: .everyone, at: date(5))
    held[found].isWithdrawn = true
    held[found].text = nil
  }

  private mutating func delete(_ id: Message.ID, _ tx: WriteTransaction) throws {
    guard let found = index(of: id) else { return }
    steps.append("delete \(id)")
    try tx.delete(id)
    let gone = held.remove(at: found)
    guard gone.isSent || gone.remoteID != nil else { return }
    forgotten.insert(gone.identifier)
    if let name = gone.remoteID { forgotten.insert(name) }
    reach = (Self.last(reach.position, gone.position), Self.last(reach.sentAt, gone.sentAt))
  }

  private mutating func deleteConversation(_ tx: WriteTransaction) throws {
    guard isThere else { return }
    steps.append("delete the conversation")
    try tx.delete(conversation)
    for message in held where message.isSent || message.remoteID != nil {
      reach = (Self.last(reach.position, message.position), Self.last(reach.sentAt, message.sentAt))
    }
    floor = (Self.last(floor?.position, reach.position), Self.last(floor?.sentAt, reach.sentAt))
    (held, forgotten, reach, isThere) = ([], [], (nil, nil), false)
  }

  private static func last<T: Comparable>(_ left: T?, _ right: T?) -> T? {
    guard let left, let right else { return left ?? right }
    return max(left, right)
  }

  /// The store holds what it should.
  func expectHeld(_ snapshot: StoreSnapshot) throws {
    let all = try snapshot.fetch(Message.filter { $0.conversation == conversation })
    #expect(all.count == held.count, "\(name): \(steps)")
    #expect(try (snapshot.conversation(conversation) != nil) == isThere, "\(name): \(steps)")
    for message in held {
      let found = try #require(try snapshot.message(message.identifier), "\(name): \(steps)")
      if let remoteID = message.remoteID {
        #expect(try snapshot.message(remoteID)?.id == message.identifier, "\(name): \(steps)")
      }
      let isHeld = Held(
        identifier: found.id, remoteID: found.remoteID, text: found.parts.first.flatMap(\.text),
        edited: found.editedAt.map { Int($0.timeIntervalSince1970 - date(0).timeIntervalSince1970) },
        position: found.position,
        sentAt: found.sentAt.map { $0.timeIntervalSince(date(0)) } ?? -1, isSent: found.isSent,
        isWithdrawn: found.deletedAt != nil)
      #expect(isHeld == message, "\(name): \(steps)")
    }
  }
}

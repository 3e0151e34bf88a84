import Foundation
import Satchel
import TestSupport
import Testing

/// Random writes under tables of several kinds: every batch fits, and what shows at last is what a query gives.
@MainActor
@Suite(.timeLimit(.minutes(4)))
struct ChurnTests {
  private func write(_ transaction: WriteTransaction, _ numbers: inout SeededGenerator) throws {
    let conversation = Conversation.ID("c\(numbers.below(6))")
    let owner = MetadataOwner.conversation(conversation)
    let place = numbers.below(60)
    let sender = Identity.ID(["bob", "carol", "dave"][numbers.below(3)])
    switch numbers.below(12) {
    case 0: try transaction.createConversation(with: ["bob"], id: conversation)
    case 1: try transaction.setMetadata(.text("\(numbers.below(3))"), at: "color", of: owner)
    case 2: try transaction.removeMetadata(at: "color", of: owner)
    case 3: try transaction.removeParticipants([numbers.below(2) == 0 ? "alice" : "bob"], from: conversation)
    case 4: try transaction.addParticipants(["alice", "bob"], to: conversation)
    case 5: if numbers.below(4) == 0 { try transaction.delete(conversation) }
    case 6: try transaction.delete(Message.ID("m\(numbers.below(80))"))
    case 7: try transaction.markAsRead(Message.ID("m\(numbers.below(80))"))
    case 8: try transaction.update(Message.ID("m\(numbers.below(80))")) { $0.position = .some(Int64(place)) }
    case 9: try transaction.put(Identity(userID: sender, displayName: "\(numbers.below(3))"))
    default:
      try transaction.receive(
        [.text("\(place)")], in: conversation, from: sender, id: Message.ID("m\(numbers.below(80))"),
        position: numbers.below(5) == 0 ? nil : Int64(place), receivedAt: ChatStore.date(place))
    }
  }

  private func check<Object: StoredObject>(
    _ chats: ChatStore, _ query: Query<Object>, _ window: ListWindow = .all, sectionKey: String? = nil
  ) async throws -> @MainActor (String) async throws -> Void {
    let controller = chats.store.controller(for: query, window: window, sectionKey: sectionKey)
    let table = ModelTable<Object>()
    try await table.show(controller)
    return { state in
      let all = try chats.fetch(query)
      await eventually("\(query) shows what it gives, \(state)") {
        let shown = table.sections.flatMap { $0 }
        let expected: [Object] =
          switch window {
          case .first(let count): Array(all.prefix(count))
          case .last(let count): Array(all.suffix(count))
          case .tail: Array(all.suffix(max(1, shown.count)))
          default: all
          }
        return shown == expected && controller.totalNumberOfObjects == all.count
      }
    }
  }

  @Test("Layer 0.17.2, Atlas 1351: the numbers of rows add up, and the order is right, whatever is written")
  func randomWrites() async throws {
    let seed = TestEnvironment.seed(for: "churn under tables")
    var numbers = SeededGenerator(seed: seed)
    let chats = try ChatStore()
    let conversations = Conversation.order { $0.lastMessage.receivedAt.descending }
    let messages = Message.filter { $0.conversation == "c1" }.order { $0.position }
    let checks = [
      try await check(chats, conversations), try await check(chats, conversations, .first(2)),
      try await check(
        chats, Conversation.order { ($0.metadata.color, $0.createdAt) }, sectionKey: "metadata.color"),
      try await check(chats, messages), try await check(chats, messages, .last(4)),
      try await check(chats, messages, .tail(4)),
      try await check(
        chats, Message.order { ($0.sender.userID, $0.position.descending) }, .first(7),
        sectionKey: "sender.userID"),
      try await check(chats, Message.filter { $0.isUnread && $0.conversation.metadata.color == "1" }),
    ]
    for round in 0..<60 {
      for _ in 0...numbers.below(3) {
        try synchronously {
          try chats.write { transaction in
            for _ in 0...numbers.below(6) {
              do { try write(transaction, &numbers) } catch is SatchelError {}
            }
          }
        }
      }
      for check in checks { try await check("round \(round), seed \(seed)") }
    }
  }
}

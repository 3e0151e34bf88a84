import Satchel
import SatchelLive
import TestSupport
import Testing

/// Random commits against virtual lists: the list before with each change applied is the list after.
@Suite struct VirtualListTests {
  private struct Followed {
    let list: VirtualList<Message>
    let query: Query<Message>
    var identifiers: [Message.ID]
    var changes = 0
  }

  @Test func randomCommitsReplay() throws {
    let seed = TestEnvironment.seed(for: "virtual lists")
    var random = SeededGenerator(seed: seed)
    let temporary = try TemporaryStore()
    let store = temporary.store
    var messages: [Message.ID] = []
    let conversations = try store.write { transaction in
      try (0..<4).map { try transaction.createConversation(with: ["bob", Identity.ID("user\($0)")]).id }
    }
    let senders: [Identity.ID] = ["bob", "carol"]
    let start = Timestamp(microseconds: 1_000_000_000_000_000).date
    func change(_ transaction: WriteTransaction) throws {
      let conversation = conversations.randomElement(using: &random)!
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        messages.append(
          try transaction.receive(
            [.text("x")], in: conversation, from: senders.randomElement(using: &random)!,
            position: Int64.random(in: 0..<50, using: &random),
            sentAt: Bool.random(using: &random)
              ? start.addingTimeInterval(Double(Int.random(in: 0..<40, using: &random))) : nil,
            isUnread: Bool.random(using: &random)))
      case 5..<7:
        guard let message = messages.randomElement(using: &random) else { return }
        try transaction.markAsRead(message)
      case 7:
        guard let message = messages.randomElement(using: &random) else { return }
        let position = Int64.random(in: 0..<50, using: &random)
        try transaction.update(message) { $0.position = position }
      default:
        guard let place = messages.indices.randomElement(using: &random) else { return }
        try transaction.delete(messages.remove(at: place))
      }
    }
    for _ in 0..<40 { try store.write(change) }
    let queries: [Query<Message>] = [
      Message.all, Message.filter { $0.isUnread }, Message.order { $0.sentAt.descending },
      Message.order { $0.sentAt.ascending },
      Message.filter { $0.conversation == conversations[0] }.order { $0.position.ascending },
      Message.filter { $0.conversation == conversations[1] }.order { $0.position.descending },
      Message.filter { $0.sender.userID == "bob" }.order { $0.sentAt.descending },
      Message.filter { $0.isUnread && $0.sender.userID == "bob" }.order { $0.position.descending },
      Message.filter { $0.sentAt > start.addingTimeInterval(20) }.order { $0.sentAt.ascending },
    ]
    var followed = try queries.map {
      Followed(list: try store.virtualList(of: $0), query: $0, identifiers: try store.identifiers($0))
    }
    for round in 0..<250 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        try store.write { transaction in
          for _ in 0..<Int.random(in: 1...4, using: &random) { try change(transaction) }
        }
      }
      store.live.catchUp()
      // Some consumers take their time.
      for place in followed.indices where round % (place % 3 + 1) == 0 {
        let list = followed[place].list
        guard let change = list.take() else {
          #expect(
            try store.identifiers(followed[place].query) == followed[place].identifiers, "\(place) \(seed)")
          continue
        }
        let after = try store.identifiers(followed[place].query)
        #expect(!change.isReset, "\(place) \(seed)")
        #expect(change.total == after.count)
        #expect(change.totalBefore == followed[place].identifiers.count)
        #expect(
          apply(change.difference, to: followed[place].identifiers, after: after) == after,
          "\(followed[place].query) \(seed)")
        followed[place].identifiers = after
        followed[place].changes += 1
        if let index = after.indices.randomElement(using: &random) {
          #expect(try list.object(at: index)?.id == after[index])
        }
      }
    }
    for list in followed { #expect(list.changes > 5) }
  }

  @Test func placesOfALateConsumerLeadToTheSameObjects() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let lunch = try store.write { try $0.conversation(with: ["bob"]).id }
    let messages = try store.write { transaction in
      try (0..<10).map { try transaction.send([.text("\($0)")], to: lunch) }
    }
    let list = try store.virtualList(of: Message.all)
    try store.write { transaction in
      try transaction.delete(messages[3])
      try transaction.send([.text("new")], to: lunch)
    }
    #expect(list.total == 10)
    #expect(try list.objects(at: 2..<5).map { $0?.id } == [messages[2], nil, messages[4]])
    #expect(list.take()?.difference.deletes == [3])
    #expect(list.total == 10)
    #expect(try list.object(at: 3)?.id == messages[4])
    for place in [10, .max, -1, .min] { #expect(try list.object(at: place) == nil) }
    try store.write { try $0.send([.text("newer")], to: lunch) }
    for place in [10, .max, .max - 1, -1, .min] { #expect(try list.object(at: place) == nil) }
  }
}

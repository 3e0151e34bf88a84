import Foundation
import Satchel
import Testing

/// The code of the article "Your own indexes".
@Suite struct YourOwnIndexesGuide {
  let chats: GuideStore
  let store: MessageStore

  init() throws {
    chats = try GuideStore()
    store = chats.store
    try chats.chat("lunch", messages: 3)
    try store.write { transaction in
      for number in 0..<100 {
        try transaction.receive(
          [.text("\(number)")], in: "lunch", from: "bob", id: Message.ID("ticket \(number)"),
          sentAt: Date(timeIntervalSince1970: Double(number)),
          metadata: [
            "kind": "ticket", "priority": .integer(Int64(number % 6)),
            "tags": number % 10 == 0 ? ["urgent"] : ["late"],
          ])
      }
    }
  }

  @Test func declaringAndAsking() throws {
    let tickets = Index(
      named: "tickets", on: Message.self, where: { $0.metadata.kind == "ticket" }
    ) { [$0.metadata.priority.number.descending, $0.sentAt] }
    try store.declare(tickets)
    #expect(try store.indexes().map(\.entries) == [100])
    let open = Message.filter { $0.metadata.kind == "ticket" }
    let byPriority = open.order { ($0.metadata.priority.descending, $0.sentAt) }
    let page = try store.fetch(byPriority.limit(20).offset(40))
    let urgent = open.filter { $0.metadata.priority.number == 5 }.order { $0.sentAt.descending }
    let number = try store.count(urgent)
    print(try store.explain(urgent).plan)
    #expect(page.count == 20 && number == 16)
    let late = Message.filter { $0.metadata.tags.list.contains("late") }.order { $0.sentAt.descending }
    if let advice = try store.explain(late.limit(20), advising: true).advice {
      print(advice)
      try store.declare(advice.index)
    }
    #expect(try store.indexes().map(\.entries) == [100, 203])
    try store.dropIndex(named: "messages by each metadata.tags, -sentAt")
    #expect(try store.fetch(urgent).map(\.id).first == "ticket 95")
    #expect(try store.explain(urgent).plan.contains("plan: tickets"))
    let indexes = [
      Index(named: "by conversation", on: Message.self) { [$0.conversation, $0.metadata.stars.descending] },
      Index(named: "by tag", on: Message.self) { [$0.metadata.tags.list, $0.sentAt] },
      Index(named: "by type", on: Message.self) { [$0.parts.each { $0.mimeType }, $0.sentAt] },
      Index(named: "waiting for bob", on: Message.self) { [$0.recipientStatus["bob"], $0.position] },
    ]
    for index in indexes { try store.declare(index) }
    let tagged = Message.filter { $0.metadata.tags.list.contains("urgent") }.order { $0.sentAt.descending }
    #expect(try store.explain(tagged).plan.contains("plan: by tag"))
    #expect(try store.fetch(tagged).count == 10)
    try store.write { try $0.send([.text("Once")], to: "lunch", metadata: ["order": "A-17"]) }
    let orders = Index(named: "orders", on: Message.self, unique: true) { [$0.metadata.order] }
    try store.declare(orders)
    do {
      try store.write { try $0.send([.text("Once more")], to: "lunch", metadata: ["order": "A-17"]) }
    } catch let error as SatchelError where error.code == .valueExists {
      print("the message \(error.context["other"] ?? "") has this order")
    }
    #expect(try store.count(Message.filter { $0.metadata.order == "A-17" }) == 1)
    try store.dropIndex(named: "orders")
    let byDate = Index(
      named: "tickets", on: Message.self, where: { $0.metadata.kind == "ticket" }
    ) { [$0.sentAt] }
    do {
      try store.declare(byDate)
    } catch let error as SatchelError where error.code == .indexDiffers {
      try store.declare(byDate, replacing: true)
    }
    for status in try store.indexes() { print(status) }
    try store.dropIndex(named: "by type")
    #expect(
      try store.indexes().map(\.index.name) == ["by conversation", "by tag", "waiting for bob", "tickets"])
    #expect(try store.indexes().allSatisfy(\.isComplete))
  }
}

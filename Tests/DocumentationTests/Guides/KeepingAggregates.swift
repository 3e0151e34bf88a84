import Foundation
import Satchel
import Testing

/// The code of the article "Keeping aggregates".
@Suite struct KeepingAggregatesGuide {
  let chats: GuideStore
  let store: MessageStore

  init() throws {
    chats = try GuideStore()
    store = chats.store
    try chats.chat("lunch", metadata: ["team": "red"], messages: 3)
    try chats.receive("Hello @alice", in: "lunch", at: 4)
    try chats.chat("other", with: ["carol"], messages: 1)
  }

  @Test func countsAndSums() throws {
    let mentions = Aggregate(
      named: "mentions",
      counting: Message.filter { $0.isUnread && $0.parts.any { $0.text.contains("@alice") } },
      groupedBy: \.conversation)
    let sizes = Aggregate(named: "sizes", summing: \.size, of: MessagePart.all, groupedBy: \.mimeType)
    let perTeam = Aggregate(
      named: "per team", counting: Message.all, groupedBy: { $0.conversation.metadata.team })
    let unread = Aggregate(named: "unread", counting: Message.filter { $0.isUnread })
    try store.declare(mentions)
    try store.declare(sizes)
    try store.declare(perTeam)
    try store.declare(unread)
    let mentionsOfLunch = try store.value(of: mentions, for: "lunch")
    let allSizes = try store.values(of: sizes)
    let withoutTeam = try store.value(of: perTeam, for: nil)
    let allUnread = try store.value(of: unread)
    #expect(mentionsOfLunch == 1)
    #expect(try store.value(of: mentions, for: "other") == 0)
    #expect(allSizes == [AggregateValue(group: "text/plain", value: 16)])
    #expect(withoutTeam == 1)
    #expect(try store.values(of: perTeam).map(\.group) == [nil, "red"])
    #expect(allUnread == 5)
    let left = try store.write { transaction in
      _ = try transaction.markAsRead(Conversation.ID("lunch"))
      return try transaction.value(of: unread)
    }
    #expect(left == 1)
    #expect(try store.value(of: mentions, for: "lunch") == 0)
    let all = Aggregate(named: "unread", counting: Announcement.filter { $0.isUnread })
    do {
      try store.declare(all)
    } catch let error as SatchelError where error.code == .aggregateExists {
      try store.declare(all, replacing: true)
    }
    try store.dropAggregate(named: "sizes")
    for aggregate in try store.aggregates() { print(aggregate) }
    #expect(try store.value(of: all) == 0)
    #expect(try store.aggregates().map(\.name) == ["mentions", "per team", "unread"])
    let error = #expect(throws: SatchelError.self) { try store.values(of: sizes) }
    #expect(error?.code == .unknownAggregate)
  }

  @Test func sumsMinimaAndMaxima() throws {
    try store.write { transaction in
      for (chat, cost) in [("lunch", 2.5), ("other", -0.25)] {
        try transaction.setMetadata(cost, at: "cost", of: .conversation(Conversation.ID(chat)))
      }
      try transaction.setMetadata(Timestamp(microseconds: 7), at: "due", of: .conversation("lunch"))
      try transaction.setMetadata("soon", at: "due", of: .conversation("other"))
    }
    let cost = Aggregate(
      named: "cost", summing: \.metadata.cost.number, of: Conversation.all, groupedBy: \.metadata.team)
    let firstDue = Aggregate(named: "first due", minimum: \.metadata.due.date, of: Conversation.all)
    let lastSent = Aggregate(
      named: "last sent", maximum: \.sentAt, of: Message.filter { $0.isSent }, groupedBy: \.sender.userID)
    try store.declare(cost)
    try store.declare(firstDue)
    try store.declare(lastSent)
    let costOfRed: Double = try store.value(of: cost, for: "red")
    let due: Timestamp? = try store.value(of: firstDue)
    let lastOfBob: Timestamp? = try store.value(of: lastSent, for: "bob")
    #expect(costOfRed == 2.5)
    #expect(try store.value(of: cost, for: nil) == -0.25)
    #expect(due == Timestamp(microseconds: 7))
    #expect(
      try lastOfBob
        == store.fetch(Message.all).filter { $0.sender == "bob" }.compactMap(\.sentTimestamp).max())
    #expect(lastOfBob != nil)
  }

  @Test func refused() throws {
    let limited = Aggregate(named: "some", counting: Message.all.limit(3))
    let error = #expect(throws: SatchelError.self) { try store.declare(limited) }
    #expect(error?.code == .invalidValue)
  }
}

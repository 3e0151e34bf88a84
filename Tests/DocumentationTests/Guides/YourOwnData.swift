import Foundation
import Satchel
import SatchelInterchange
import Testing

/// The code of YourOwnData.md.
@Suite struct YourOwnData {
  private let chats: GuideStore
  private var store: MessageStore { chats.store }

  init() throws { chats = try GuideStore() }

  @Test func messagesByServerIdentifier() throws {
    try chats.chat("lunch", messages: 3)
    try store.write { transaction in
      try transaction.receive(
        [.text("Noon?")], in: "lunch", from: "bob", id: "m-1",
        metadata: ["serverID": "evt_58213", "shard": 7])
    }
    let found = try store.first(Message.filter { $0.metadata.serverID == "evt_58213" })
    let known = try store.fetch(
      Message.filter { $0.metadata.serverID.in(["evt_58213", "evt_58214"]) })
    let fromService = try store.count(Message.filter { $0.metadata.serverID != nil })
    #expect(found?.id == "m-1" && known.map(\.id) == ["m-1"] && fromService == 1)
  }

  @Test func openTicketsByPriority() throws {
    try chats.chat("lunch", metadata: ["priority": 9], messages: 1)
    let soon = Date.now.addingTimeInterval(3600)
    try store.write { transaction in
      for (number, (priority, due, isOpen)) in [
        (2, soon, true), (5, soon, true), (5, Date(timeIntervalSince1970: 0), true), (4, soon, false),
      ].enumerated() {
        try transaction.createConversation(
          with: ["bob"], id: Conversation.ID("t\(number)"),
          metadata: [
            "kind": "ticket", "title": "Ticket \(number)", "priority": priority, "due": due, "open": isOpen,
          ])
        try transaction.receive([.text("Help")], in: Conversation.ID("t\(number)"), from: "bob")
      }
    }
    let open = Conversation.filter { $0.metadata.kind == "ticket" && $0.metadata.open.boolean }
    let urgent = open.filter { $0.metadata.priority.number >= 4 }
    let late = open.filter { $0.metadata.due.date < .now }
    let list = open.order { ($0.metadata.priority.descending, $0.metadata.due) }.limit(20)
    for ticket in try store.fetch(list) {
      print(ticket.metadata.value(at: "priority")?.integerValue ?? 0, ticket.metadata["title"] ?? "")
    }
    let counts = try (all: store.count(open), urgent: store.count(urgent), late: store.count(late))
    #expect(counts == (3, 2, 1))
    #expect(try store.fetch(list).map(\.id) == ["t2", "t1", "t0"])
    let badge = try store.liveCount(of: urgent)
    #expect(badge.value == 2)
    try tags()
  }

  private func tags() throws {
    try store.write { transaction in
      try transaction.setMetadata(["urgent", "late"], at: "tags", of: .conversation("t2"))
    }
    let urgent = Conversation.filter { $0.metadata.tags.list.contains("urgent") }
    let either = Conversation.filter { $0.metadata.tags.list.contains(anyOf: ["urgent", "late"]) }
    let both = Conversation.filter { $0.metadata.tags.list.contains(allOf: ["urgent", "late"]) }
    let exactly = Conversation.filter { $0.metadata.tags.list == ["late", "urgent"] }
    let asText = try Query<Conversation>(format: "'urgent' IN metadata.tags")
    for query in [urgent, either, both, exactly, asText] {
      #expect(try store.identifiers(query) == ["t2"])
    }
    let another = Conversation.filter { $0.metadata.tags.list.any { $0 != "urgent" } }
    let allOfTwo = Conversation.filter { $0.metadata.tags.list.all { $0.in(["urgent", "late"]) } }
    let noneSuch = Conversation.filter { $0.metadata.tags.list.none { $0.beginsWith("x-") } }
    let anotherAsText = try Query<Conversation>(format: "ANY metadata.tags != 'urgent'")
    let allOfTwoAsText = try Query<Conversation>(format: "ALL metadata.tags IN {'urgent', 'late'}")
    let noneSuchAsText = try Query<Conversation>(format: "NONE metadata.tags BEGINSWITH 'x-'")
    for query in [another, allOfTwo, anotherAsText, allOfTwoAsText] {
      #expect(try store.identifiers(query) == ["t2"])
    }
    for query in [noneSuch, noneSuchAsText] {
      #expect(try store.count(query) == store.count(Query<Conversation>()))
    }
  }

  @Test func whatAServiceSends() throws {
    let payload = #"{"kind": "ticket", "priority": 5, "open": true, "author": {"name": "Zoë"}}"#
    let metadata = try Metadata(json: payload)
    let ticket = try store.write { transaction in
      try transaction.createConversation(with: ["bob"], id: "t-1", metadata: metadata)
    }
    print(try ticket.metadata.json())
    #expect(
      try ticket.metadata.json()
        == #"{"author":{"name":"Zoë"},"kind":"ticket","open":true,"priority":5}"#)
    let sparse = try Metadata(json: #"{"priority": 5, "due": null}"#, null: .leftOut)
    #expect(sparse == ["priority": 5])
    let error = #expect(throws: SatchelError.self) { try Metadata(json: #"{"due": null}"#) }
    #expect(error?.code == .invalidValue)
  }
}

import Foundation
import Satchel
import SatchelScenes
import Testing

/// What the documentation promises an embedding program, as it is written there.
@Suite struct GuideTests {
  let directory: TemporaryDirectory
  let store: MessageStore
  let lunch: Conversation.ID

  init() throws {
    directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("store")
    store = try MessageStore(at: url, user: "alice")
    lunch = try store.write { tx in
      let lunch = try tx.conversation(
        with: ["bob"], metadata: ["title": "Lunch", "theme": ["color": "red"]])
      try tx.send([.text("Noon?")], to: lunch.id)
      return lunch.id
    }
  }

  @Test func latestMessages() throws {
    try store.write { tx in
      for place in 1...30 {
        try tx.receive([.text("\(place)")], in: lunch, from: "bob", position: Int64(place))
      }
    }
    let latest = try store.fetch(
      Message.filter { $0.conversation == lunch }.order { $0.position.descending }.limit(20))
    #expect(latest.map(\.text) == ["Noon?"] + (12...30).reversed().map { String($0) })
    #expect(latest.first?.position == nil)
    #expect(latest.first?.sender == "alice")
  }

  @Test func counts() throws {
    try store.write { tx in
      try tx.receive([.text("Yes")], in: lunch, from: "bob")
      try tx.receive([.text("No")], in: lunch, from: "carol", isUnread: false)
      try tx.receive([.text("A copy of mine")], in: lunch, from: "alice")
    }
    let unread = try store.count(Message.filter { $0.isUnread && $0.sender.userID != "alice" })
    #expect(unread == 1)
  }

  @Test func partsAndMetadata() throws {
    let picture = try store.write { tx in
      try tx.receive([.text("look"), .data([1, 2, 3], mimeType: "image/png")], in: lunch, from: "bob")
    }
    let images = Message.filter { $0.parts.any { $0.mimeType == "image/png" } }
    #expect(try store.identifiers(images) == [picture])
    let colours = Conversation.filter {
      $0.metadata.theme.color.in(["red", "blue"]) && $0.metadata.title == "Lunch"
    }
    #expect(try store.identifiers(colours) == [lunch])
    #expect(try store.count(Conversation.filter { $0.metadata["theme.color"] == "blue" }) == 0)
    var streamed: [Message.ID] = []
    try store.read { snapshot in
      try snapshot.forEach(images) { message in streamed.append(message.id) }
      #expect(try snapshot.count(images) == streamed.count)
    }
    #expect(streamed == [picture])
    let plan = try store.explain(colours)
    #expect(plan.paths.indices.contains(plan.chosen))
    #expect(plan.paths.contains { $0.cardinality == 1 && $0.isExact })
    print(plan)
    #expect(plan.description == plan.plan)
  }

  @Test func dates() throws {
    try store.write { tx in
      try tx.receive([], in: lunch, from: "bob", sentAt: Date.now.addingTimeInterval(-8 * 86_400))
    }
    let week = Message.filter { $0.sentAt > Date.now.addingTimeInterval(-7 * 86_400) }
    #expect(try store.fetch(week).map(\.text) == ["Noon?"])
  }

  @Test func predicateLanguage() throws {
    let id = try store.write { tx in
      try tx.receive([.data([0], mimeType: "image/jpeg")], in: lunch, from: "bob")
    }
    let dynamic = try Query<Message>(
      format: "parts.mimeType BEGINSWITH %@ AND isUnread = TRUE", "image/")
    #expect(try store.identifiers(dynamic) == [id])
    #expect(try store.count(Query<Message>(format: "parts.MIMEType = %@", "image/jpeg")) == 1)
  }

  @Test func queriesAreValues() throws {
    let query = Message.filter { $0.isUnread && $0.position > 7 }.order { $0.sentAt.descending }.limit(5)
      .offset(2)
    #expect(
      query.description == "messages where isUnread = TRUE AND position > 7 order -sentAt limit 5 offset 2")
    let copy = try JSONDecoder().decode(Query<Message>.self, from: JSONEncoder().encode(query))
    #expect(copy == query)
    #expect(Set([copy, query]).count == 1)
  }

  @Test func largeContents() throws {
    let text = String(repeating: "long ", count: 20_000)
    let id = try store.write { tx in try tx.send([.text(text), .text("short"), .text(text)], to: lunch) }
    let message = try #require(try store.read { try $0.message(id) })
    #expect(message.text == text)
    #expect(message.parts.map(\.content) == [.text(text), .text("short"), .storedText])
    let part = message.parts[2]
    #expect(try store.text(of: part.id) == text)
    #expect(try store.content(of: part.id, in: 5..<9) == Array("long".utf8))
  }

  @Test func asynchronousForms() async throws {
    let id = try await store.write { tx in try tx.send([.text("async")], to: lunch) }
    let found = try await store.fetch(Message.filter { $0.identifier == id })
    #expect(found.map(\.text) == ["async"])
    #expect(try await store.count(Message.all) == 2)
    #expect(try await store.totalCount(Message.all.limit(1)) == 2)
    #expect(try await store.first(Message.all)?.text == "Noon?")
    #expect(try await store.identifiers(Message.all).count == 2)
    let page = try await store.page(Message.all.limit(1))
    #expect(page.objects.count == 1 && page.totalCount == 2)
    let part = MessagePart.ID(id.rawValue + "/parts/0")
    #expect(try await store.content(of: part) == Array("async".utf8))
    #expect(try await store.content(of: part, in: 1..<3) == Array("sy".utf8))
    let both = try await store.read { ($0.sequence, try $0.count(Message.all)) }
    #expect(both.1 == 2)
    #expect(try await store.explain(Message.all).paths.count > 0)
  }

  @MainActor @Test func writesOnTheMainActorMayTouchItsState() throws {
    var titles: [String] = []
    func save() throws {
      try store.write { tx in
        MainActor.assertIsolated()
        titles.append(try tx.send([.text("from the main actor")], to: lunch).rawValue)
      }
    }
    try save()
    #expect(try store.identifiers(Message.all).map(\.rawValue).contains(titles))
  }
}

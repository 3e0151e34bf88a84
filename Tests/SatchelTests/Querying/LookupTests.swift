import Satchel
import SatchelScenes
import Testing

/// Single objects by their identifiers.
@Suite struct LookupTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "lunch", metadata: ["title": "Lunch"])
      try tx.receive([.text("Noon?")], in: "lunch", from: "bob", id: "m1")
      try tx.announce([.text("Hear")], from: "operator", id: "notice")
      try tx.put(Identity(userID: "bob", displayName: "Bob"))
    }
  }

  @Test func eachKind() throws {
    #expect(try store.conversation("lunch") == store.first(Conversation.all))
    #expect(try store.message("m1") == store.first(Message.all))
    #expect(try store.announcement("notice") == store.first(Announcement.all))
    #expect(try store.identity("bob") == store.first(Identity.all))
    #expect(try store.message("m1")?.text == "Noon?")
  }

  @Test func withoutBlocking() async throws {
    #expect(try await store.conversation("lunch")?.metadata["title"] == "Lunch")
    #expect(try await store.message("m1")?.text == "Noon?")
    #expect(try await store.announcement("notice")?.text == "Hear")
    #expect(try await store.identity("bob")?.displayName == "Bob")
    #expect(try await store.message("none") == nil)
  }

  @Test func whatIsOfAnotherKindOrNoneIsNotFound() throws {
    for id in ["", "lunch/", "m1/parts/0", "nobody", String(repeating: "x", count: 70_000)] {
      #expect(try store.conversation(Conversation.ID(id)) == nil)
      #expect(try store.message(Message.ID(id)) == nil)
      #expect(try store.announcement(Announcement.ID(id)) == nil)
      #expect(try store.identity(Identity.ID(id)) == nil)
    }
    #expect(try store.message("notice") == nil)
    #expect(try store.announcement("m1") == nil)
    // A user without an identity is known to the store, but has none.
    #expect(try store.identity("operator") == nil)
  }

  @Test func aConversationIsReadBackBeforeItHasAMessage() throws {
    let (made, inside) = try store.write { tx in
      let made = try tx.createConversation(with: ["carol"], id: "new", metadata: ["title": "New"])
      return (made, try tx.read { try $0.conversation(made.id) })
    }
    #expect(inside == made)
    #expect(try store.conversation("new") == made)
    #expect(try store.read { try $0.conversation("new") } == made)
    // No query returns it, whatever it asks.
    #expect(try store.identifiers(Conversation.all) == ["lunch"])
    #expect(try store.fetch(Conversation.filter { $0.identifier == "new" }).isEmpty)
    #expect(try store.count(Conversation.filter { $0.identifier.in(["new", "lunch"]) }) == 1)
    #expect(try store.count(Conversation.filter { $0.participants == ["carol"] }) == 0)
    failure(.invalidValue) { _ = try store.fetch(Conversation.all.after("new")) }
    // With its last message deleted it is as at its beginning.
    try store.write { tx in try tx.delete(tx.send([.text("x")], to: "new")) }
    #expect(try store.conversation("new") == made)
    try store.write { tx in try tx.delete("new" as Conversation.ID) }
    #expect(try store.conversation("new") == nil)
  }

  @Test func aConversationOfOthersIsNotFound() throws {
    try store.write { tx in
      try tx.createConversation(with: ["carol"], id: "empty")
      try tx.removeParticipants(["alice"], from: "empty")
      #expect(try tx.read { try $0.conversation("empty") } == nil)
      try tx.removeParticipants(["alice"], from: "lunch")
    }
    #expect(try store.conversation("empty") == nil)
    #expect(try store.conversation("lunch") == nil)
    #expect(try store.message("m1") == nil)
    try store.write { tx in
      for id in ["empty", "lunch"] as [Conversation.ID] { try tx.addParticipants(["alice"], to: id) }
    }
    #expect(try store.conversation("empty")?.participants == ["alice", "carol"])
    #expect(try store.conversation("lunch")?.messageCount == 1)
    #expect(try store.message("m1")?.conversation == "lunch")
  }
}

import Foundation
import Satchel
import SatchelScenes
import Testing

@Suite struct ConversationTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws { scratch = try Scratch() }

  @Test func distinctConversationsAreFoundAgain() throws {
    let (first, again, other) = try store.write { tx in
      let first = try tx.conversation(with: ["bob", "carol"], metadata: ["title": "first"])
      let again = try tx.conversation(
        with: ["carol", "bob", "carol", "alice"], metadata: ["title": "second"])
      return (first, again, try tx.conversation(with: ["bob"]))
    }
    #expect(first.id == again.id && first.id != other.id)
    #expect(again.metadata == ["title": "first"])
    #expect(first.participants == ["alice", "bob", "carol"] && again.participants == first.participants)
    #expect(first.isDistinct && first.messageCount == 0 && first.lastMessage == nil)
    let later = try store.write { tx in try tx.conversation(with: ["bob", "carol"]) }
    #expect(later == again)
    #expect(later.createdAt == first.createdAt)
  }

  @Test func aSecondDistinctConversationIsRefusedWithTheFirst() throws {
    let first = try store.write { tx in try tx.createConversation(with: ["bob"], isDistinct: true) }
    try store.write { tx in
      let error = failure(.distinctConversationExists) {
        try tx.createConversation(with: ["bob", "alice"], isDistinct: true)
      }
      #expect(error?.existingConversation == first.id)
      #expect(error?.context["conversation"] == first.id.rawValue)
      // The same people may meet elsewhere, as long as that is no distinct conversation.
      let second = try tx.createConversation(with: ["bob"])
      #expect(second.id != first.id && !second.isDistinct)
      #expect(try tx.conversation(with: ["bob"]).id == first.id)
    }
  }

  @Test func otherParticipantsEndDistinctness() throws {
    try store.write { tx in
      let first = try tx.conversation(with: ["bob"])
      try tx.addParticipants(["carol"], to: first.id)
      let second = try tx.conversation(with: ["bob"])
      #expect(second.id != first.id)
      try tx.removeParticipants(["carol"], from: first.id)
      #expect(try tx.conversation(with: ["bob"]).id == second.id)
    }
    try expectSound(store)
  }

  @Test func aDeletedDistinctConversationMakesRoom() throws {
    let first = try store.write { tx in try tx.conversation(with: ["bob"]) }
    let second = try store.write { tx in
      try tx.delete(first.id)
      return try tx.conversation(with: ["bob"])
    }
    #expect(second.id != first.id)
    #expect(try store.write { tx in try tx.conversation(with: ["bob"]).id } == second.id)
  }

  @Test func propertiesComeBackAsGiven() throws {
    let created = date(0.123_456)
    let id: Conversation.ID = "room/1"
    try store.write { tx in
      let made = try tx.createConversation(
        with: ["bob", "carol"], id: id, createdAt: created, metadata: ["topic": ["name": "Cafe\u{301}"]])
      #expect(made.id == id && made.createdAt == created)
      #expect(try tx.fetch(Conversation.all).isEmpty, "an empty conversation is not shown")
      try tx.send([.text("first")], to: id)
      let shown = try #require(try tx.fetch(Conversation.all).first)
      #expect(shown.participants == made.participants && shown.createdTimestamp == made.createdTimestamp)
      #expect(shown.metadata == made.metadata && shown.isDistinct == made.isDistinct)
      #expect(shown.messageCount == 1 && shown.unreadCount == 0 && !shown.hasUnreadMessages)
      #expect(shown.lastMessage?.text == "first")
      #expect(shown.participantCount == 3)
    }
    let stored = try #require(try store.read { try $0.conversation(id) })
    #expect(stored.metadata["topic.name"].map { Array($0.utf8) } == Array("Cafe\u{301}".utf8))
    #expect(try store.count(Conversation.filter { $0.createdAt == created }) == 1)
    #expect(try store.count(Conversation.filter { $0.participants == ["bob", "carol"] }) == 1)
    #expect(try store.count(Conversation.filter { $0.participants == ["bob"] }) == 0)
    #expect(try store.count(Conversation.filter { $0.participants.in(["bob", "nobody"]) }) == 1)
    #expect(try store.count(Conversation.filter { $0.participants.containsAll(["bob", "nobody"]) }) == 0)
  }

  @Test func wrongConversationsAreRefusedWhole() throws {
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "taken")
      #expect(
        failure(.identifierExists) { try tx.createConversation(with: ["carol"], id: "taken") }?
          .context["conversation"] == "taken")
      #expect(
        failure(.invalidIdentifier) { try tx.createConversation(with: ["bob"], id: "") }?
          .context["conversation"] == "")
      #expect(
        failure(.invalidIdentifier) { try tx.createConversation(with: ["b\0b"]) }?
          .context["participant"] == "b\0b")
      failure(.invalidIdentifier) { _ = try tx.conversation(with: ["bob", ""]) }
      #expect(
        failure(.invalidKey) { _ = try tx.conversation(with: ["dora"], metadata: ["a": ["": "x"]]) }?
          .context["keyPath"] == "a.''")
      // Nothing of the refused ones is there: this one is new, with its own metadata.
      #expect(try tx.conversation(with: ["dora"], metadata: ["n": "1"]).metadata == ["n": "1"])
    }
    try expectSound(store)
  }

  @Test func deletedConversationsVanish() throws {
    let (kept, gone) = try store.write { tx in
      let kept = try tx.createConversation(with: ["bob"]).id
      let gone = try tx.createConversation(with: ["carol"], metadata: ["a": "b"]).id
      for place in 1...50 {
        try tx.receive([.text("kept \(place)")], in: kept, from: "bob", position: Int64(place))
        try tx.receive(
          [.text("gone"), .data([UInt8](repeating: 7, count: 3000), mimeType: "image/png")], in: gone,
          from: "carol", id: Message.ID("gone \(place)"), position: Int64(place))
      }
      return (kept, gone)
    }
    try store.write { tx in
      try tx.delete(gone)
      #expect(try tx.count(Message.all) == 50)
      failure(.unknownConversation) { try tx.delete(gone) }
      failure(.unknownConversation) { try tx.send([], to: gone) }
      failure(.unknownMessage) { try tx.markAsRead(Message.ID("gone 3")) }
    }
    #expect(try store.identifiers(Conversation.all) == [kept])
    #expect(try store.count(Message.filter { $0.isUnread }) == 50)
    #expect(try store.count(Message.filter { $0.sender.userID == "carol" }) == 0)
    #expect(try store.count(MessagePart.filter { $0.mimeType == "image/png" }) == 0)
    #expect(try store.count(Conversation.filter { $0.metadata.a == "b" }) == 0)
    failure(.unknownMessage) { _ = try store.content(of: "gone 3/parts/1") }
    try expectSound(store)
    // The identifiers are free again.
    try store.write { tx in
      try tx.createConversation(with: ["carol"], id: gone)
      try tx.send([.text("new")], to: gone, id: "gone 3")
    }
    #expect(try store.read { try $0.message("gone 3")?.text } == "new")
    try expectSound(store)
  }
}

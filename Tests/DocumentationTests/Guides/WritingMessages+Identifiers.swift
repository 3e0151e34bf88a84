import Foundation
import Satchel
import Testing

/// The code of WritingMessages.md that is about identifiers.
@Suite struct WritingIdentifiers {
  private let chats: GuideStore
  private var store: MessageStore { chats.store }

  init() throws { chats = try GuideStore() }

  @Test func stringsAndLiterals() throws {
    let users = "bob,carol".split(separator: ",")
    let place = "office"
    try store.write { transaction in
      try transaction.createConversation(with: users.map { Identity.ID($0) }, id: Conversation.ID(place))
      try transaction.receive(
        [.text("Hi")], in: Conversation.ID(place), from: Identity.ID(users[0]), id: "m7",
        recipientStatus: [Identity.ID(users[1]): .sent])
    }
    let ofBob = try store.count(Message.filter { $0.sender.userID == Identity.ID(users[0]) })
    #expect(ofBob == 1)
    #expect(try store.message("m7")?.recipientStatus == ["carol": .sent])
    #expect(try store.conversation("office")?.participants == ["alice", "bob", "carol"])
    try store.write { transaction in
      try transaction.update("m7") { $0.position = 7 }
      try transaction.markAsRead("m7")
      try transaction.delete("m7")
      try transaction.delete(Conversation.ID("office"))
    }
    #expect(try store.message("m7") == nil)
    #expect(try store.conversation("office") == nil)
  }

  @Test func aLiteralIsAMessage() throws {
    try chats.chat("lunch", messages: 2)
    try store.write { transaction in
      try transaction.announce([.text("hear")], from: "operator", id: "notice")
      let error = #expect(throws: SatchelError.self) { try transaction.delete("lunch") }
      #expect(error?.code == .unknownMessage)
      #expect(throws: SatchelError.self) { try transaction.update("notice") { $0.isUnread = false } }
      #expect(throws: SatchelError.self) { try transaction.markAsRead("notice") }
      try transaction.update(Announcement.ID("notice")) { $0.isUnread = true }
      try transaction.markAsRead(Announcement.ID("notice"))
      try transaction.delete(Announcement.ID("notice"))
      #expect(try transaction.markAsRead(Conversation.ID("lunch")) == 2)
    }
    #expect(try store.announcement("notice") == nil)
    #expect(try store.count(Message.filter { $0.conversation == "lunch" && !$0.isUnread }) == 2)
    // A variable says itself what it names.
    let (message, conversation) = (try #require(try store.first(Message.all)).id, Conversation.ID("lunch"))
    try store.write { transaction in
      try transaction.delete(message)
      try transaction.delete(conversation)
    }
    #expect(try store.conversation(conversation) == nil)
  }

  @Test func anyStringIsConverted() {
    let text = "x,é,e\u{301}"
    let ids = text.split(separator: ",").map(Message.ID.init(_:))
    #expect(ids == ["x", "é", "e\u{301}"])
    #expect(Set(ids).count == 3)
    #expect(["a", "b"].map { Identity.ID($0) } == ["a", "b"])
    let missing: String? = nil
    #expect(missing.map { Message.ID($0) } == nil)
  }
}

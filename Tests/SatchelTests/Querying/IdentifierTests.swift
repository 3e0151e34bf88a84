import Satchel
import SatchelScenes
import Testing

@Suite struct IdentifierTests {
  static let names = [
    "0", "00", "12345678901234567890", "a/b/c", "/", "//parts/0", "😀", "👩‍👩‍👧", " ", "a b", "\n", "'", "\"", "\\",
    "%", "_",
    "caf\u{E9}", "cafe\u{301}", "K", "\u{212A}", "\u{FEFF}", "A", "a", String(repeating: "k", count: 1024),
    String(repeating: "k", count: 1023) + "l", String(repeating: "k", count: 1025), "true", "NULL", "%@",
    "\u{1}",
  ]

  @Test func anyTextIsAnIdentifier() throws {
    let scratch = try Scratch()
    let store = scratch.store
    try store.write { tx in
      for name in Self.names {
        try tx.createConversation(
          with: [Identity.ID(name)], id: Conversation.ID(name), metadata: ["name": .text("x")])
        try tx.receive(
          [.text("x")], in: Conversation.ID(name), from: Identity.ID(name),
          id: Message.ID(name))
        try tx.announce([], from: Identity.ID(name), id: Announcement.ID("announcement " + name))
        try tx.put(Identity(userID: Identity.ID(name)))
      }
    }
    try expectSound(store)
    #expect(
      try store.identifiers(Message.all).map(\.rawValue).map { Array($0.utf8) }
        == Self.names.map { Array($0.utf8) })
    #expect(try store.identifiers(Conversation.all) == Self.names.map { Conversation.ID($0) })
    #expect(try store.identifiers(Identity.all) == Self.names.map { Identity.ID($0) })
    for name in Self.names {
      let (message, conversation, user) = (Message.ID(name), Conversation.ID(name), Identity.ID(name))
      #expect(try store.identifiers(Message.filter { $0.identifier == message }) == [message])
      #expect(try store.identifiers(Message.filter { $0.conversation == conversation }) == [message])
      #expect(try store.identifiers(Message.filter { $0.sender.userID == user }) == [message])
      #expect(try store.identifiers(Conversation.filter { $0.identifier == conversation }) == [conversation])
      #expect(try store.identifiers(Conversation.filter { $0.participants == [user] }) == [conversation])
      #expect(try store.identifiers(Conversation.filter { $0.participants.contains(user) }) == [conversation])
      #expect(try store.identifiers(Conversation.filter { $0.lastMessage == message }) == [conversation])
      #expect(try store.identifiers(Identity.filter { $0.userID == user }) == [user])
      #expect(try store.read { try $0.announcement(.init("announcement " + name))?.sender } == user)
      // The same as text of the predicate language, as an argument and as a literal.
      #expect(try store.identifiers(Query<Message>(format: "identifier = %@", name)) == [message])
      let printed = Message.filter { $0.sender.userID == user && $0.conversation == conversation }
      #expect(
        try store.identifiers(Query<Message>(format: printed.untyped.predicate.description)) == [message],
        "\(printed)")
      let part = MessagePart.ID(name + "/parts/0")
      #expect(try store.identifiers(MessagePart.filter { $0.identifier == part }) == [part])
      #expect(try store.content(of: part) == Array("x".utf8))
    }
    let sorted = Self.names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { Message.ID($0) }
    #expect(try store.identifiers(Message.order { $0.identifier }) == sorted)
    #expect(try store.identifiers(Message.order { $0.sender.userID.descending }) == sorted.reversed())
    #expect(
      try store.count(Message.filter { $0.identifier.in(Self.names.map { Message.ID($0) }) })
        == Self.names.count)
    #expect(try store.count(Message.filter { $0.identifier.beginsWith("kkk") }) == 3)
  }

  @Test func whatIsNoIdentifier() throws {
    let scratch = try Scratch()
    let store = scratch.store
    for name in ["", "\0", "a\0b"] {
      try store.write { tx in
        try tx.conversation(with: ["bob"])
        failure(.invalidIdentifier) { try tx.createConversation(with: [], id: Conversation.ID(name)) }
        failure(.invalidIdentifier) { try tx.createConversation(with: [Identity.ID(name)]) }
        failure(.invalidIdentifier) { try tx.announce([], from: Identity.ID(name)) }
        failure(.invalidIdentifier) { try tx.announce([], from: "service", id: Announcement.ID(name)) }
        failure(.invalidIdentifier) { try tx.put(Identity(userID: Identity.ID(name))) }
        failure(.unknownConversation) { try tx.delete(Conversation.ID(name)) }
        failure(.unknownMessage) { try tx.delete(Message.ID(name)) }
      }
      failure(.invalidIdentifier) {
        _ = try MessageStore(
          at: scratch.directory.url.appendingPathComponent("other"), user: Identity.ID(name))
      }
      // To ask for one is no error: there is none.
      #expect(try store.read { try $0.message(Message.ID(name)) } == nil)
      #expect(try store.count(Message.filter { $0.identifier.in([Message.ID(name), "x"]) }) == 0)
      #expect(try store.count(Conversation.filter { $0.participants.contains(Identity.ID(name)) }) == 0)
      #expect(try store.count(Message.filter { $0.conversation == Conversation.ID(name) }) == 0)
    }
    try expectSound(store)
  }

  /// The identifier of a part begins with that of its message, and not with what a service calls the message.
  @Test func aPartHasOneIdentifier() throws {
    let scratch = try Scratch()
    let store = scratch.store
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      for (name, remote) in [("a", "ab"), ("b", "b/parts/1"), ("c", "c/parts/0")]
        as [(Message.ID, Message.ID)]
      {
        try tx.receive([.text("1"), .text("2")], in: "c", from: "bob", id: name)
        try tx.confirm(name, as: remote)
      }
    }
    let own = try store.identifiers(MessagePart.all)
    #expect(own == ["a/parts/0", "a/parts/1", "b/parts/0", "b/parts/1", "c/parts/0", "c/parts/1"])
    let others: [MessagePart.ID] = [
      "ab/parts/0", "ab/parts/1", "b/parts/1/parts/0", "c/parts/0/parts/1", "a/parts/00", "a/parts/2", "a",
    ]
    for part in own + others {
      let wanted = own.filter { $0 == part }
      let tested = MessagePart.filter { $0.identifier == part || $0.size == 99 }
      #expect(try store.identifiers(MessagePart.filter { $0.identifier == part }) == wanted, "\(part)")
      #expect(try store.identifiers(tested) == wanted, "\(part)")
      #expect(
        try store.count(MessagePart.filter { $0.identifier != part }) == own.count - wanted.count, "\(part)")
    }
    // Each once, by however many names its message is found.
    #expect(try store.identifiers(MessagePart.filter { $0.identifier.in(own + others) }) == own)
  }
}

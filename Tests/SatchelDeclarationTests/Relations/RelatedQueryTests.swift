import Foundation
import Satchel
import SatchelRelations
import SatchelScenes
import Testing

/// Questions for what related users have: on every path that ends at a user, typed and as text.
@Suite struct RelatedQueryTests {
  static let list = RecordType("list") { $0.text("title") }
  static let todo = RecordType("todo") {
    $0.reference("list", to: list)
    $0.reference("assignee", to: Reference.identities)
    $0.reference("about", to: Reference.messages)
  }

  let scratch: Scratch
  var store: MessageStore { scratch.store }

  /// Alice follows bob and carol; bob and dave follow alice; carol follows dave; alice and dave are friends; alice has blocked erin.
  init() throws {
    scratch = try Scratch()
    try store.enable(.relations)
    try store.declare(Self.list, Self.todo)
    try store.write { tx in
      for user in ["bob", "carol"] { try tx.relate(.following, to: Identity.ID(user)) }
      for user in ["bob", "dave"] { try tx.relate(.following, from: Identity.ID(user), to: "alice") }
      try tx.relate(.following, from: "carol", to: "dave")
      try tx.relate(.friend, to: "dave")
      try tx.relate(.friend, from: "dave", to: "alice")
      try tx.relate(.blocked, to: "erin")
      for user in ["alice", "bob", "carol", "dave", "erin"] {
        let id = Identity.ID(user)
        if user != "erin" { try tx.put(Identity(userID: id, displayName: user)) }
        if user != "alice" {
          try tx.createConversation(with: [id], id: Conversation.ID("with-\(user)"))
          try tx.receive(
            [.text(user)], in: Conversation.ID("with-\(user)"), from: id, id: Message.ID("of-\(user)"))
          try tx.announce([.text(user)], from: id, id: Announcement.ID("news-\(user)"))
        }
        try tx.save(Record(Self.list, name: user, owner: id))
        try tx.save(
          Record(
            Self.todo, name: user, owner: "alice",
            [
              "list": .reference(Record.ID(type: "list", name: user)), "assignee": .reference(id),
              "about": .reference(Message.ID("of-\(user)")),
            ]))
      }
      try tx.save(Record(Self.todo, name: "none", owner: "bob"))
    }
  }

  private func names(_ users: String, _ prefix: String = "") -> Set<String> {
    Set(users.split(separator: " ").map { prefix + $0 })
  }

  private func ask<Object: StoredObject>(
    _ spellings: [Query<Object>], _ expected: Set<String>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws where Object.ID == ObjectID<Object> {
    for query in spellings {
      let found = try store.identifiers(query).map(\.rawValue)
      #expect(
        Set(found) == expected && found.count == expected.count, "\(query)", sourceLocation: sourceLocation)
      #expect(try store.count(query) == expected.count, "\(query)", sourceLocation: sourceLocation)
      #expect(try store.fetch(query).count == expected.count, "\(query)", sourceLocation: sourceLocation)
    }
  }

  private func askRecords(
    _ spellings: [Query<Record>], _ expected: Set<String>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for query in spellings {
      let found = try store.identifiers(query).map(\.name)
      #expect(
        Set(found) == expected && found.count == expected.count, "\(query)", sourceLocation: sourceLocation)
      #expect(try store.count(query) == expected.count, "\(query)", sourceLocation: sourceLocation)
    }
  }

  @Test func sendersOfMessages() throws {
    try ask(
      [
        Message.filter { $0.sender.isRelated(.following) },
        Message.filter { $0.sender.userID.isRelated(.following, .outward) },
        Query<Message>(format: "sender RELATED 'following'"),
        Query<Message>(format: "sender.userID related %@", "following"),
        Query<Message>(format: "sender RELATED {'following', 'outward'}"),
        Query<Message>(format: "sender RELATED %@", ["following", "outward", "alice"]),
      ], names("bob carol", "of-"))
    try ask(
      [
        Message.filter { !$0.sender.isRelated(.following) },
        Query<Message>(format: "NOT sender RELATED 'following'"),
      ], names("dave erin", "of-"))
    try ask([Message.filter { $0.sender.isRelated(.following, .inward) }], names("bob dave", "of-"))
    try ask([Message.filter { $0.sender.isRelated(.following, .mutual) }], names("bob", "of-"))
    try ask([Message.filter { $0.sender.isRelated(.following, to: "carol") }], names("dave", "of-"))
    try ask([Message.filter { $0.sender.isRelated(.friend) }], names("dave", "of-"))
    try ask([Message.filter { $0.sender.isRelated("team") }], [])
    try ask([Message.filter { !$0.sender.isRelated("team") }], names("bob carol dave erin", "of-"))
    try ask(
      [Message.filter { $0.sender.isRelated(.following) && !$0.sender.isRelated(.following, .mutual) }],
      names("carol", "of-"))
    try ask(
      [Message.filter { $0.sender.isRelated(.friend) || $0.sender.isRelated(.blocked) }],
      names("dave erin", "of-"))
    try ask(
      [Announcement.filter { $0.sender.isRelated(.following, .inward) }], names("bob dave", "news-"))
    // Parts have them by their message, and messages by their conversation.
    #expect(try store.count(MessagePart.filter { $0.message.sender.isRelated(.following) }) == 2)
    try ask(
      [Message.filter { $0.conversation.participants.isRelated(.blocked) }], names("erin", "of-"))
    try ask(
      [Conversation.filter { $0.lastMessage.sender.userID.isRelated(.following) }],
      names("bob carol", "with-"))
  }

  @Test func participantsAndIdentities() throws {
    try store.write { try $0.createConversation(with: ["bob", "erin"], id: "three") }
    try store.write { try $0.receive([.text("x")], in: "three", from: "erin", id: "m") }
    try ask(
      [
        Conversation.filter { $0.participants.isRelated(.following) },
        Query<Conversation>(format: "participants RELATED 'following'"),
      ], names("bob carol", "with-").union(["three"]))
    try ask(
      [Conversation.filter { !$0.participants.isRelated(.following) }], names("dave erin", "with-"))
    try ask(
      [Conversation.filter { $0.participants.isRelated(.following, .inward, to: "dave") }],
      names("carol", "with-"))
    try ask(
      [Identity.filter { $0.userID.isRelated(.following) }, Query(format: "userID RELATED 'following'")],
      names("bob carol"))
    try ask([Identity.filter { !$0.userID.isRelated(.following) }], names("alice dave"))
    // Members of whom there is no identity are users all the same.
    let members = Identity.members(of: "three")
    #expect(try store.identifiers(members.filter { $0.userID.isRelated(.blocked) }) == ["erin"])
    #expect(try store.count(members.filter { !$0.userID.isRelated(.blocked) }) == 2)
  }

  @Test func recordsAndWhatTheyReferTo() throws {
    let (list, todo) = (Self.list, Self.todo)
    func text(_ format: String) throws -> Query<Record> { todo.filter(try QueryPredicate(format: format)) }
    try askRecords(
      [
        list.filter { $0.owner.isRelated(.following) },
        list.filter(.init(format: "owner RELATED 'following'")),
      ],
      names("bob carol"))
    try askRecords([list.filter { !$0.owner.isRelated(.following) }], names("alice dave erin"))
    try askRecords(
      [list.filter { $0.createdBy.isRelated(.following, .inward, to: "bob") }],
      names("alice bob carol dave erin"))
    try askRecords(
      [list.filter { $0.createdBy.isRelated(.following, .inward, to: "dave") }], [])
    try askRecords(
      [list.filter { $0.updatedBy.isRelated(.following, to: "bob") }], names("alice bob carol dave erin"))
    try askRecords(
      [todo.filter { $0.list.owner.isRelated(.following) }, text("list.owner RELATED 'following'")],
      names("bob carol"))
    try askRecords([todo.filter { !$0.list.owner.isRelated(.following) }], names("alice dave erin none"))
    try askRecords(
      [todo.filter { $0.assignee.isRelated(.following) }, text("assignee RELATED 'following'")],
      names("bob carol"))
    try askRecords(
      [todo.filter { !$0.assignee.isRelated(.following) }], names("alice dave erin none"))
    // Behind the identity, which erin has not.
    try askRecords([todo.filter { $0.assignee.userID.isRelated(.blocked) }], [])
    try askRecords([todo.filter { $0.assignee.isRelated(.blocked) }], ["erin"])
    try askRecords([text("about.sender RELATED 'following'")], names("bob carol"))
    try askRecords([text("about.conversation.participants RELATED 'blocked'")], ["erin"])
    try askRecords(
      [todo.filter { $0.list.owner.isRelated(.following) && $0.about.sender.userID.isRelated(.friend) }], [])
  }

  /// More users than a path unites, and more than are put in the place of a condition at all.
  @Test(arguments: [100, 1_000, 20_000]) func manyUsersAreTestedOneByOne(count: Int) throws {
    try store.write { tx in
      for number in 0..<count { try tx.relate(.following, to: Identity.ID("u\(number)")) }
      try tx.createConversation(with: ["u5", "v5"], id: "room")
      for number in 0..<40 {
        let user = Identity.ID(number % 2 == 0 ? "u\(number)" : "v\(number)")
        try tx.receive([.text("x")], in: "room", from: user, id: Message.ID("m\(number)"))
        if number < 20 { try tx.put(Identity(userID: user)) }
        try tx.save(
          Record(Self.todo, name: "t\(number)", owner: user, ["assignee": .reference(user)]))
      }
    }
    let inRoom = Message.filter { $0.conversation == "room" }
    #expect(try store.count(inRoom.filter { $0.sender.isRelated(.following) }) == 20)
    #expect(try store.count(inRoom.filter { !$0.sender.isRelated(.following) }) == 20)
    #expect(try store.count(Message.filter { $0.sender.isRelated(.following) }) == 22)
    #expect(try store.count(Conversation.filter { $0.participants.isRelated(.following) }) == 3)
    #expect(try store.count(Identity.filter { $0.userID.isRelated(.following) }) == 12)
    #expect(try store.count(Self.todo.filter { $0.owner.isRelated(.following) }) == 21)
    #expect(try store.count(Self.todo.filter { $0.assignee.isRelated(.following) }) == 22)
    #expect(try store.count(Self.todo.filter { !$0.assignee.isRelated(.following) }) == 24)
    // However the question is answered, `explain` shows every way to it.
    for query in [
      Self.todo.filter { $0.assignee.isRelated(.following) },
      Self.todo.filter { !$0.owner.isRelated(.friend) },
    ] {
      #expect(try !store.explain(query).description.isEmpty)
    }
  }

  @Test func textsParseBack() throws {
    for (predicate, text) in [
      (Message.fields.sender.isRelated(.following), "sender RELATED 'following'"),
      (Message.fields.sender.isRelated(.following, .inward), "sender RELATED {'following', 'inward'}"),
      (Message.fields.sender.isRelated(.friend, .mutual), "sender RELATED 'friend'"),
      (
        Message.fields.sender.isRelated(.friend, .mutual, to: "carol"),
        "sender RELATED {'friend', 'mutual', 'carol'}"
      ),
      (!Message.fields.sender.isRelated(.blocked), "NOT sender RELATED 'blocked'"),
    ] {
      #expect(predicate.description == text)
      #expect(try QueryPredicate(format: text) == predicate)
      let query = Message.filter(predicate).order { $0.position }
      #expect(try JSONDecoder().decode(Query<Message>.self, from: JSONEncoder().encode(query)) == query)
    }
    // It is no keyword: a field may have the name.
    let field = RecordType("x").filter { $0.related == 5 || $0.related.isRelated(.friend) }
    #expect(field.untyped.predicate.description == "related = 5 OR related RELATED 'friend'")
    #expect(try QueryPredicate(format: field.untyped.predicate.description) == field.untyped.predicate)
  }

  @Test(arguments: [
    ("sender RELATED 5", SatchelError.Code.invalidValue), ("sender RELATED nil", .invalidValue),
    ("sender RELATED {}", .invalidValue), ("sender RELATED {'a b'}", .invalidValue),
    ("sender RELATED ''", .invalidValue), ("sender RELATED {'following', 'upward'}", .invalidValue),
    ("sender RELATED {'following', 'outward', ''}", .invalidValue),
    ("sender RELATED {'following', 'outward', 'bob', 'carol'}", .invalidValue),
    ("sender RELATED {'following', 5}", .invalidValue), ("sender RELATED {'a': 'b'}", .invalidValue),
    ("sender RELATED following", .unqueryableProperty), ("position RELATED 'friend'", .unsupportedPredicate),
    ("sender.displayName RELATED 'friend'", .unsupportedPredicate),
    ("identifier RELATED 'friend'", .unsupportedPredicate),
    ("metadata.owner RELATED 'friend'", .unsupportedPredicate),
    ("parts.mimeType RELATED 'friend'", .unsupportedPredicate),
    ("ANY conversation.participants RELATED 'friend'", .unsupportedPredicate),
    ("ANY parts (mimeType RELATED 'friend')", .unsupportedPredicate),
    ("sender RELATED[c] 'friend'", .syntaxError), ("sender RELATED", .syntaxError),
  ]) func whatIsWrongIsTold(text: String, code: SatchelError.Code) {
    let error = failure(code) { _ = try store.count(Query<Message>(format: text)) }
    #expect(error?.context.isEmpty == false, "\(text)")
  }

  /// A declared field has to refer to identities; of one that is not declared, the value decides.
  @Test func fieldsReferToUsers() throws {
    let contact = RecordType("contact") {
      $0.text("name")
      $0.reference("list", to: Self.list)
      $0.reference("whoever", to: nil)
      $0.reference("friend", to: Self.todo)
    }
    try store.declare(contact)
    try store.write { tx in
      try tx.save(
        Record(
          contact, name: "c",
          [
            "name": "bob", "whoever": .reference(Identity.ID("bob")),
            "other": .reference(Identity.ID("carol")),
            "text": "bob", "friend": .reference(Record.ID(type: "todo", name: "bob")),
          ]))
    }
    for wrong in [
      contact.filter { $0.name.isRelated(.following) }, contact.filter { $0.list.isRelated(.following) },
      contact.filter { $0.list.title.isRelated(.following) },
      contact.filter { $0.friend["list"].isRelated(.following) },
    ] {
      let error = failure(.unsupportedPredicate) { _ = try store.count(wrong) }
      #expect(error?.context["found"] != nil)
    }
    for field in ["whoever", "other", "friend.assignee"] {
      try askRecords([contact.filter(try QueryPredicate(format: "\(field) RELATED 'following'"))], ["c"])
    }
    try askRecords([contact.filter { $0.text.isRelated(.following) || $0.none.isRelated(.following) }], [])
  }
}

import Satchel
import SatchelScenes
import Testing

/// AUTOCOMPLETE through the store: of the texts of parts, names, metadata, identifiers; in counts, lists and declared aggregates.
@Suite struct WordBeginningsTests {
  private let scratch: Scratch
  private var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try store.write { tx in
      try tx.put(Identity(userID: "bob.miller", displayName: "Bob Müller"))
      try tx.put(Identity(userID: "carol", displayName: "Carol Miller-Smith"))
      try tx.put(Identity(userID: "dan"))
      try tx.createConversation(
        with: ["bob.miller"], id: "c0", metadata: ["name": "Café Society", "tags": ["red wine", "bread"]])
      try tx.createConversation(
        with: ["carol"], id: "c1", metadata: ["name": .integer(5), "tags": "wine red"])
      try tx.receive([.text("Hello, wide world!")], in: "c0", from: "bob.miller", id: "m0", position: 1)
      try tx.receive([.text("hello"), .text("world")], in: "c0", from: "bob.miller", id: "m1", position: 2)
      try tx.receive([.text("Othello's WÖRLD")], in: "c1", from: "carol", id: "m2", position: 3)
      try tx.receive([], in: "c1", from: "carol", id: "m3", position: 4)
    }
  }

  private func messages(_ format: String, _ arguments: (any Sendable)?...) throws -> Set<Message.ID> {
    let predicate = try QueryPredicate(format: format, arguments: arguments)
    let found = Set(try store.identifiers(Message.filter { _ in predicate }))
    #expect(try store.count(Message.filter { _ in predicate }) == found.count)
    let others = Set(try store.identifiers(Message.filter { _ in !predicate }))
    #expect(found.isDisjoint(with: others) && found.union(others) == ["m0", "m1", "m2", "m3"])
    return found
  }

  @Test func eachWordBeginsOneOfTheSameText() throws {
    #expect(try messages("parts.text AUTOCOMPLETE 'hel wo'") == ["m0"])
    #expect(try messages("parts.text AUTOCOMPLETE 'WO'") == ["m0", "m1", "m2"])
    #expect(try messages("parts.text AUTOCOMPLETE 'wör hel'") == ["m0"])
    #expect(try messages("parts.text AUTOCOMPLETE 'hel' AND parts.text AUTOCOMPLETE 'wo'") == ["m0", "m1"])
    #expect(try messages("ALL parts.text AUTOCOMPLETE 'o'") == ["m2", "m3"])
    #expect(try messages("NONE parts.text AUTOCOMPLETE[cd] %@", "hel") == ["m2", "m3"])
    #expect(try messages("parts.text AUTOCOMPLETE %@", "") == [])
    #expect(try messages("parts.text AUTOCOMPLETE '… 😀'") == [])
    #expect(try messages("sender.displayName AUTOCOMPLETE 'mul'") == ["m0", "m1"])
    #expect(try messages("sender.displayName AUTOCOMPLETE 'smith mill'") == ["m2", "m3"])
    #expect(try messages("sender.userID AUTOCOMPLETE 'bob.m'") == ["m0", "m1"])
    #expect(try messages("conversation.metadata.name AUTOCOMPLETE 'soc cafe'") == ["m0", "m1"])
    #expect(try messages("conversation.metadata.name AUTOCOMPLETE '5'") == [])
    #expect(try messages("conversation.metadata.tags AUTOCOMPLETE 'red wi'") == ["m0", "m1", "m2", "m3"])
    #expect(try messages("conversation.metadata.tags AUTOCOMPLETE 'red bread'") == [])
    #expect(try messages("ALL conversation.metadata.tags AUTOCOMPLETE 'red'") == ["m2", "m3"])
  }

  @Test func closures() throws {
    #expect(
      try store.identifiers(Message.filter { $0.parts.any { $0.text.autocomplete("wor hello") } }) == ["m0"])
    #expect(
      try store.identifiers(
        Message.filter { $0.parts.any { $0.text.autocomplete("wor") && $0.text.autocomplete("hel") } })
        == ["m0"])
    #expect(
      try store.identifiers(Identity.filter { $0.displayName.autocomplete("mil") && $0.userID != "dan" })
        == ["carol"])
    #expect(try store.identifiers(Identity.filter { !$0.displayName.autocomplete("mil") }).count == 2)
    #expect(try store.identifiers(Conversation.filter { $0.metadata.name.autocomplete("cafe") }) == ["c0"])
    #expect(
      try store.identifiers(Conversation.filter { $0.metadata.tags.list.all { $0.autocomplete("red") } })
        == ["c1"])
    #expect(try store.identifiers(MessagePart.filter { $0.text.autocomplete("hello") }).count == 2)
  }

  @Test func aggregatesCountThem() throws {
    let greetings = Aggregate(
      named: "greetings", counting: Message.filter { $0.parts.any { $0.text.autocomplete("hel") } },
      groupedBy: \.conversation)
    try store.declare(greetings)
    #expect(try store.value(of: greetings, for: "c0") == 2)
    #expect(try store.value(of: greetings, for: "c1") == 0)
    try store.write { tx in
      try tx.receive([.text("Well, HÉLLO")], in: "c1", from: "carol", id: "m4", position: 5)
      try tx.delete(Message.ID("m0"))
    }
    for store in [store, try scratch.reopened()] {
      try store.declare(greetings)
      #expect(try store.value(of: greetings, for: "c0") == 1)
      #expect(try store.value(of: greetings, for: "c1") == 1)
    }
    try expectSound(store)
  }

  @Test(arguments: [
    ("position AUTOCOMPLETE 'x'", SatchelError.Code.unsupportedPredicate),
    ("isUnread AUTOCOMPLETE 'x'", .unsupportedPredicate), ("sentAt AUTOCOMPLETE 'x'", .unsupportedPredicate),
    ("metadata AUTOCOMPLETE 'x'", .unsupportedPredicate),
    ("conversation.participants AUTOCOMPLETE 'x'", .unsupportedPredicate),
    ("recipientStatus.bob AUTOCOMPLETE 'read'", .unsupportedPredicate),
    ("sender.displayName AUTOCOMPLETE sender.userID", .unsupportedPredicate),
    ("parts.text AUTOCOMPLETE 5", .invalidValue), ("parts.text AUTOCOMPLETE {'a', 'b'}", .invalidValue),
    ("parts.text AUTOCOMPLETE nil", .invalidValue), ("metadata.a AUTOCOMPLETE TRUE", .invalidValue),
    ("metadata.a AUTOCOMPLETE {'a': 'b'}", .invalidValue),
  ])
  func refused(_ format: String, _ code: SatchelError.Code) throws {
    let query = try Query<Message>(format: format)
    let error = try #require(throws: SatchelError.self) { try store.count(query) }
    #expect(error.code == code, "\(error)")
    #expect(error.context["property"] == format.split(separator: " ").first.map(String.init), "\(error)")
    #expect(error.context["operator"] == "AUTOCOMPLETE", "\(error)")
  }

  @Test func operandsThatAreTooLong() throws {
    let most = String(repeating: "a ", count: 8_192)
    #expect(try messages("parts.text AUTOCOMPLETE %@", most) == [])
    let query = try Query<Message>(format: "parts.text AUTOCOMPLETE %@", most + "a")
    let error = try #require(throws: SatchelError.self) { try store.count(query) }
    #expect(error.code == .invalidValue && error.context["expected"]?.contains("16384") == true, "\(error)")
  }
}

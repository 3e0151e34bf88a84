import Satchel
import SatchelScenes
import Testing

/// MATCHES-TEXT through the store: of the texts of parts, names, metadata, identifiers, fields of records, and of those that paths lead to; in
/// counts, lists and declared aggregates.
@Suite struct TextSearchTests {
  private let scratch: Scratch
  private var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try store.write { tx in
      try tx.put(Identity(userID: "bob.miller", displayName: "Bob Müller"))
      try tx.put(Identity(userID: "carol", displayName: "Carol Miller-Smith"))
      try tx.createConversation(
        with: ["bob.miller"], id: "c0", metadata: ["title": "Café Society", "tags": ["red wine", "bread"]])
      try tx.createConversation(
        with: ["carol"], id: "c1", metadata: ["title": .integer(5), "tags": "wine red"])
      try tx.receive(
        [.text("Lunch at noon? The usual place.")], in: "c0", from: "bob.miller", id: "m0", position: 1)
      try tx.receive(
        [.text("Not at noon."), .text("Usual, luncheon")], in: "c0", from: "bob.miller", id: "m1", position: 2
      )
      try tx.receive(
        [.text("A place as usual; 東京都 www.example.org")], in: "c1", from: "carol", id: "m2", position: 3)
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

  @Test func onePartMatchesAllOfThePattern() throws {
    #expect(try messages("parts.text MATCHES-TEXT 'NOON'") == ["m0", "m1"])
    #expect(try messages("parts.text MATCHES-TEXT 'noon lunch'") == ["m0"])
    #expect(try messages("parts.text MATCHES-TEXT 'noon lunc*'") == ["m0"])
    #expect(try messages("parts.text MATCHES-TEXT 'lunc*'") == ["m0", "m1"])
    #expect(
      try messages("parts.text MATCHES-TEXT 'noon' AND parts.text MATCHES-TEXT 'lunc*'") == ["m0", "m1"])
    #expect(try messages("parts.text MATCHES-TEXT '\"usual place\"'") == ["m0"])
    #expect(try messages("parts.text MATCHES-TEXT 'noon OR 京都'") == ["m0", "m1", "m2"])
    #expect(try messages("parts.text MATCHES-TEXT '*xampl*'") == ["m2"])
    #expect(try messages("parts.text MATCHES-TEXT '\"not:noon\"'") == [])
  }

  /// Exclusions within alternatives and within one another are answered by an index of words as by reading.
  @Test(arguments: [false, true]) func exclusionsWithinAlternatives(isIndexed: Bool) throws {
    if isIndexed {
      try store.declare(Index(named: "words", on: Message.self, wordsOf: { $0.parts.each { $0.text } }))
      #expect(try store.indexes().map(\.isComplete) == [true])
    }
    #expect(try messages("parts.text MATCHES-TEXT 'usual (-place OR noon)'") == ["m0", "m1"])
    #expect(try messages("parts.text MATCHES-TEXT 'usual -(noon OR -place)'") == ["m2"])
    #expect(try messages("parts.text MATCHES-TEXT 'usual -(-noon -lunch*)'") == ["m0", "m1"])
    #expect(try messages("parts.text MATCHES-TEXT 'usual (-noon OR -(place OR -example*))'") == ["m1", "m2"])
    #expect(try messages("parts.text MATCHES-TEXT 'place (-(usual noon) OR -(-lunch))'") == ["m0", "m2"])
  }

  /// What a pattern excludes, it excludes of one text; NOT and NONE of all of them.
  @Test func exclusions() throws {
    #expect(try messages("parts.text MATCHES-TEXT '-noon'") == ["m1", "m2"])
    #expect(try messages("NOT parts.text MATCHES-TEXT 'noon'") == ["m2", "m3"])
    #expect(try messages("NONE parts.text MATCHES-TEXT 'noon'") == ["m2", "m3"])
    #expect(try messages("ALL parts.text MATCHES-TEXT 'usual OR noon'") == ["m0", "m1", "m2", "m3"])
    #expect(try messages("ALL parts.text MATCHES-TEXT '-lunch'") == ["m1", "m2", "m3"])
    #expect(try messages("ANY parts (text MATCHES-TEXT 'lunc*' AND size < 20)") == ["m1"])
  }

  /// A pattern reads a text as it was given, another operator in NFC: both of one part, in whichever order, be it in its message or beside it.
  @Test(arguments: [0, 2000]) func decomposedTexts(length: Int) throws {
    let text = "Le cafe\u{301} noir" + String(repeating: " et", count: length)
    try store.write { tx in try tx.update(Message.ID("m3")) { $0.parts = [.text(text)] } }
    for pattern in [
      "\"cafe noir\"", "\"caf\u{E9} noir\"", "\"cafe\u{301} noir\"", "caf\u{E9}", "*f\u{E9} n*",
    ] {
      #expect(try messages("parts.text MATCHES-TEXT %@", pattern) == ["m3"], "\(pattern)")
      for other in ["text CONTAINS 'caf\u{E9}'", "text CONTAINS 'cafe\u{301}'", "text AUTOCOMPLETE 'caf'"] {
        #expect(try messages("ANY parts (text MATCHES-TEXT %@ AND \(other))", pattern) == ["m3"], "\(other)")
        #expect(try messages("ANY parts (\(other) AND text MATCHES-TEXT %@)", pattern) == ["m3"], "\(other)")
      }
    }
    #expect(try messages("ANY parts (text MATCHES-TEXT 'cafe' AND text CONTAINS 'cafe')") == [])
  }

  @Test func otherTexts() throws {
    #expect(try messages("sender.displayName MATCHES-TEXT 'muller'") == ["m0", "m1"])
    #expect(try messages("sender.displayName MATCHES-TEXT '-muller'") == ["m2", "m3"])
    #expect(try messages("sender.userID MATCHES-TEXT '*mill*'") == ["m0", "m1"])
    #expect(try messages("conversation.metadata.title MATCHES-TEXT 'society cafe'") == ["m0", "m1"])
    #expect(try messages("conversation.metadata.title MATCHES-TEXT '-5'") == ["m0", "m1"])
    #expect(try messages("conversation.metadata.tags MATCHES-TEXT 'red wine'") == ["m0", "m1", "m2", "m3"])
    #expect(try messages("conversation.metadata.tags MATCHES-TEXT 'red bread'") == [])
    #expect(try messages("conversation.metadata.tags MATCHES-TEXT '\"red wine\"'") == ["m0", "m1"])
    #expect(try messages("ALL conversation.metadata.tags MATCHES-TEXT 'red'") == ["m2", "m3"])
    #expect(try messages("parts.mimeType MATCHES-TEXT 'plain'") == ["m0", "m1", "m2"])
  }

  /// Each field is a condition of its own, on whatever the object has of that name.
  @Test func fields() throws {
    #expect(try messages("parts.text MATCHES-TEXT 'conversation.metadata.title:cafe lunch'") == ["m0"])
    #expect(
      try messages("parts.text MATCHES-TEXT 'sender.displayName:(carol OR muller) usual'") == [
        "m0", "m1", "m2",
      ])
    #expect(try messages("parts.text MATCHES-TEXT 'usual -sender.displayName:carol'") == ["m0", "m1"])
    #expect(try messages("parts.text MATCHES-TEXT 'lunch OR sender.userID:carol'") == ["m0", "m2", "m3"])
    // One text has both words, or two have one each.
    #expect(try messages("parts.text MATCHES-TEXT 'noon luncheon'") == [])
    #expect(try messages("parts.text MATCHES-TEXT 'noon text:luncheon'") == ["m1"])
    #expect(try messages("NONE parts.text MATCHES-TEXT 'noon text:luncheon'") == ["m0", "m2", "m3"])
    #expect(try messages("ANY parts (text MATCHES-TEXT 'mimeType:plain lunc*' AND size < 20)") == ["m1"])
    #expect(try store.count(Conversation.filter { $0.metadata.tags.matches("bread title:society") }) == 1)
    #expect(try store.identifiers(Identity.filter { $0.userID.matches("name:miller -bob") }) == ["carol"])
    let typed = SearchPattern(
      typed: "conversation.metadata.title:caf* (lunc* OR", fields: ["conversation.metadata.title"])
    #expect(
      try Set(store.identifiers(Message.filter { $0.parts.any { $0.text.matches(typed) } })) == ["m0", "m1"])
    for (name, text) in [("title", "title:lunch"), ("position", "noon OR position:1"), ("from", "-from:bob")]
    {
      let query = Message.filter { $0.parts.any { $0.text.matches(text) } }
      let error = try #require(throws: SatchelError.self) { try store.count(query) }
      #expect(error.code == .unqueryableProperty && error.context["field"] == name, "\(error)")
      #expect(error.context["available"]?.contains("conversation.metadata.title") == true, "\(error)")
    }
  }

  @Test func closures() throws {
    let typed = SearchPattern(typed: "noon \"usual pla")
    #expect(try store.identifiers(Message.filter { $0.parts.any { $0.text.matches(typed) } }) == [])
    let open = SearchPattern(typed: "noon (lunc* OR")
    #expect(try store.identifiers(Message.filter { $0.parts.any { $0.text.matches(open) } }) == ["m0"])
    #expect(
      try store.identifiers(Message.filter { $0.parts.any { $0.text.matches(SearchPattern(typed: "😀")) } })
        == [])
    #expect(try store.identifiers(Identity.filter { $0.displayName.matches("mill* -bob") }) == ["carol"])
    #expect(try store.identifiers(Conversation.filter { $0.metadata.title.matches("cafe") }) == ["c0"])
    #expect(
      try store.identifiers(Conversation.filter { $0.metadata.tags.list.all { $0.matches("red") } }) == ["c1"]
    )
    #expect(try store.identifiers(MessagePart.filter { $0.text.matches("usual") }).count == 3)
  }

  /// Fields of records, and what they refer to.
  @Test func records() throws {
    let list = RecordType("list") { $0.text("title") }
    let todo = RecordType("todo") {
      $0.text("title")
      $0.reference("list", to: list)
    }
    try store.declare(list, todo)
    try store.write { tx in
      try tx.save(Record(list, name: "home", ["title": "At home"]))
      try tx.save(
        Record(
          todo, name: "bread",
          ["title": "Buy bread", "list": .reference(Reference(type: "list", name: "home"))]))
      try tx.save(Record(todo, name: "mail", ["title": "Write a mail"]))
    }
    #expect(try store.count(todo.filter { $0.title.matches("bread OR mail") }) == 2)
    #expect(try store.count(todo.filter { $0.title.matches("-bread") }) == 1)
    #expect(try store.count(todo.filter { $0.list.title.matches("hom*") }) == 1)
    #expect(try store.count(todo.filter(QueryPredicate(format: "NOT list.title MATCHES-TEXT 'home'"))) == 1)
  }

  @Test func aggregatesCountThem() throws {
    let about = Aggregate(
      named: "about noon", counting: Message.filter { $0.parts.any { $0.text.matches("noon -\"not at\"") } },
      groupedBy: \.conversation)
    try store.declare(about)
    #expect(try store.value(of: about, for: "c0") == 1)
    try store.write { tx in
      try tx.receive([.text("NÓON")], in: "c1", from: "carol", id: "m4", position: 5)
      try tx.delete(Message.ID("m0"))
    }
    for store in [store, try scratch.reopened()] {
      try store.declare(about)
      #expect(try store.value(of: about, for: "c0") == 0)
      #expect(try store.value(of: about, for: "c1") == 1)
    }
    try expectSound(store)
  }

  @Test(arguments: [
    ("a OR", "5", "the end"), ("(a", "3", "the end"), ("\"a", "1", "\"a"), ("a 😀", "3", "😀"),
    ("- a", "2", " "), ("", "1", "the end"), (" ", "2", "the end"), ("pro*buf", "4", "*buf"),
    ("*\u{301}*", "1", "*\u{301}*"),
  ])
  func wrongPatterns(_ pattern: String, _ column: String, _ found: String) throws {
    let query = try Query<Message>(format: "parts.text MATCHES-TEXT %@", pattern)
    let error = try #require(throws: SatchelError.self) { try store.count(query) }
    #expect(error.code == .syntaxError)
    #expect(error.context["column"] == column && error.context["found"] == found, "\(error)")
    #expect(
      error.context["property"] == "parts.text" && error.context["operator"] == "MATCHES-TEXT", "\(error)")
  }

  @Test func patternsThatAreTooLong() throws {
    let most = String(repeating: "a", count: 16_384)
    #expect(try messages("parts.text MATCHES-TEXT %@", most) == [])
    let query = try Query<Message>(format: "parts.text MATCHES-TEXT %@", most + "a")
    let error = try #require(throws: SatchelError.self) { try store.count(query) }
    #expect(error.code == .syntaxError && error.context["expected"]?.contains("16384") == true, "\(error)")
  }
}

import Satchel
import SatchelExecution
import SatchelPlanning
import SatchelResponses
import SatchelScenes
import Testing

/// Queries for records that refer to messages and conversations, which may have two names: a reference means the object, whichever of them
/// the question has, and whichever the record.
@Suite struct NamedReferenceTests {
  static let note = RecordType("note") {
    $0.reference("about")
    $0.reference("message", to: Reference.messages)
    $0.reference("chat", to: Reference.conversations)
    $0.reference("next", to: "note", onDelete: .nullify)
    $0.integer("order")
  }

  let scratch: Scratch
  var store: MessageStore { scratch.store }

  /// A room `room`, which is `srv/room`, with messages `m1` to `m4`, which are `r1` to `r4`, and an announcement.
  init() throws {
    scratch = try Scratch()
    try scratch.store.enable(.reactions, .threads, .participations)
    try scratch.store.declare(Self.note)
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "room")
      try tx.confirm(Conversation.ID("room"), as: "srv/room")
      for number in 1...4 {
        try tx.receive([.text("\(number)")], in: "room", from: "bob", id: Message.ID("m\(number)"))
        try tx.confirm(Message.ID("m\(number)"), as: Message.ID("r\(number)"), position: Int64(number))
      }
      try tx.announce([.text("Hear")], from: "bob", id: "news")
    }
  }

  private func names(_ type: RecordType, where predicate: String) throws -> [String] {
    let query = type.filter(try QueryPredicate(format: predicate))
    let found = try store.fetch(query).map(\.id.name)
    #expect(try store.count(query) == found.count, "\(predicate)")
    return found
  }

  private func save(_ notes: [String: Metadata]) throws {
    try store.write { tx in
      for (name, fields) in notes.sorted(by: { $0.key < $1.key }) {
        try tx.save(Record(Self.note, name: name, fields))
      }
    }
  }

  @Test func whatIsSaidOfThemIsFoundByEachName() throws {
    try store.write { tx in
      try tx.react(to: "m1", with: "👍", by: "bob")
      try tx.setParent("m1", of: "m2")
      try tx.setParent("r1", of: "r3")
      try tx.pin("room", at: date(1))
    }
    let (reaction, reply, participation) = (
      Reaction.recordType, Reply.recordType, Participation.recordType
    )
    for name in ["m1", "r1"] {
      let reference = "REFERENCE('messages', '\(name)')"
      #expect(try names(reaction, where: "message = \(reference)") == ["m1/👍/bob"])
      #expect(try names(reply, where: "parent = \(reference)") == ["m2", "m3"])
      #expect(try names(reply, where: "parent != \(reference)") == [])
      #expect(try names(reply, where: "NOT parent = \(reference) OR message = \(reference)") == [])
      #expect(
        try store.counts(of: store.replies(to: Message.ID(name)), by: { $0.parent.reference }).map(\.count)
          == [2])
    }
    #expect(try names(reply, where: "message = REFERENCE('messages', 'r2')") == ["m2"])
    for name in ["room", "srv/room"] {
      let reference = "REFERENCE('conversations', '\(name)')"
      #expect(try names(participation, where: "conversation = \(reference)") == ["room/alice"])
      #expect(try names(participation, where: "conversation != \(reference)") == [])
    }
    // A name is one of the objects of a type.
    #expect(try names(reply, where: "parent = REFERENCE('conversations', 'm1')") == [])
    #expect(try names(reply, where: "parent = REFERENCE('messages', 'none')") == [])
  }

  /// A record of the application's has the name that it was given.
  @Test(arguments: ["m1", "r1"]) func recordsOfTheApplicationAreFoundByEachName(_ name: String) throws {
    try save([
      "a": ["about": .reference(Message.ID("m1"))], "b": ["about": .reference(Message.ID("r1"))],
      "c": ["about": .reference(Message.ID("m2"))], "d": ["order": 1, "next": .reference(Self.id("a"))],
      "e": ["about": .reference(Conversation.ID(name))], "f": ["about": .reference(Self.id(name))],
    ])
    #expect(try store.record(Self.id("b"))?["about"] == .reference(Message.ID("r1")))
    let it = "REFERENCE('messages', '\(name)')"
    let other = "REFERENCE('messages', 'r2')"
    let cases: [(String, [String])] = [
      ("about = \(it)", ["a", "b"]), ("about != \(it)", ["c", "d", "e", "f"]),
      ("NOT about = \(it) AND about != nil", ["c", "e", "f"]),
      ("about IN {\(it), \(other)}", ["a", "b", "c"]),
      ("about NOT IN {\(it), \(other)}", ["d", "e", "f"]), ("\(it) IN about", ["a", "b"]),
      ("ANY about = \(it)", ["a", "b"]), ("ALL about = \(it)", ["a", "b"]),
      ("NONE about = \(it)", ["c", "d", "e", "f"]), ("ANY about != \(it)", ["c", "e", "f"]),
      ("ALL about != \(it)", ["c", "d", "e", "f"]), ("ANY about IN {\(it)}", ["a", "b"]),
      // Two names of one object are no two objects.
      ("about = REFERENCE('messages', 'm1') AND about = REFERENCE('messages', 'r1')", ["a", "b"]),
      ("about = REFERENCE('messages', 'm1') AND about != REFERENCE('messages', 'r1')", []),
      ("next.about = \(it)", ["d"]), ("about = \(it) OR order = 1", ["a", "b", "d"]),
      ("TRUEPREDICATE AND NOT (about = \(it) OR about = \(other))", ["d", "e", "f"]),
    ]
    for (predicate, expected) in cases {
      #expect(try names(Self.note, where: predicate) == expected, "\(predicate)")
    }
    // An index that the application declares has the runs of both names.
    try store.declare(Index(named: "notes", on: Self.note) { [$0.about, $0.order] })
    for (predicate, expected) in cases {
      #expect(try names(Self.note, where: predicate) == expected, "\(predicate)")
    }
    let query = Self.note.filter(try QueryPredicate(format: "about = \(it)"))
    #expect(try store.fetch(query.order { $0.order.descending }).map(\.id.name) == ["b", "a"])
  }

  static func id(_ name: String) -> Record.ID { Record.ID(type: "note", name: name) }

  /// Of what is declared it is not asked in one state of the store: there a reference is as it was given.
  @Test func declarationsTakeReferencesAsTheyAreGiven() throws {
    try save([
      "a": ["about": .reference(Message.ID("m1"))], "b": ["about": .reference(Message.ID("r1"))],
    ])
    let of = Self.note.filter { $0.about == Reference(Message.ID("r1")) }
    try store.declare(Aggregate(named: "of r1", counting: of))
    try store.declare(
      Index(named: "of r1", on: Self.note, where: { $0.about == Reference(Message.ID("r1")) }) { [$0.order] })
    #expect(try store.value(of: Aggregate(named: "of r1", counting: of)) == 1)
    // The question has more than the index.
    #expect(try store.count(of) == 2 && store.fetch(of.order { $0.order }).map(\.id.name) == ["a", "b"])
  }

  /// One look-up of each reference to a message or a conversation, and none of any other.
  @Test func aNameIsLookedUpOnce() throws {
    try save(["a": ["about": .reference(Message.ID("m1"))]])
    func recordsRead(_ predicate: String) throws -> Int {
      let query = Self.note.filter(try QueryPredicate(format: predicate))
      return try store.read { snapshot in
        let before = snapshot.base.metrics.recordsRead
        _ = try snapshot.count(query)
        return Int(snapshot.base.metrics.recordsRead - before)
      }
    }
    let one = try recordsRead("about = REFERENCE('messages', 'r1')")
    #expect(one > 0 && one <= 2)
    let many = (0..<50).map { _ in "about = REFERENCE('messages', 'r1')" }.joined(separator: " OR ")
    #expect(try recordsRead(many) == one)
    let two = try recordsRead("about IN {REFERENCE('messages', 'r1'), REFERENCE('messages', 'r2')}")
    #expect(two == one + 1)
    for other in ["('note', 'a')", "('identities', 'bob')", "('messages', 'none')"] {
      #expect(try recordsRead("about = REFERENCE\(other)") == 0)
    }
  }

  /// What the library's types say of an object has one name of it, and so is one run of an index, which is read by rank.
  @Test func whatTheLibraryKeepsIsLookedForUnderOneName() throws {
    func names(_ query: Query<Record>) throws -> Int? {
      try store.read { snapshot in
        guard case .test(let test) = try snapshot.executor.question(query.untyped).condition,
          case .text(.ranges(let set), missing: false) = test.values
        else { return nil }
        return set.points?.count
      }
    }
    for name in ["m1", "r1"] as [Message.ID] {
      #expect(try names(store.replies(to: name)) == 1 && names(store.reactions(to: name)) == 1)
      #expect(try names(Self.note.filter { $0.about == Reference(name) }) == 2)
      // A field that the type does not have is the application's.
      #expect(try names(Reply.recordType.filter { $0.about == Reference(name) }) == 2)
    }
    #expect(try names(store.participations(in: "srv/room")) == 1)
  }

  // MARK: By the name of the record

  @Test func aRecordIsAnAnchorByEachName() throws {
    try store.write { tx in
      for kind in ["a", "b", "c"] { try tx.react(to: "m1", with: kind, by: "bob") }
    }
    let all = Reaction.recordType.order { $0.kind }
    func id(_ name: String) -> Record.ID { Record.ID(type: "_reaction", name: name) }
    for name in ["m1/b/bob", "r1/b/bob"] {
      #expect(try store.fetch(all.after(id(name))).map(\.id.name) == ["m1/c/bob"])
      #expect(try store.fetch(all.before(id(name))).map(\.id.name) == ["m1/a/bob"])
      #expect(try store.rank(of: id(name), in: all) == 1)
    }
    // What it is called is another matter.
    #expect(try names(Reaction.recordType, where: "identifier = 'm1/b/bob'") == ["m1/b/bob"])
    #expect(try names(Reaction.recordType, where: "identifier = 'r1/b/bob'") == [])
  }
}

import Satchel
import SatchelModel
import SatchelScenes
import TestSupport
import Testing

/// Declared fields are compared with values of their types.
@Suite struct DeclaredFieldQueryTests {
  private static let list = RecordType("list") {
    $0.text("title"); $0.number("rank")
  }
  private static let todo = RecordType("todo") {
    $0.text("title"); $0.integer("order"); $0.number("share"); $0.boolean("done"); $0.date("due");
    $0.texts("tags")
    $0.reference("list", to: list)
    $0.reference("about")
  }

  private static func store() throws -> MessageStore {
    let store = try Scratch().store
    try store.declare(list, todo)
    try store.write { tx in
      let work = try tx.save(Record(list, name: "work", ["title": "Work", "rank": 2]))
      try tx.save(
        Record(
          todo, name: "a",
          [
            "title": "A", "order": 1, "share": 0.5, "done": true, "due": .date(Timestamp(microseconds: 0)),
            "tags": ["x"], "list": .reference(work.id), "free": 5,
          ]))
    }
    return store
  }

  private static let wrong: [(predicate: String, declared: String, expected: String)] = [
    ("order = 'x'", "integer", "a number"), ("order != 'x'", "integer", "a number"),
    ("NOT order = 'x'", "integer", "a number"),
    ("order > 2026-01-31T09:30:00Z OR title = 'A'", "integer", "a number"),
    ("title = 'A' AND (done OR order IN {'x', 'y'})", "integer", "a number"),
    ("order NOT IN {'x'}", "integer", "a number"), ("order BETWEEN {'a', 'b'}", "integer", "a number"),
    ("'x' IN order", "integer", "a number"), ("order LIKE 'x%'", "integer", "a number"),
    ("order", "integer", "a number; a property alone means = TRUE"),
    ("order = {'a': 1}", "integer", "a number"),
    ("share < 2026-01-31T09:30:00Z", "number", "a number"), ("done = 1", "boolean", "TRUE or FALSE"),
    ("due = '2024-01-01T00:00:00+01:00'", "date", "a date without quotation marks: 2023-12-31T23:00:00Z"),
    ("due > 'today'", "date", "a date without quotation marks, such as 2026-01-31T09:30:00Z"),
    ("title = 5", "text", "a text in quotation marks"),
    ("title = {'A'}", "text", "a text in quotation marks"),
    ("ANY title IN {5, 6}", "text", "a text in quotation marks"),
    ("tags = 5", "texts", "a text, or behind = and != a list of texts"),
    ("list = 'work'", "reference to list", "a reference, such as REFERENCE('list', 'NAME')"),
    ("about IN {'m'}", "reference", "a reference, such as REFERENCE('messages', 'NAME')"),
    // One of the values is right.
    ("order IN {1, 'x'}", "integer", "a number"),
    ("done NOT IN {TRUE, 5}", "boolean", "TRUE or FALSE"),
    ("tags = {'x', 5}", "texts", "a text, or behind = and != a list of texts"),
    (
      "due BETWEEN {2024-01-01T00:00:00Z, 5}", "date",
      "a date without quotation marks, such as 2026-01-31T09:30:00Z"
    ),
    ("list.title = 5", "text", "a text in quotation marks"), ("list.rank = 'x'", "number", "a number"),
  ]

  @Test func aConstantOfAnotherTypeIsRefusedByName() throws {
    let store = try Self.store()
    for (text, declared, expected) in Self.wrong {
      let query = Self.todo.filter(try QueryPredicate(format: text))
      for error in [
        failure(.invalidValue) { _ = try store.fetch(query) },
        failure(.invalidValue) { _ = try store.count(query) },
        failure(.invalidValue) { _ = try store.explain(query) },
      ] {
        #expect(
          error?.context["declared"] == declared && error?.context["expected"] == expected,
          "\(text): \(error!)")
        #expect(error?.context["property"] != nil && error?.context["operator"] != nil, "\(text): \(error!)")
        #expect(error?.context["value"] != nil, "\(text): \(error!)")
      }
    }
    let closure = failure(.invalidValue) { _ = try store.fetch(Self.todo.filter { $0.order == "x" }) }
    #expect(closure?.context["property"] == "order" && closure?.context["value"] == "'x'")
  }

  /// No declared field is a dictionary: a name below one would be missing everywhere.
  @Test(arguments: [
    ("order.below", "integer", "order"), ("share.below", "number", "share"), ("title.below", "text", "title"),
    ("done.below.more", "boolean", "done"), ("due.year", "date", "due"),
    ("list.title.below", "text", "title"),
  ]) func nothingStandsBelowADeclaredField(_ path: String, _ declared: String, _ field: String) throws {
    let store = try Self.store()
    let condition = Self.todo.filter(try QueryPredicate(format: "title = 'A' AND NOT \(path) != 'x'"))
    let other = Self.todo.filter(try QueryPredicate(format: "free = \(path)"))
    let sorted = Self.todo.query.order([try SortKey(path)])
    for query in [condition, other, sorted] {
      let error = failure(.unqueryableProperty) { _ = try store.fetch(query) }
      #expect(error?.context["property"] == path, "\(error!)")
      #expect(error?.context["field"] == field && error?.context["declared"] == declared, "\(error!)")
      // Behind an operator, what has no quotation marks may be a text that lacks them.
      #expect(error?.context["expected"]?.contains(field) == true, "\(error!)")
    }
  }

  @Test func theElementsOfTextsAreSpelledOtherwise() throws {
    let error = failure(.unqueryableProperty) {
      _ = try Self.store().count(Self.todo.filter { $0.tags.each == "x" })
    }
    #expect(error?.context["property"] == "tags.each" && error?.context["declared"] == "texts")
    #expect(error?.context["expected"]?.hasPrefix("tags, or ") == true, "\(error!)")
  }

  @Test(arguments: [
    "order = 1", "order = 1.0", "share < 1", "done", "due = 1970-01-01T00:00:00Z", "title LIKE 'a'",
    "tags = 'x'",
    "tags = {'x'}", "'x' IN tags", "tags BEGINSWITH 'x'", "list = REFERENCE('list', 'work')",
    "list != REFERENCE('todo', 'a')", "about = nil", "order != nil", "order NOT IN {}",
    "order = free OR order < free",
    "list.rank = 2", "list.title != 'x'", "list.free != 'x'", "free != 'x'", "free = 5", "free.below != TRUE",
  ]) func whatMayPassIsAsked(_ text: String) throws {
    let store = try Self.store()
    #expect(
      try store.fetch(Self.todo.filter(try QueryPredicate(format: text))).map(\.id.name) == ["a"], "\(text)")
  }

  /// What a list asks was right when it was made, and goes on; the same list made later is refused.
  @Test func aListOutlivesTheDeclarationOfItsField() async throws {
    let store = try Scratch().store
    let note = RecordType("note")
    try await store.declare(note)
    try await store.write { try $0.save(Record(note, name: "a", ["order": 1])) }
    let query = note.filter { $0.order != "x" }.order { $0.identifier }
    let controller = store.controller(for: query)
    try await controller.execute()
    #expect(controller.list.map(\.id.name) == ["a"])
    var changes = controller.changes.makeAsyncIterator()
    try await store.declare(RecordType("note") { $0.integer("order") })
    try await store.write { try $0.save(Record(note, name: "b", ["order": 2])) }
    let set = try #require(await changes.next())
    #expect(set.after.map(\.id.name) == ["a", "b"])
    controller.close()
    let later = store.controller(for: query)
    let error = await #expect(throws: SatchelError.self) { try await later.execute() }
    #expect(error?.code == .invalidValue && error?.context["declared"] == "integer")
    later.close()
  }
}

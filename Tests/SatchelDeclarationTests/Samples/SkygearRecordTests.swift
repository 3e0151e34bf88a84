import Satchel
import SatchelScenes
import Testing

/// The samples of Skygear's page on queries, in the order of the page, by their headings: what they ask for, typed and as text. What the
/// page calls not implemented, or leaves empty, works here. Its names are kept, "resturant" too.
///
/// Not here, because a store has none of it: the registration of devices, remote notifications.
@Suite struct SkygearRecordTests {
  static let list = RecordType("list") { $0.text("title") }
  static let todo = RecordType("todo") {
    $0.text("title")
    $0.integer("order")
    $0.boolean("done")
    $0.texts("tags")
    $0.reference("list", to: list, onDelete: .cascade)
  }
  static let restaurant = RecordType("restaurant") { $0.text("name") }
  static let order = RecordType("order") {
    $0.integer("table")
    $0.reference("resturant", to: restaurant)
  }
  static let parent = RecordType("parent") {
    $0.text("name")
    $0.reference("home", to: list)
  }
  static let child = RecordType("child") {
    $0.reference("parent", to: parent)
    $0.reference("teacher", to: Reference.identities)
  }
  static let note = RecordType("note") { $0.text("title") }

  let scratch: Scratch
  var store: MessageStore { scratch.store }
  var todo: RecordType { Self.todo }

  init() throws {
    scratch = try Scratch()
    let home = Self.id("list", "home")
    let work = Self.id("list", "work")
    try store.declare(
      Self.list, Self.todo, Self.restaurant, Self.order, Self.parent, Self.child, Self.note)
    try store.write { tx in
      try tx.save(Record(Self.list, name: "home", ["title": "Home"]))
      try tx.save(Record(Self.list, name: "work", ["title": "Work"]))
      let todos: [(String, Metadata)] = [
        ("pay", ["title": "Pay the rent", "order": 3, "done": true, "list": .reference(home)]),
        (
          "call",
          ["title": "Call Café Noir", "order": 1, "tags": ["phone", "urgent"], "list": .reference(work)]
        ),
        ("write", ["title": "write it down", "order": 2, "done": false, "list": .reference(work)]),
        ("rest", ["title": "Rest", "order": 12, "tags": ["later"]]),
        ("100%", ["title": "100% done", "order": 5, "tags": ["urgent"], "list": .reference(home)]),
      ]
      for (name, fields) in todos { try tx.save(Record(Self.todo, name: name, fields)) }
    }
  }

  static func id(_ type: String, _ name: String) -> Record.ID { Record.ID(type: type, name: name) }

  /// Asks each spelling of a question for todos.
  private func todos(
    _ spellings: [Query<Record>], _ names: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try store.answers(spellings, names.map { Self.id("todo", $0) }, sourceLocation: sourceLocation)
  }

  /// The question as a text, with arguments, for todos.
  private func text(_ format: String, _ arguments: (any Sendable)?...) throws -> Query<Record> {
    todo.filter(try QueryPredicate(format: format, arguments: arguments))
  }

  // MARK: Basic Queries

  /// "We have shown how to fetch individual records by ids."
  @Test func recordsByIdentifiers() throws {
    let found = try store.records(["write", "none", "pay"].map { Self.id("todo", $0) })
    #expect(found.map(\.id.name) == ["write", "pay"])
    #expect(try store.record(Self.id("todo", "rest"))?["title"] == "Rest")
  }

  /// `queryWithRecordType:@"todo" predicate:nil`, sorted by `order`, ascending.
  @Test func todosInTheirOrder() throws {
    let query = todo.order { $0.order }
    try todos(
      [
        query, todo.order { $0.order.ascending }, todo.order { $0.order.number },
        try todo.order([SortKey("order")]), try text("TRUEPREDICATE").order([SortKey("order")]),
      ], ["call", "write", "pay", "100%", "rest"])
    let results = try store.fetch(query)
    #expect(results.count == 5)
    #expect(
      results.map { $0["title"]?.textValue } == [
        "Call Café Noir", "write it down", "Pay the rent", "100% done", "Rest",
      ])
  }

  // MARK: Conditions

  /// "Basic Comparisons", a heading without text. A missing value passes `!=`, and no other comparison.
  @Test func basicComparisons() throws {
    try todos([todo.filter { $0.order == 3 }, text("order = 3"), text("order = %@", 3)], ["pay"])
    try todos(
      [todo.filter { $0.order != 3 }, text("order != 3"), text("order <> %@", 3)],
      ["call", "write", "rest", "100%"])
    try todos([todo.filter { $0.order < 3 }, text("order < 3")], ["call", "write"])
    try todos([todo.filter { $0.order <= 3 }, text("order <= 3")], ["pay", "call", "write"])
    try todos([todo.filter { $0.order > 3 }, text("order > 3")], ["rest", "100%"])
    try todos([todo.filter { $0.order >= 3 }, text("order >= 3")], ["pay", "rest", "100%"])
    try todos([todo.filter { $0.done }, text("done"), text("done = YES")], ["pay"])
    try todos([todo.filter { $0.done == false }, text("done = FALSE")], ["write"])
    try todos([todo.filter { $0.list == nil }, text("list = nil"), text("list = %@", nil)], ["rest"])
    try todos(
      [
        todo.filter { !$0.done && ($0.order < 3 || $0.order > 10) },
        text("NOT done && (order < 3 || order > 10)"),
      ],
      ["call", "write", "rest"])
  }

  /// "Strings", a heading without text. A sign of a pattern in the user's text is a text again behind a backslash.
  @Test func strings() throws {
    try todos([todo.filter { $0.title.beginsWith("W") }, text("title BEGINSWITH 'W'")], [])
    try todos(
      [todo.filter { $0.title.beginsWith("W", .caseInsensitive) }, text("title BEGINSWITH[c] 'W'")], ["write"]
    )
    try todos([todo.filter { $0.title.endsWith("done") }, text("title ENDSWITH 'done'")], ["100%"])
    try todos(
      [
        todo.filter { $0.title.contains("cafe", [.caseInsensitive, .diacriticInsensitive]) },
        text("title CONTAINS[cd] 'cafe'"),
      ], ["call"])
    try todos([todo.filter { $0.title.like("%re_t") }, text("title LIKE '%re_t'")], ["pay", "rest"])
    try todos([todo.filter { $0.title.like("100\\%%") }, text("title LIKE %@", "100\\%%")], ["100%"])
  }

  /// `attribute IN %@`
  @Test func valuesOfACollection() throws {
    let collection = [1, 5, 7]
    try todos(
      [
        todo.filter { $0.order.in(collection) }, text("order IN %@", collection),
        text("order IN {1, 5, 7}"),
      ], ["call", "100%"])
    try todos(
      [todo.filter { $0.order.notIn(collection) }, text("order NOT IN %@", collection)],
      ["pay", "write", "rest"])
  }

  /// `%@ IN attribute`, of a key with a list.
  @Test func aValueInAList() throws {
    try todos(
      [
        todo.filter { $0.tags.list.contains("urgent") }, todo.filter { $0.tags == "urgent" },
        text("%@ IN tags", "urgent"), text("'urgent' IN tags"),
      ], ["call", "100%"])
  }

  /// `resturant = %@`, of a reference. The record that it names need not be there.
  @Test func ordersOfARestaurant() throws {
    let mine = Self.id("restaurant", "my resturant")
    try store.write { tx in
      try tx.save(Record(Self.restaurant, name: "my resturant", ["name": "Mine"]))
      for (number, place) in ["my resturant", "other", "my resturant"].enumerated() {
        try tx.save(
          Record(
            Self.order, name: "o\(number)",
            ["table": .integer(Int64(number)), "resturant": .reference(Self.id("restaurant", place))]))
      }
    }
    let ids = ["o0", "o2"].map { Self.id("order", $0) }
    try store.answers(
      [
        Self.order.filter { $0.resturant == mine },
        Self.order.filter(try QueryPredicate(format: "resturant = %@", mine)),
        Self.order.filter(
          try QueryPredicate(format: "resturant = REFERENCE('restaurant', 'my resturant')")),
        // By a key path through the reference.
        Self.order.filter { $0.resturant.name == "Mine" },
        Self.order.filter(try QueryPredicate(format: "resturant.name = 'Mine'")),
      ], ids)
  }

  // MARK: Pagination and Ordering

  /// `_updated_at`, descending. What was saved in one write has one date: the latest created comes first.
  @Test func latestChangesFirst() throws {
    let before = try #require(try store.record(Self.id("todo", "call"))?.updatedTimestamp)
    var changed = before
    while changed <= before {
      changed = try #require(
        try store.write { tx in
          try tx.update(Self.id("todo", "call")) { $0["note"] = $0["note"] == "a" ? "b" : "a" }
        }.updatedTimestamp)
    }
    try todos(
      [todo.order { $0.updatedAt.descending }, try todo.order([SortKey("-updatedAt")])],
      ["call", "100%", "rest", "write", "pay"])
  }

  /// `query.limit = 10` and `query.offset = 5`: the rows of SQL, the offset first.
  @Test func limitAndOffset() throws {
    try store.write { tx in
      for number in 0..<18 { try tx.save(Record(Self.note, name: "n\(number)")) }
    }
    let notes = (0..<18).map { Self.id("note", "n\($0)") }
    let query = Self.note.query
    try store.answers([query.limit(10)], Array(notes[..<10]))
    try store.answers([query.offset(5)], Array(notes[5...]))
    try store.answers([query.limit(10).offset(5), query.offset(5).limit(10)], Array(notes[5..<15]))
    try store.answers([query.offset(0).limit(nil)], notes)
    try store.answers([query.offset(15).limit(10)], Array(notes[15...]))
    try store.answers([query.offset(18)], [])
  }

  /// `overallCount`: all matches, whatever the limit and the offset, of the same state as the rows.
  @Test func overallCount() throws {
    let query = todo.filter { $0.order < 10 }.order { $0.order }
    let page = try store.page(query.offset(1).limit(2))
    #expect(page.objects.map(\.id.name) == ["write", "pay"])
    #expect(page.totalCount == 4 && page.rowsBefore == 1 && page.rowsAfter == 1)
    #expect(try store.count(query) == 4 && store.recordCount(of: todo) == 5)
  }

  // MARK: Relational Queries

  /// "Eager Loading": `transientIncludes = @{@"parentRecord": keyPath}`, with a second key. What is missing is not there.
  @Test func eagerLoading() throws {
    try store.write { tx in
      try tx.put(Identity(userID: "bob", displayName: "Bob"))
      try tx.save(Record(Self.parent, name: "ann", ["home": .reference(Self.id("list", "home"))]))
      let children: [(String, Metadata)] = [
        (
          "c1",
          [
            "parent": .reference(Self.id("parent", "ann")),
            "teacher": .reference(Reference("bob" as Identity.ID)),
          ]
        ), ("c2", ["parent": .reference(Self.id("parent", "gone"))]), ("c3", [:]),
        ("c4", ["parent": .reference(Self.id("parent", "ann"))]),
      ]
      for (name, fields) in children { try tx.save(Record(Self.child, name: name, fields)) }
    }
    let query = Self.child.query.including(\.parent, as: "parentRecord").including(\.teacher)
    let children = try store.fetch(query)
    #expect(children.map(\.id.name) == ["c1", "c2", "c3", "c4"])
    let parents = children.map { $0.included("parentRecord", as: Record.self)?.id.name }
    #expect(parents == ["ann", nil, nil, "ann"])
    #expect(children.map { $0.included(\.parent)?.id.name } == parents)
    #expect(children[0].included("teacher", as: Identity.self)?.displayName == "Bob")
    // A key path may lead through several references.
    let farther = try store.fetch(Self.child.query.including(\.parent.home, as: "home"))
    #expect(farther.map { $0.included("home", as: Record.self)?["title"] } == ["Home", nil, nil, "Home"])
    let home = Self.child.filter { $0.parent.home.title == "Home" }
    try store.answers([home], ["c1", "c4"].map { Self.id("child", $0) })
  }

  /// "Reference Actions [not implemented]: ON DELETE CASCADE TBC". Skygear's server refuses instead, as a field without an action does.
  @Test func referenceActions() throws {
    try store.write { tx in try tx.delete(Self.id("list", "work")) }
    try todos([todo.query], ["pay", "rest", "100%"])
    try store.write { tx in
      try tx.save(Record(Self.parent, name: "ann"))
      try tx.save(Record(Self.child, name: "c", ["parent": .reference(Self.id("parent", "ann"))]))
    }
    let error = failure(.referenced) { try store.write { try $0.delete(Self.id("parent", "ann")) } }
    #expect(error?.context["object"] == "parent/ann" && error?.context["record"] == "c")
    let child = RecordType("child") {
      $0.reference("parent", to: Self.parent, onDelete: .nullify)
      $0.reference("teacher", to: Reference.identities)
    }
    try store.declare(child)
    try store.write { try $0.delete(Self.id("parent", "ann")) }
    #expect(try store.record(Self.id("child", "c"))?.fields.isEmpty == true)
    try expectSound(store)
  }
}

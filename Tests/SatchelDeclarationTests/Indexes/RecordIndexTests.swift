import Foundation
import Satchel
import SatchelScenes
import SatchelStorage
import TestSupport
import Testing

/// Indexes that an application declares on the records of a type: what they find, how they are kept, and how they come and go.
@Suite struct RecordIndexTests {
  static let list = RecordType("list") { $0.text("title") }
  static let todo = RecordType("todo") {
    $0.text("title")
    $0.integer("order")
    $0.boolean("done")
    $0.texts("tags")
    $0.reference("list", to: list, onDelete: .cascade)
    $0.reference("about", onDelete: .nullify)
  }
  /// A type whose records have the same fields.
  static let note = RecordType("note") { $0.boolean("done") }
  static let work = Reference(type: "list", name: "work")
  static let open = Index(named: "open", on: todo, where: { $0.done == false }) {
    [$0.list, $0.order.descending]
  }

  static func id(_ number: Int) -> Record.ID { Record.ID(type: "todo", name: "t\(number)") }

  static func store(_ count: Int = 300) throws -> MessageStore {
    let store = try Scratch().store
    try fill(store, count)
    return store
  }

  static func fill(_ store: MessageStore, _ count: Int) throws {
    try store.declare(list, todo, note)
    try store.write { tx in
      for name in ["home", "work"] { try tx.save(Record(list, name: name, ["title": .text(name)])) }
      for number in 0..<count {
        try save(number, tx)
        if number % 10 == 0 { try tx.save(Record(note, name: "n\(number)", fields(number))) }
      }
    }
  }

  static func save(_ number: Int, _ tx: WriteTransaction) throws {
    try tx.save(
      Record(todo, name: "t\(number)", owner: number % 3 == 0 ? "bob" : nil, fields(number)))
  }

  private static func fields(_ number: Int) -> Metadata {
    [
      "title": .text("title \(number % 50)"), "order": .integer(Int64(number * 7 % 100)),
      "done": .boolean(number % 5 == 0), "tags": .list(["t\(number % 4)", "all"]),
      "list": .reference(number % 2 == 0 ? work : Reference(type: "list", name: "home")),
    ]
  }

  @Test func anIndexFindsWhatItsColumnsSayInItsOrder() throws {
    let store = try Self.store()
    try store.declare(Self.open)
    #expect(try store.indexes().map(\.isComplete) == [true])
    #expect(try store.indexes().map(\.entries) == [240])
    let all = Self.todo.filter { $0.done == false }
    let ordered = all.order { ($0.list, $0.order.descending) }
    for query in [
      ordered, ordered.limit(20), ordered.limit(20).offset(150),
      all.order { ($0.list.descending, $0.order) }.limit(9),
      Self.todo.filter { $0.done == false && $0.list == Self.work }.order { $0.order.descending },
      Self.todo.filter { $0.done == false && $0.list == Self.work && $0.order > 40 }.order { $0.order },
    ] {
      try expectSame(query, as: Self.open, store)
    }
    #expect(try store.count(Self.todo.filter { $0.done == false && $0.list == Self.work }) == 120)
    try expectSound(store)
  }

  @Test func nothingLeadsThroughAReference() throws {
    let store = try Self.store(20)
    for index in [
      Index(named: "x", on: Self.todo) { [$0.list.title] },
      Index(named: "x", on: Self.todo, where: { $0.list.title == "work" }) { [$0.order] },
    ] {
      let error = failure(.unsupportedPredicate) { try store.declare(index) }
      #expect(error?.context["property"] == "list.title" && error?.context["index"] == "x")
    }
    failure(.unqueryableProperty) { try store.declare(Index(named: "x", on: Self.todo) { [$0.about.title] }) }
    #expect(try store.indexes().isEmpty)
    try store.declare(Index(named: "x", on: Self.todo) { [$0.plan.x] })
    #expect(try store.indexes().map(\.entries) == [20])
  }

  /// `each` in the place of `list` is the name of a field, and would be one of a dictionary.
  @Test func nothingStandsBelowADeclaredField() throws {
    let store = try Self.store(20)
    for (index, field, declared) in [
      (Index(named: "x", on: Self.todo) { [$0.tags.each] }, "tags", "texts"),
      (Index(named: "x", on: Self.todo) { [$0.done, $0.order.below.descending] }, "order", "integer"),
      (Index(named: "x", on: Self.todo, where: { $0.title.below != "a" }) { [$0.order] }, "title", "text"),
      (Index(named: "x", on: Self.todo, wordsOf: { $0.title.below }), "title", "text"),
    ] {
      let error = failure(.unqueryableProperty) { try store.declare(index) }
      #expect(error?.context["field"] == field && error?.context["declared"] == declared, "\(error!)")
      #expect(error?.context["index"] == "x", "\(error!)")
      #expect(error?.context["expected"]?.contains("each tags") == (field == "tags"), "\(error!)")
    }
    let aggregate = Aggregate(named: "y", counting: Self.todo.query, groupedBy: { $0.done.below })
    let error = failure(.unqueryableProperty) { try store.declare(aggregate) }
    #expect(error?.context["property"] == "done.below" && error?.context["aggregate"] == "y")
    #expect(try store.indexes().isEmpty && store.aggregates().isEmpty)
    try store.declare(Index(named: "x", on: Self.todo) { [$0.tags.list] })
    // Elements, and each list as a whole.
    #expect(try store.indexes().map { $0.entries > 20 } == [true])
  }

  /// An index is of one type: another with the same fields is not asked by it, and has one of its own.
  @Test func eachTypeHasItsOwnIndexes() throws {
    let store = try Self.store()
    try store.declare(Self.open)
    let notes = Self.note.filter { $0.done == false }.order { ($0.list, $0.order.descending) }
    #expect(try store.explain(notes).paths.allSatisfy { $0.index != "open" })
    #expect(try store.fetch(notes).isEmpty)
    let index = Index(named: "notes", on: Self.note, where: { $0.done == true }) { [$0.order] }
    try store.declare(index)
    #expect(try store.indexes().map(\.entries) == [240, 30])
    try expectSame(Self.note.filter { $0.done == true }.order { $0.order }, as: index, store)
    #expect(
      try store.explain(Self.todo.filter { $0.done == true }.order { $0.order }).paths.allSatisfy {
        $0.index != "notes"
      })
    try expectSound(store)
  }

  @Test func whatEveryRecordHasIsAColumn() throws {
    let store = try Self.store(60)
    for (index, query) in [
      (
        Index(named: "owners", on: Self.todo) { [$0.owner, $0.identifier.descending] },
        Self.todo.filter { $0.owner == "bob" }.order { $0.identifier.descending }
      ),
      (
        Index(named: "dates", on: Self.todo) { [$0.createdBy, $0.createdAt, $0.title] },
        Self.todo.filter { $0.createdBy == "alice" }.order { ($0.createdAt, $0.title) }
      ),
      (
        Index(named: "changes", on: Self.todo, where: { $0.owner == "bob" }) { [$0.updatedAt, $0.order] },
        Self.todo.filter { $0.owner == "bob" }.order { ($0.updatedAt, $0.order) }
      ),
      (
        Index(named: "tags", on: Self.todo) { [$0.tags.list, $0.order] },
        Self.todo.filter { $0.tags.list.contains("t1") }.order { $0.order.descending }
      ),
    ] {
      try store.declare(index)
      try expectSame(query, as: index, store)
      try expectSound(store)
    }
    #expect(try store.indexes().map(\.entries) == [60, 60, 20, 180])
  }

  @Test func aPageReadsItsOwnRecordsAndACountNone() throws {
    let store = try Self.store()
    try store.declare(Self.open)
    let page = Self.todo.filter { $0.done == false }.order { ($0.list, $0.order.descending) }.limit(20)
      .offset(90)
    let (found, read, counted) = try store.read { snapshot in
      let found = try snapshot.fetch(page).count
      let read = snapshot.base.metrics.recordsRead
      _ = try snapshot.count(page)
      return (found, read, snapshot.base.metrics.recordsRead - read)
    }
    #expect(found == 20 && read <= 20 && counted == 0)
  }

  @Test func changesOfRecordsChangeTheirEntries() throws {
    let store = try Self.store()
    try store.declare(Self.open)
    try store.declare(Index(named: "about", on: Self.todo, where: { $0.about != nil }) { [$0.about] })
    try store.declare(Index(named: "edits", on: Self.todo) { [$0.updatedAt, $0.extra.step] })
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      try tx.receive([.text("x")], in: "c", from: "bob", id: "m")
    }
    try store.write { tx in
      for number in 0..<4 { try tx.update(Self.id(number)) { $0["about"] = .reference(Message.ID("m")) } }
      try tx.update(Self.id(1)) { $0["done"] = true }
      try tx.update(Self.id(5)) { $0["done"] = false }
      try tx.update(Self.id(6)) { $0["done"] = nil }
      try tx.update(Self.id(7)) { $0["extra"] = ["step": 3] }
      try tx.delete(Self.id(8))
      for number in 300..<340 { try Self.save(number, tx) }
      #expect(try tx.count(Self.todo.filter { $0.done == false }) == 270)
    }
    #expect(try store.indexes().map(\.entries) == [270, 4, 339])
    try expectSound(store)
    // A reference that is nullified leaves its index, and a record that goes with its list all of them.
    try store.write { try $0.delete("m" as Message.ID) }
    #expect(try store.indexes().map(\.entries) == [270, 0, 339])
    try store.write { try $0.delete(Record.ID(type: "list", name: "work")) }
    let left = try store.count(Self.todo.query)
    #expect(
      try store.indexes().map(\.entries) == [store.count(Self.todo.filter { $0.done == false }), 0, left])
    #expect(left < 200)
    try expectSound(store)
  }

  /// With more records than a declaration looks at, an index is built in many steps, between which others write; a process may end at any.
  @Test func aLargeIndexIsBuiltInSteps() throws {
    var random = SeededGenerator(for: #function)
    let directory = try TemporaryDirectory()
    let path = directory.url.appendingPathComponent("store")
    var store = try StoreToIndex.open(path)
    try Self.fill(store, 2500)
    try store.declare(Self.open)
    let query = Self.todo.filter { $0.done == false }.order { ($0.list, $0.order.descending) }
    var (next, steps, last) = (2500, 0, 0.0)
    while try store.indexes().contains(where: { !$0.isComplete }) {
      steps += 1
      try #require(steps < 1000)
      #expect(try store.explain(query).paths.allSatisfy { $0.index != "open" })
      let progress = try store.indexes()[0].progress
      #expect((0...1).contains(progress))
      last = max(last, progress)
      try store.write { tx in
        for _ in 0..<3 {
          let id = Self.id(random.below(next))
          switch random.below(4) {
          case 0:
            try Self.save(next, tx)
            next += 1
          case 1: try? tx.delete(id)
          case 2: _ = try? tx.update(id) { $0["done"] = .boolean(random.oneIn(2)) }
          default: _ = try? tx.update(id) { $0["order"] = .integer(Int64(random.below(9))) }
          }
        }
      }
      try StoreToIndex.step(store, 60)
      if steps % 8 == 0 { try expectSound(store) }
      if steps % 5 == 0 {
        store.close()
        store = try StoreToIndex.open(path)
      }
    }
    #expect(steps > 5 && last > 0.5)
    try expectSound(store)
    let found = try store.fetch(query).map(\.id)
    store.close()
    try StoreToIndex.repair(path)
    store = try StoreToIndex.open(path)
    #expect(try store.indexes().map(\.entries) == [found.count])
    #expect(try store.fetch(query).map(\.id) == found)
    try expectSound(store)
    try expectSame(query, as: Self.open, store, isLarge: true)
    store.close()
  }
}

extension RecordIndexTests {
  /// A path into a dictionary of an undeclared field would go through a reference from then on, and the index or aggregate would have another
  /// meaning than a query of the same path.
  @Test func noFieldBecomesAReferenceThatADeclaredPathLeadsThrough() throws {
    let store = try Scratch().store
    try store.declare(RecordType("task"))
    let index = Index(
      named: "prices", kind: .records, recordType: "task", unique: true,
      columns: [IndexColumn(["price", "value"])])
    let withPrice = RecordType("task") { $0.reference("price") }
    try store.declare(index)
    let error = #expect(throws: SatchelError.self) { try store.declare(withPrice) }
    #expect(error?.code == .recordTypeDiffers)
    #expect(error?.context["property"] == "price.value")
    // A field of another type goes on as it was, and so does one beside the path.
    try store.declare(RecordType("task") { $0.reference("list") })
    try store.dropIndex(named: "prices")
    let aggregate = AggregateDescription(
      name: "dear", kind: .records, recordType: "task",
      predicate: try QueryPredicate(format: "price.value = 1"))
    try store.declare(aggregate)
    let refused = #expect(throws: SatchelError.self) { try store.declare(withPrice) }
    #expect(refused?.code == .recordTypeDiffers && refused?.context["property"] == "price.value")
    try store.dropAggregate(named: "dear")
    try store.declare(withPrice)
    #expect(
      try store.types().first { $0.type.name == "task" }?.type.fields.map(\.name).sorted() == [
        "list", "price",
      ])
  }
}

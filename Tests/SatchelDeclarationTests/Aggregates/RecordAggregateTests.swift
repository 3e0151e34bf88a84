import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Numbers that the store keeps of the records of a type.
@Suite struct RecordAggregateTests {
  private static let list = RecordType("list") { $0.text("title") }
  private static let todo = RecordType("todo") {
    $0.boolean("done")
    $0.number("cost")
    $0.reference("list", to: list, onDelete: .cascade)
    $0.reference("about", onDelete: .nullify)
  }
  private static let work = Reference(type: "list", name: "work")
  private static let home = Reference(type: "list", name: "home")
  private static let open = Aggregate(
    named: "open", counting: todo.filter { $0.done == false }, groupedBy: { $0.list.reference })
  private static let costs = Aggregate(
    named: "costs", summing: { $0.cost.number }, of: todo.query, groupedBy: { $0.owner })
  private static let least = Aggregate(named: "least", minimum: { $0.cost.number }, of: todo.query)
  private static let last = Aggregate(
    named: "last", maximum: { $0.about.reference }, of: todo.query, groupedBy: { $0.list.reference })
  private static let lists = Aggregate(named: "lists", counting: list.query)

  private static func id(_ name: String) -> Record.ID { Record.ID(type: "todo", name: name) }

  private static func store() throws -> MessageStore {
    let store = try Scratch().store
    try store.declare(list, todo)
    try store.declare(open)
    try store.declare(costs)
    try store.declare(least)
    try store.declare(last)
    try store.declare(lists)
    return store
  }

  @Test func groupsFollowWhatIsSavedChangedAndDeleted() throws {
    let store = try Self.store()
    #expect(try store.values(of: Self.open).isEmpty && store.value(of: Self.least) == nil)
    try store.write { tx in
      for name in ["home", "work"] { try tx.save(Record(Self.list, name: name)) }
      for (number, list) in [Self.work, Self.work, Self.home].enumerated() {
        try tx.save(
          Record(
            Self.todo, name: "t\(number)", owner: number == 0 ? "bob" : nil,
            ["done": false, "cost": .number(0.1), "list": .reference(list)]))
      }
      try tx.save(Record(Self.todo, name: "loose", ["done": false, "cost": 2]))
      #expect(try tx.value(of: Self.open, for: Self.work) == 2)
    }
    #expect(
      try store.values(of: Self.open) == [
        .init(group: nil, value: 1), .init(group: Self.home, value: 1), .init(group: Self.work, value: 2),
      ])
    #expect(try store.value(of: Self.costs, for: "bob") == 0.1)
    #expect(try store.value(of: Self.costs, for: "alice") == 2.2)
    #expect(try store.value(of: Self.least) == 0.1 && store.value(of: Self.lists) == 2)
    try expectSound(store)
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      try tx.receive([.text("x")], in: "c", from: "bob", id: "m")
      try tx.update(Self.id("t0")) { $0["done"] = true }
      try tx.update(Self.id("t1")) { $0["about"] = .reference(Message.ID("m")) }
      try tx.update(Self.id("t2")) { record in
        record["list"] = .reference(Self.work)
        record["cost"] = -1
        record["about"] = .reference(Self.id("t1"))
      }
      try tx.delete(Self.id("loose"))
    }
    #expect(try store.values(of: Self.open) == [.init(group: Self.work, value: 2)])
    #expect(try store.value(of: Self.least) == -1)
    #expect(try store.value(of: Self.last, for: Self.work) == Self.id("t1"))
    try expectSound(store)
    // What is nullified leaves the maximum, and what goes with its list every number.
    try store.write { try $0.delete(Self.id("t1")) }
    #expect(try store.value(of: Self.last, for: Self.work) == nil)
    try store.write { try $0.delete(Record.ID(type: "list", name: "work")) }
    #expect(try store.values(of: Self.open).isEmpty && store.values(of: Self.costs).isEmpty)
    #expect(try store.value(of: Self.lists) == 1)
    try expectSound(store)
  }

  @Test func definitionsNameTheirType() throws {
    let store = try Self.store()
    #expect("\(Self.open)" == "open: todo where done = FALSE by list")
    #expect(
      try store.aggregates() == [
        Self.open.untyped, Self.costs.untyped, Self.least.untyped, Self.last.untyped, Self.lists.untyped,
      ])
    let other = Aggregate(named: "lists", counting: Self.todo.query)
    let conflict = failure(.aggregateExists) { try store.declare(other) }
    #expect(conflict?.context["declaredKind"] == "list")
    failure(.aggregateExists) { _ = try store.value(of: other) }
    let unknown = failure(.unknownRecordType) {
      try store.declare(Aggregate(named: "x", counting: RecordType("tood").query))
    }
    #expect(unknown?.context["declared"] == "list todo" && unknown?.context["aggregate"] == "x")
    let untyped = failure(.invalidValue) { try store.declare(Aggregate(named: "x", counting: Record.all)) }
    #expect(untyped?.message.contains("names their type") == true)
    failure(.invalidValue) {
      try store.write {
        try $0.declare(AggregateDescription(name: "x", kind: .messages, recordType: "todo"))
      }
    }
    #expect(try store.aggregates().count == 5)
  }

  /// What a record refers to may change without it, so that no number follows from it.
  @Test func nothingLeadsThroughAReference() throws {
    let store = try Self.store()
    let nothing = try store.aggregates()
    for aggregate in [
      AggregateDescription(
        name: "x", kind: .records, recordType: "todo",
        predicate: try QueryPredicate(format: "list.title = 'a'")),
      AggregateDescription(name: "x", kind: .records, recordType: "todo", group: ["list", "title"]),
      AggregateDescription(
        name: "x", kind: .records, recordType: "todo", measure: .maximum(of: ["list", "title"])),
    ] {
      let error = failure(.unsupportedPredicate) { try store.write { try $0.declare(aggregate) } }
      #expect(error?.context["property"] == "list.title" && error?.context["aggregate"] == "x")
    }
    // Into a dictionary of the record itself it may lead, and to nothing behind a reference to any type.
    failure(.unqueryableProperty) {
      try store.write {
        try $0.declare(
          AggregateDescription(name: "x", kind: .records, recordType: "todo", group: ["about", "x"]))
      }
    }
    #expect(try store.aggregates() == nothing)
    try store.write {
      try $0.declare(
        AggregateDescription(name: "x", kind: .records, recordType: "todo", group: ["plan", "x"]))
    }
    #expect(try store.aggregates().count == nothing.count + 1)
  }

  @Test(.timeLimit(.minutes(5))) func totalsFollowRandomWrites() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    let store = try Self.store()
    try store.write { tx in
      for name in ["a", "b", "c"] { try tx.save(Record(Self.list, name: name)) }
    }
    for round in 0..<TestEnvironment.rounds(60) {
      try store.write { tx in
        for _ in 0..<(1 + random.below(random.oneIn(20) ? 300 : 8)) { try Self.change(tx, &random) }
        if random.oneIn(8) { try tx.read { try Self.compare($0, "seed \(seed), inside write \(round)") } }
      }
      try store.read { try Self.compare($0, "seed \(seed), write \(round)") }
      if round % 20 == 0 { try expectSound(store) }
    }
    try expectSound(store)
  }

  private static func change(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    let id = Self.id("t\(random.below(60))")
    switch random.below(12) {
    case 0: if try tx.record(id) != nil { try tx.delete(id) }
    case 1:
      let list = Record.ID(type: "list", name: random.pick(["a", "b", "c"]))
      if try tx.record(list) == nil {
        try tx.save(Record(id: list))
      } else if random.oneIn(6) {
        try tx.delete(list)
      }
    default:
      var record = Record(id: id, owner: random.pick(["bob", "carol"]))
      record["list"] = .reference(Reference(type: "list", name: random.pick(["a", "b", "c"])))
      record["done"] = .boolean(random.oneIn(2))
      record["cost"] = random.pick([nil, .integer(7), .number(0.1), .number(-2.5)] as [MetadataValue?])
      if random.oneIn(3) { record["about"] = .reference(Self.id("t\(random.below(60))")) }
      try tx.save(record)
    }
  }

  /// What is kept is what the records come to, one by one.
  private static func compare(_ snapshot: StoreSnapshot, _ place: String) throws {
    let all = try snapshot.fetch(todo.query)
    var counts: [Reference?: Int] = [:]
    var lasts: [Reference?: Reference] = [:]
    for record in all {
      let list = reference(record["list"])
      if record["done"] == false { counts[list, default: 0] += 1 }
      guard let about = reference(record["about"]) else { continue }
      let isLater = lasts[list].map { $0.name.utf8.lexicographicallyPrecedes(about.name.utf8) }
      if isLater ?? true { lasts[list] = about }
    }
    for value in try snapshot.values(of: open) {
      #expect(counts.removeValue(forKey: value.group) == value.value, "\(place): \(value)")
    }
    #expect(counts.isEmpty, "\(place): \(counts)")
    for value in try snapshot.values(of: last) {
      #expect(lasts.removeValue(forKey: value.group) == value.value, "\(place): \(value)")
    }
    #expect(lasts.isEmpty, "\(place): \(lasts)")
    #expect(try snapshot.value(of: least) == all.compactMap(cost).min(), "\(place)")
    #expect(try snapshot.value(of: lists) == snapshot.count(list.query), "\(place)")
    for owner in ["bob", "carol"] as [Identity.ID] {
      let expected = all.filter { $0.owner == owner }.compactMap(cost).reduce(0, +)
      #expect(abs(try snapshot.value(of: costs, for: owner) - expected) < 1e-6, "\(place): \(owner)")
    }
  }

  private static func reference(_ value: MetadataValue?) -> Reference? {
    if case .reference(let reference)? = value { reference } else { nil }
  }

  private static func cost(_ record: Record) -> Double? {
    switch record["cost"] {
    case .integer(let cost)?: Double(cost)
    case .number(let cost)?: cost
    default: nil
    }
  }
}

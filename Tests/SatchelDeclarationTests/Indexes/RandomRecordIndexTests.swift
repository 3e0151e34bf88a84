import Satchel
import SatchelExecution
import SatchelPlanning
import SatchelScenes
import TestSupport
import Testing

/// Random indexes over records that are written at random: every way to the answer of a query gives the same records in the same order.
@Suite struct RandomRecordIndexTests {
  private static let types = [RecordType("task"), RecordType("note")]
  private static let fields = ["a", "b", "c"]

  private static func value(_ random: inout SeededGenerator) -> MetadataValue {
    switch random.below(12) {
    case 0, 1, 2: .integer(Int64(random.below(4)))
    case 3: .number(Double(random.below(4)) / 2)
    case 4: .text(random.pick(["", "x", "y", "\u{e9}", "e\u{301}", "x\u{0}"]))
    case 5: .boolean(random.oneIn(2))
    case 6: .date(Timestamp(microseconds: Int64(random.below(3))))
    case 7: .list((0..<random.below(3)).map { _ in random.pick(["x", "y"]) })
    case 8: .dictionary(["k": .integer(Int64(random.below(2)))])
    default: .reference(reference(&random))
    }
  }

  private static func reference(_ random: inout SeededGenerator) -> Reference {
    Reference(type: random.pick(["task", "messages"]), name: random.pick(["r", "r1", "s"]))
  }

  private static func write(_ tx: WriteTransaction, _ random: inout SeededGenerator) throws {
    let id = Record.ID(type: random.pick(types).name, name: "n\(random.below(40))")
    if random.oneIn(5) {
      if try tx.record(id) != nil { try tx.delete(id) }
      return
    }
    var record = Record(id: id, owner: random.pick(["bob", "carol", nil] as [Identity.ID?]))
    for field in fields where !random.oneIn(4) { record[field] = value(&random) }
    try tx.save(record)
  }

  private static let conditions: [@Sendable (RecordFields, inout SeededGenerator) -> QueryPredicate] = [
    { fields, _ in fields.a == 1 }, { fields, _ in fields.b == nil }, { fields, _ in fields.a != nil },
    { fields, random in fields.b == reference(&random) },
    { fields, random in fields.a.in([reference(&random), reference(&random)]) },
    { fields, _ in fields.c.list.contains("x") }, { fields, _ in fields.a == "x" },
    { fields, _ in fields.b > 0.5 }, { fields, _ in fields.b < "y" }, { fields, _ in fields.c == true },
    { fields, _ in fields.owner == "bob" }, { fields, _ in fields.identifier >= "n2" },
    { fields, _ in fields.a.date == Timestamp(microseconds: 1) }, { fields, _ in fields.b != 2 },
  ]

  private static func predicate(_ most: Int, _ random: inout SeededGenerator) -> QueryPredicate {
    (0..<random.below(most + 1)).reduce(QueryPredicate.true) { predicate, _ in
      let condition = conditions[random.below(conditions.count)](Record.fields, &random)
      return predicate == .true ? condition : predicate && condition
    }
  }

  private static func columns(_ random: inout SeededGenerator) -> [IndexColumn] {
    let paths = (fields + ["owner", "identifier"]).shuffled(using: &random).prefix(1 + random.below(3))
    let elements = random.oneIn(3) ? paths.first { fields.contains($0) } : nil
    return paths.map { IndexColumn([$0], descending: random.oneIn(2), isOfElements: $0 == elements) }
  }

  private static func index(_ number: Int, _ random: inout SeededGenerator) -> Index {
    Index(
      named: "index \(number)", kind: .records, recordType: random.pick(types).name,
      where: random.oneIn(2) ? predicate(1, &random) : .true, columns: columns(&random))
  }

  private static func query(_ random: inout SeededGenerator, like index: Index) -> Query<Record> {
    // Most questions ask for objects of the index.
    let isAlike = !random.oneIn(3)
    let type = isAlike ? RecordType(index.recordType ?? "") : random.pick(types)
    let others = predicate(isAlike ? 2 : 3, &random)
    let wanted = !isAlike || index.predicate == .true ? others : index.predicate && others
    var query = type.filter(wanted)
    let isReversed = random.oneIn(2)
    var sort = index.columns.map { SortKey($0.path, descending: $0.descending != isReversed) }
    sort = Array(sort.dropFirst(random.below(sort.count + 1)))
    query = query.order(sort)
    return random.oneIn(3) ? query.limit(1 + random.below(6)).offset(random.below(4)) : query
  }

  @Test(.timeLimit(.minutes(5))) func everyPathGivesTheSame() throws {
    let seed = TestEnvironment.seed()
    var random = SeededGenerator(seed: seed)
    var (compared, used) = (0, 0)
    for round in 0..<TestEnvironment.rounds(8) {
      let store = try Scratch().store
      try store.declare(Self.types[0], Self.types[1])
      try store.write { tx in for _ in 0..<40 { try Self.write(tx, &random) } }
      let indexes = (0..<6).map { Self.index($0, &random) }
      for index in indexes { try store.declare(index) }
      for step in 0..<12 {
        try store.write { tx in for _ in 0..<(1 + random.below(8)) { try Self.write(tx, &random) } }
        try store.read { snapshot in
          for _ in 0..<12 {
            let query = Self.query(&random, like: indexes[random.below(indexes.count)])
            let place = "seed \(seed), round \(round), step \(step): \(query)"
            let (paths, declared) = try Self.compare(query, snapshot, place)
            compared += paths
            used += declared
          }
        }
      }
      try expectSound(store)
    }
    #expect(compared > 500 && used > 100, "seed \(seed): \(compared) paths, \(used) of declared indexes")
  }

  /// Compares what each path gives with what the first one does, which tests every record.
  /// - Returns: The number of paths, and how many of them read a declared index.
  private static func compare(
    _ query: Query<Record>, _ snapshot: StoreSnapshot, _ place: String
  ) throws -> (paths: Int, declared: Int) {
    let executor = snapshot.executor
    let plan = try executor.plan(executor.question(query.untyped), exhaustive: true)
    let counts = try executor.plan(executor.question(query.untyped, isCount: true), exhaustive: true)
    func rows(_ plan: Plan) throws -> [RowReference] {
      var rows: [RowReference] = []
      try executor.forEach(plan) { row in
        rows.append(row)
        return true
      }
      return rows
    }
    let expected = try rows(plan.choosing(0))
    var declared = 0
    for (number, path) in plan.paths.enumerated() {
      if case .textScan(let scan) = path.source, scan.declaredIndex != nil { declared += 1 }
      #expect(try rows(plan.choosing(number)) == expected, "\(place): \(plan.summaries[number].access)")
    }
    for number in counts.paths.indices {
      let count = try executor.count(counts.choosing(number))
      #expect(count == expected.count, "\(place): count by \(counts.summaries[number].access)")
    }
    #expect(try snapshot.fetch(query).map(\.id).count == expected.count, "\(place)")
    return (plan.paths.count, declared)
  }
}

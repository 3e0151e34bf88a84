import TestSupport
import Testing

@Suite("Generated paths through references, and deletions of what records refer to")
struct ReferenceGeneratorTests {
  private static func model(_ seed: UInt64) -> ReferenceModel {
    ReferenceModel(user: SampleData.user, lines: SampleData.generated(seed: seed))
  }

  /// How many references a path leads through, and the type of the last object; nil of none.
  private static func steps(
    of path: PropertyPath, from type: ByteString, in snapshot: Snapshot
  ) -> (count: Int, target: String)? {
    var (type, count) = (type, 0)
    for name in path.components.dropLast() {
      guard let target = snapshot.types[type]?.fields[name]?.target else { break }
      (type, count) = (target, count + 1)
    }
    return count == 0 ? nil : (count, type.string)
  }

  @Test func everyOperatorIsAskedForBehindReferences() throws {
    let snapshot = Self.model(1).snapshot
    var generator = QueryGenerator(snapshot, seed: 3)
    var operations: [ValueType: Set<Predicate.Operation>] = [:]
    var quantifiers = Set<Predicate.Quantifier>()
    var missing = Set<ValueType>()
    var pairs = Set<Predicate.Operation>()
    func leads(_ path: PropertyPath) -> Bool { Self.steps(of: path, from: "todo", in: snapshot) != nil }
    for _ in 0..<16_000 {
      generator.start(.records("todo"))
      let predicate = try generator.predicate()
      var comparisons: [Predicate.Comparison] = []
      predicate.visitComparisons { comparisons.append($0) }
      for comparison in comparisons where leads(comparison.path) {
        let type = try snapshot.column(of: .records("todo"), comparison.path).type
        if comparison.operand == .null {
          missing.insert(type)
        } else {
          operations[type, default: []].insert(comparison.operation)
        }
        if let quantifier = comparison.quantifier { quantifiers.insert(quantifier) }
      }
      predicate.visitPairs { pair, _ in
        if leads(pair.left) || leads(pair.right) { pairs.insert(pair.operation) }
      }
    }
    let ordered: Set<Predicate.Operation> = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .notIn, .between,
    ]
    for type in [ValueType.custom, .exact] {
      #expect(operations[type] == Set(Predicate.Operation.allCases), "\(type)")
    }
    #expect(operations[.text] == Set(Predicate.Operation.allCases).subtracting([.related]))
    for type in [ValueType.number, .date] { #expect(operations[type] == ordered, "\(type)") }
    for type in [ValueType.boolean, .status, .transfer] {
      #expect(operations[type] == [.equal, .notEqual, .isIn, .notIn], "\(type)")
    }
    #expect(operations[.users] == [.equal, .notEqual, .isIn, .notIn, .contains, .related])
    #expect(operations[.dictionary] == [.equal, .notEqual])
    #expect(quantifiers == Set(Predicate.Quantifier.allCases))
    #expect(missing.count == 10, "\(missing)")
    #expect(pairs == ordered.subtracting([.between]))
  }

  @Test func aQuarterOfTheQueriesForRecordsFollowsReferences() throws {
    let snapshot = Self.model(1).snapshot
    var generator = QueryGenerator(snapshot, seed: 3)
    var (queries, following) = (0, 0)
    var reached = Set<String>()
    var orders = Set<String>()
    let targets = ["list", "todo", "messages", "conversations", "identities"]
    let all = Set((1...3).flatMap { count in targets.map { "\(count) \($0)" } })
    var asked = 0
    // What is rare comes later; what never comes is told after ten times as many.
    while asked < 24_000 || (reached != all && asked < 240_000) {
      asked += 1
      let query = try generator.next()
      guard case .records(let type) = ObjectKind(rawValue: query.kind) else { continue }
      queries += 1
      var paths: [PropertyPath] = []
      if let predicate = try query.predicate.map(PredicateParser.parse) {
        predicate.visitComparisons { paths.append($0.path) }
        predicate.visitPairs { pair, _ in paths += [pair.left, pair.right] }
      }
      for key in try query.sort.map({ try SortKey($0) })
      where Self.steps(of: key.path, from: type, in: snapshot) != nil {
        paths.append(key.path)
        orders.insert(
          "\(key.isDescending ? "descending" : "ascending") \(query.sort.count > 1 ? "beside" : "alone")")
        if query.offset != nil { orders.insert("offset") }
        if query.limit != nil { orders.insert("limit") }
      }
      if let path = try query.countedBy.map({ try SortKey($0).path }),
        Self.steps(of: path, from: type, in: snapshot) != nil
      {
        paths.append(path)
        orders.insert("groups")
      }
      let steps = paths.compactMap { Self.steps(of: $0, from: type, in: snapshot) }
      for step in steps { reached.insert("\(step.count) \(step.target)") }
      if !steps.isEmpty { following += 1 }
    }
    #expect((20...33).contains(following * 100 / queries), "\(following) of \(queries)")
    #expect(reached == all)
    #expect(
      orders == [
        "ascending alone", "ascending beside", "descending alone", "descending beside", "offset", "limit",
        "groups",
      ])
  }

  @Test func anchorsStandInOrdersThroughReferences() throws {
    let snapshot = Self.model(1).snapshot
    var generator = QueryGenerator(snapshot, seed: 4)
    var kinds = Set<String>()
    for _ in 0..<4_000 {
      let query = try generator.nextAnchored()
      guard case .records(let type) = ObjectKind(rawValue: query.kind), let anchor = query.anchor else {
        continue
      }
      for key in try query.sort.map({ try SortKey($0) })
      where Self.steps(of: key.path, from: type, in: snapshot) != nil {
        switch anchor {
        case .after: kinds.insert("after")
        case .before: kinds.insert("before")
        case .around: kinds.insert("around")
        case .aroundDate: kinds.insert("around a date")
        }
      }
    }
    #expect(kinds == ["after", "before", "around", "around a date"])
  }

  /// Of random writes some are refused as a whole, and by some records lose fields or go.
  @Test func deletionsRestrictNullifyAndCascade() throws {
    let model = Self.model(1)
    var changes = ChangeGenerator(model, seed: 1)
    var (refused, deleted, nullified) = (0, 0, 0)
    for _ in 0..<100 {
      let before = model.state
      let records = model.records
      for _ in 0..<10 { try? model.apply(changes.next().line) }
      do throws(ReferenceModel.Restriction) {
        let consequences = try model.settle(isImport: false)
        deleted += consequences.deleted
        nullified += consequences.nullified
      } catch {
        refused += 1
        #expect(!error.references.isEmpty)
        model.state = before
        #expect(model.records == records)
      }
    }
    #expect(refused > 3 && deleted > 3 && nullified > 10, "\(refused), \(deleted), \(nullified)")
  }

  /// By hand: a write that is refused, one that deletes what restricts as well, and one that cascades and takes fields away.
  @Test func whatBecomesOfRecordsFollowsTheActions() throws {
    func settled(_ lines: String...) throws -> (ReferenceModel, ReferenceModel.Consequences) {
      let model = SampleData.model()
      for line in lines { try model.apply("{\"kind\":\"delete\",\"record\":\(line)}") }
      return (model, try model.settle(isImport: false))
    }
    let first = ModelReference(type: "todo", name: "t1")
    let second = ModelReference(type: "todo", name: "t2")
    let refusal = #expect(throws: ReferenceModel.Restriction.self) {
      _ = try settled(#"["todo","t1"]"#)
    }
    #expect(refusal?.references == [.init(record: second, field: "after", object: first)])
    let (alone, none) = try settled(#"["todo","t1"]"#, #"["todo","t3"]"#, #"["todo","t2"]"#)
    #expect(none == .init() && alone.records[second] == nil)
    // t1 and t2 are in the list, and t3, which is not, comes after t2.
    #expect(throws: ReferenceModel.Restriction.self) { _ = try settled(#"["list","work"]"#) }
    let (model, both) = try settled(#"["todo","t3"]"#, #"["list","work"]"#)
    #expect(both == .init(deleted: 2, nullified: 1))
    #expect(model.records[first] == nil && model.records[second] == nil)
    let home = model.records[ModelReference(type: "list", name: "home")]
    #expect(home != nil && home?.values["parent"] == nil && home?.values["chief"] != nil)
  }
}

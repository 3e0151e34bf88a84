import SatchelModel
package import SatchelPlanning
package import SatchelQuery
package import SatchelReading

/// Answers questions from one snapshot: plans them, runs the plans, and gives references to the rows in order.
package final class Executor {
  package let snapshot: Snapshot
  /// Remembers the paths that the store's questions have taken; nil inside a write.
  private var memory: PlanMemory? { (snapshot.companion as? ReadCompanion)?.plans }

  /// How many questions are being planned: one, and those that its planning asks.
  private var planning = 0
  /// What the planning has found so far.
  var plannedReferences = PlannedReferences()

  package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Checks a query and turns it into a question.
  /// - Throws: ``SatchelError`` for a query that cannot be asked.
  package func question(_ query: QueryDescription, isCount: Bool = false) throws -> Question {
    guard (query.limit ?? 0) >= 0, query.offset >= 0 else {
      throw SatchelError(
        .invalidValue, "A limit or offset is 0 or more",
        ["limit": query.limit.map(String.init) ?? "none", "offset": String(query.offset)])
    }
    switch query.anchor {
    case .around(_, let before, let after)?, .aroundDate(_, let before, let after)?:
      guard before >= 0, after >= 0 else {
        throw SatchelError(.invalidValue, "The rows before and after an anchor are 0 or more")
      }
    default: break
    }
    guard query.membersOf == nil || query.kind == .identities else {
      throw SatchelError(
        .invalidValue, "The members of a conversation are identities",
        ["kind": query.kind.rawValue, "expected": ObjectKind.identities.rawValue])
    }
    let recordType = try recordType(of: query)
    // What comes along has no part in which results there are; yet one query is right or wrong whatever is asked of it.
    let queried = try queriedType(of: query)
    if recordType == nil {
      _ = try query.resolvedInclusions()
    } else {
      _ = try query.recordInclusions(of: queried)
    }
    let normalizer = Normalizer(queried, user: Identity.ID(snapshot.user))
    let condition: Condition
    do { condition = try normalizer.condition(for: query.predicate) } catch let error as SatchelError
      where error.code == .invalidValue
    {
      // Of a declared field there is more to say, its type.
      try checkDeclaredFields(query.predicate, of: query.kind, ofRecords: recordType?.type)
      throw error
    }
    var question = Question(
      kind: query.kind, condition: condition,
      sort: try normalizer.sort(for: query.sort), limit: query.limit, offset: query.offset,
      anchor: query.anchor,
      // Which results lie beyond an anchor depends on the order, which a plan for a mere count ignores.
      isCount: isCount && query.anchor == nil, text: (isCount ? "count " : "") + query.description)
    // Whatever the plan, and whether there is anything to test.
    if question.condition.asksForRelations { _ = try snapshot.recordType(of: .relations) }
    try checkDeclaredFields(query.predicate, of: query.kind, ofRecords: recordType?.type)
    if question.asksForOwnStates { question.condition = question.condition.settlingOwnFlags() }
    question.membersOf = query.membersOf
    if let recordType {
      question.recordType = recordType.id
      try question.nameObjects(in: query.predicate, of: recordType.type, normalizer, snapshot.names(of:))
    }
    return question
  }

  /// Returns what a query asks for.
  /// - Throws: ``SatchelError`` for a record type that is not declared, or not named.
  package func queriedType(of query: QueryDescription) throws -> QueriedType {
    guard let type = try recordType(of: query)?.type else {
      return QueriedType(
        query.kind, keepsOwnStates: try snapshot.recordType(named: OwnState.recordType) != nil)
    }
    return QueriedType(type, among: try snapshot.recordTypes().map(\.type))
  }

  /// Returns the type whose records a query asks for; nil if it asks for other objects.
  private func recordType(of query: QueryDescription) throws -> DeclaredRecordType? {
    switch (query.kind, query.recordType) {
    case (.records, let name?): return try snapshot.existingRecordType(name)
    case (.records, nil):
      throw SatchelError(
        .invalidValue, "A query for records names their type: use the query that the record type gives",
        ["declared": try snapshot.recordTypes().map(\.type.name).joined(separator: " ")])
    case (_, let name?):
      throw SatchelError(
        .invalidValue, "Only a query for records names a record type",
        ["kind": query.kind.rawValue, "recordType": name])
    case (_, nil): return nil
    }
  }

  /// Plans a question.
  /// - Parameter exhaustive: True for a plan with every path; see ``Planner``.
  package func plan(_ question: Question, exhaustive: Bool = false) throws -> Plan {
    planning += 1
    defer {
      planning -= 1
      if planning == 0, plannedReferences.count > 0 { plannedReferences = PlannedReferences() }
    }
    return try Planner(source: SnapshotPlanningSource(self, for: question), memory: memory).plan(
      question, exhaustive: exhaustive)
  }

  /// Returns the number of results of a plan, with limit and offset applied.
  package func count(_ plan: Plan) throws -> Int {
    let question = plan.question
    guard question.anchor == nil else {
      if let count = try countBesideAnchor(plan) { return count }
      var count = 0
      try forEach(plan) { _ in
        count += 1
        return true
      }
      return count
    }
    let all = try countAll(plan)
    return min(max(0, all - question.offset), question.limit ?? .max)
  }

  private func countAll(_ plan: Plan) throws -> Int {
    let path = plan.path
    if path.countsByRanges { return path.cardinality }
    let question = plan.question
    let enough = question.limit.flatMap { limit in
      let (sum, overflow) = limit.addingReportingOverflow(question.offset)
      return overflow ? nil : sum
    }
    var count = 0
    try RowFilter(source(of: plan).withoutPlaces).forEach { _ in
      count += 1
      return enough.map { count < $0 } ?? true
    }
    return count
  }

  /// Calls `body` with the results of a plan, in order, until it returns false. Rows are held only for a sort, and for
  /// an anchor that asks for rows before or around an object or a date.
  package func forEach(_ plan: Plan, _ body: (RowReference) throws -> Bool) throws {
    guard let anchor = plan.question.anchor else {
      try run(plan, body)
      return
    }
    try forEach(plan, anchoredAt: anchor, body)
  }

  // MARK: Running

  func source(of plan: Plan) -> RowSource {
    RowSource(
      snapshot: snapshot, path: plan.path, kind: plan.question.kind,
      tieDescending: plan.question.tieDescending)
  }

  /// Runs a plan from the start of its order, or from a starting point in it.
  /// - Parameter sorting: False to give the rows as they are read if no index has the order.
  func run(
    _ plan: Plan, from start: StartingPoint? = nil, sorting: Bool = true,
    _ body: (RowReference) throws -> Bool
  ) throws {
    let question = plan.question
    guard question.limit != 0 else { return }
    let path = plan.path
    let cut = start.flatMap { $0.cut(of: path) }
    if sorting, path.ordering == .sort || (start != nil && cut == nil) {
      try runSorting(plan, from: start, body)
      return
    }
    // An offset that the scan seeks costs O(log n); otherwise the rows before it are read and left out.
    let seeks = path.seeksOffset
    var limit = Limit(skipping: seeks ? 0 : question.offset, count: question.limit)
    try RowFilter(source(of: plan)).forEach(
      skipping: seeks ? question.offset : 0, from: cut,
      atMost: path.residual.isAlways ? question.limit : nil
    ) { row in
      try limit.pass { try body(row.reference) }
    }
  }

  private func runSorting(
    _ plan: Plan, from start: StartingPoint?, _ body: (RowReference) throws -> Bool
  ) throws {
    let question = plan.question
    let reader = SortKeyReader(question.sort, of: question.kind, on: plan.path.index, in: snapshot)
    let order = RowOrder(question)
    let bound = question.limit.flatMap { limit in
      let (sum, overflow) = limit.addingReportingOverflow(question.offset)
      return overflow ? nil : sum
    }
    var sort = Sort(order, atMost: bound)
    try RowFilter(source(of: plan)).forEach { row in
      let sortRow = try reader.row(&row)
      if start?.admits(sortRow, order) ?? true { sort.insert(sortRow) }
      return true
    }
    for row in try sort.sorted(in: snapshot).dropFirst(question.offset).prefix(question.limit ?? .max) {
      guard try body(row.reference) else { return }
    }
  }
}

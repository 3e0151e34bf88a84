package import SatchelCoding
import SatchelIndexing
import SatchelModel
package import SatchelPlanning
import SatchelQuery
import SatchelReading

/// A question whose results are wanted group by group: how many each group has, or its first one.
package struct GroupedQuestion {
  /// How the groups are found.
  enum Way {
    /// From runs of an index that have them one after the other: no object is looked at but the first of each.
    case runs(GroupScan)
    /// From runs of the values of a property; objects without one are the rest if these are all that have one.
    case values(TextScan, isAll: Bool)
    /// In one pass over all results.
    case pass(Plan)
  }

  let question: Question
  let grouping: CompiledGrouping
  let executor: Executor
  private var snapshot: Snapshot { executor.snapshot }

  package init(_ question: Question, by grouping: CompiledGrouping, _ executor: Executor) {
    self.question = question
    self.grouping = grouping
    self.executor = executor
  }

  // MARK: Counts

  /// Returns how many results each group has.
  /// - Complexity: O(log n) for each group if the results are runs of an index that have the groups one after the other. Otherwise the
  ///   results are read one by one.
  package func counts() throws -> [AggregateGroup: Int] {
    switch try way() {
    case .runs(let scan):
      var tally = GroupTally(question.kind, by: grouping, on: scan.index, in: snapshot)
      try GroupScanner(scan, periods: grouping.periods, in: snapshot).forEach { row, count in
        try tally.add(&row, count: count)
      }
      return tally.counts
    case .values(let scan, let isAll):
      var tally = GroupTally(question.kind, by: grouping, on: nil, in: snapshot)
      var missing = isAll ? try executor.count(executor.planOfAll(question)) : 0
      try TextGroupScanner(scan, periods: grouping.periods, in: snapshot).forEach { group, count in
        tally.add(count, to: group)
        missing -= count
      }
      if isAll, missing > 0 { tally.add(missing, to: .missing) }
      return tally.counts
    case .pass(let plan):
      var tally = GroupTally(
        question.kind, by: grouping, on: isWhole ? plan.path.index : nil, in: snapshot)
      try forEachRow(plan) { try tally.add(&$0) }
      return tally.counts
    }
  }

  // MARK: First results

  /// Returns the first result of each period, by date and then in the order of creation; that of the results without a date first, then
  /// by period.
  /// - Complexity: As `counts()`.
  package func firsts() throws -> [(period: Int64?, row: RowReference)] {
    var firsts: [Int64?: (date: Int64, row: RowReference)] = [:]
    func visitor(_ index: IndexDefinition?) -> (inout RowContext) throws -> Void {
      let date = PropertyReaders(snapshot: snapshot, kind: question.kind, index: index)
        .reader(of: grouping.property)
      let finder = grouping.periods.map { PeriodFinder($0) }
      return { row in
        let date = try date(&row).microseconds
        let found = (date: date ?? 0, row: row.reference)
        let period = date.map { finder?.stretch(of: $0).period ?? $0 }
        guard let known = firsts[period] else { return firsts[period] = found }
        if found < known { firsts[period] = found }
      }
    }
    switch try way() {
    case .runs(let scan):
      let visit = visitor(scan.index)
      try GroupScanner(scan, periods: grouping.periods, in: snapshot).forEach { row, _ in try visit(&row) }
    case .values:
      try forEachRow(executor.planOfAll(question), visitor(nil))
    case .pass(let plan): try forEachRow(plan, visitor(isWhole ? plan.path.index : nil))
    }
    return firsts.map { ($0.key, $0.value.row) }.sorted { left, right in
      guard let first = left.period else { return right.period != nil }
      return right.period.map { first < $0 } ?? false
    }
  }

  // MARK: Ways

  /// Whether all objects that meet the condition are results.
  private var isWhole: Bool {
    question.limit == nil && question.offset == 0 && question.anchor == nil && question.membersOf == nil
  }

  func way() throws -> Way {
    guard isWhole, !question.condition.isNever else { return .pass(try executor.plan(question)) }
    let enumerator = PathEnumerator(
      kind: question.kind, condition: question.condition,
      order: OrderMatcher(kind: question.kind, sort: []),
      source: SnapshotPlanningSource(executor, for: question), isCount: true)
    if let segment = grouping.segment(of: question.kind), let scan = try enumerator.groupScan(by: segment) {
      return .runs(scan)
    }
    if let (scan, isAll) = try enumerator.groupScan(byValuesOf: grouping.property) {
      return .values(scan, isAll: isAll)
    }
    return .pass(try executor.planOfAll(question))
  }

  /// Returns the plan by which the groups are found, with every path that was considered for a pass over the results; and whether its path
  /// has the results group by group.
  package func plan() throws -> (plan: Plan, areTogether: Bool) {
    let forest = snapshot.forest
    switch try way() {
    case .runs(let scan):
      let entries = try scan.spans.reduce(0) { try $0 + forest.count(scan.index.tree, in: $1.range) }
      let runs = IndexScan(index: scan.index, spans: scan.spans, fixedSegments: 0, entries: entries)
      return (plan(.scan(runs), entries), true)
    case .values(let scan, _):
      let entries = try scan.positions.reduce(0) { try $0 + forest.count(scan.tree, in: $1) }
      return (plan(.textScan(scan), entries), true)
    case .pass(let plan):
      let isAll = isWhole && !question.condition.isNever
      return (
        try isAll
          ? executor.planOfAll(question, exhaustive: true) : executor.plan(plan.question, exhaustive: true),
        false
      )
    }
  }

  private func plan(_ source: AccessPath.Source, _ entries: Int) -> Plan {
    let path = AccessPath(
      source: source, residual: .always, ordering: .index(descending: false), cardinality: entries,
      consumed: [])
    return Plan(question: question, paths: [path], chosen: 0)
  }

  private func forEachRow(_ plan: Plan, _ body: (inout RowContext) throws -> Void) throws {
    guard !isWhole else {
      return try RowFilter(executor.source(of: plan)).forEach { row in
        try body(&row)
        return true
      }
    }
    var context = RowContext()
    try executor.forEach(plan) { row in
      context.begin(row)
      try body(&context)
      return true
    }
  }
}

extension CompiledGrouping {
  /// What the objects of a group have in common in an index, and no objects of two groups; nil if no index has that.
  fileprivate func segment(of kind: ObjectKind) -> Segment? {
    guard kind == .messages else { return Segment(property, of: kind) }
    // What depends on the conversation or the sender is the same for all messages that have that one.
    if property.stripping(.conversation) != nil { return .conversation }
    return property.relations == [.sender] ? .sender : Segment(property, of: kind)
  }
}

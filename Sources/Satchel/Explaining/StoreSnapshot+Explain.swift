import SatchelExecution
import SatchelPlanning
import SatchelReading

extension StoreSnapshot {
  /// Returns the plan of an untyped query: every path considered, with its cardinality and cost, and the chosen path,
  /// which is the cheapest.
  ///
  /// A read does not always compare all paths as this function does: it takes the path that an earlier read of the same
  /// shape took, as long as that path costs at most 40 µs.
  /// - Parameters:
  ///   - query: The query to plan.
  ///   - type: What is asked for: objects, identifiers or their number. The plan may depend on it.
  ///   - running: True to run the query as well and report what that took.
  ///   - advising: True to look as well for an index that would answer the query at less cost, if it were declared: see
  ///     ``Explanation/advice``. That reads all objects of the kind, some times.
  /// - Throws: As ``fetch(_:)``.
  public func explain(
    _ query: QueryDescription, as type: ResultType = .objects, running: Bool = false, advising: Bool = false
  ) throws -> Explanation {
    try perform {
      try explained(query, as: type, running: running, advising ? advice(on: query, as: type) : nil)
    }
  }

  private func advice(on query: QueryDescription, as type: ResultType) throws -> IndexAdvice? {
    let plan = try executor.plan(executor.question(query, isCount: type == .count), exhaustive: true)
    return try executor.advice(on: plan).map { try IndexAdvice($0, instead: plan) }
  }

  private func explained(
    _ query: QueryDescription, as type: ResultType, running: Bool, _ advice: IndexAdvice?
  ) throws -> Explanation {
    let start = Measure(base)
    let plan = try executor.plan(executor.question(query, isCount: type == .count), exhaustive: true)
    guard running else { return Explanation(plan, placing: try placing(of: plan, type), advice: advice) }
    let planned = base.metrics.recordsRead
    var returned = 0
    switch type {
    case .count: returned = try executor.count(plan)
    case .identifiers:
      try executor.forEach(plan, inAnyOrder: query.isUnordered) { row in
        _ = try executor.identifier(of: row, query.kind)
        returned += 1
        return true
      }
    case .objects:
      let along = try Accompaniment(query, in: base)
      try executor.forEach(plan, inAnyOrder: query.isUnordered) { row in
        try read(row, query.kind, along)
        returned += 1
        return true
      }
    }
    let run = start.run(base, planned: planned, returned: returned)
    return Explanation(plan, placing: try placing(of: plan, type), run: run, advice: advice)
  }

  /// Returns how the results of an untyped query are counted by groups: from runs of an index that has them group by group, or in one pass
  /// over the results, by the cheapest of the paths that were considered.
  /// - Parameters:
  ///   - query: The query to plan.
  ///   - groups: What its results are counted by.
  ///   - running: True to count as well and report what that took; the number of groups is what is returned.
  /// - Throws: As `counts(of:by:)`.
  public func explain(
    _ query: QueryDescription, countedBy groups: GroupingDescription, running: Bool = false
  ) throws -> Explanation {
    try perform {
      let start = Measure(base)
      let grouping = try CompiledGrouping(groups, of: executor.queriedType(of: query))
      let grouped = GroupedQuestion(try executor.question(query), by: grouping, executor)
      let (plan, areTogether) = try grouped.plan()
      let name = (name: groups.description, areTogether: areTogether)
      guard running else { return Explanation(plan, placing: nil, by: name) }
      let planned = base.metrics.recordsRead
      let returned = try grouped.counts().count { $0.value != 0 }
      return Explanation(
        plan, placing: nil, by: name, run: start.run(base, planned: planned, returned: returned))
    }
  }

  private func placing(of plan: Plan, _ type: ResultType) throws -> Explanation.Placing? {
    type == .count ? nil : try executor.placesByRank(plan) ? .byRank : .byCount
  }

  /// Returns the plan of a query: every path considered, with its cardinality and cost, and the chosen path, which is
  /// the cheapest.
  ///
  /// A read does not always compare all paths as this function does: it takes the path that an earlier read of the same
  /// shape took, as long as that path costs at most 40 µs.
  /// - Parameters:
  ///   - query: The query to plan.
  ///   - type: What is asked for: objects, identifiers or their number. The plan may depend on it.
  ///   - running: True to run the query as well and report what that took.
  ///   - advising: True to look as well for an index that would answer the query at less cost, if it were declared: see
  ///     ``Explanation/advice``. That reads all objects of the kind, some times.
  /// - Throws: As ``fetch(_:)``.
  public func explain<Object: StoredObject>(
    _ query: Query<Object>, as type: ResultType = .objects, running: Bool = false, advising: Bool = false
  ) throws -> Explanation {
    try explain(query.untyped, as: type, running: running, advising: advising)
  }

  private func read(_ row: RowReference, _ kind: ObjectKind, _ along: Accompaniment) throws {
    let reader = ObjectReader(snapshot: self, reference: row, along: along)
    switch kind {
    case .conversations: _ = try Conversation.read(from: reader)
    case .messages: _ = try Message.read(from: reader)
    case .parts: _ = try MessagePart.read(from: reader)
    case .announcements: _ = try Announcement.read(from: reader)
    case .identities: _ = try Identity.read(from: reader)
    case .records: _ = try Record.read(from: reader)
    }
  }
}

/// What has been read, and when, before a query is planned.
private struct Measure {
  private let nodes: Int
  private let entries: Int
  private let records: Int
  private let start = ContinuousClock.now

  init(_ snapshot: Snapshot) {
    nodes = snapshot.forest.metrics.nodesRead
    entries = snapshot.forest.metrics.entriesRead
    records = snapshot.metrics.recordsRead
  }

  /// Returns what has been read since.
  /// - Parameter planned: The records that had been read when the query was planned.
  func run(_ snapshot: Snapshot, planned: Int, returned: Int) -> Explanation.Run {
    let duration = (ContinuousClock.now - start).components
    return Explanation.Run(
      nodesRead: snapshot.forest.metrics.nodesRead - nodes,
      entriesRead: snapshot.forest.metrics.entriesRead - entries,
      recordsRead: snapshot.metrics.recordsRead - planned, recordsReadPlanning: planned - records,
      returned: returned, seconds: Double(duration.seconds) + Double(duration.attoseconds) / 1e18)
  }
}

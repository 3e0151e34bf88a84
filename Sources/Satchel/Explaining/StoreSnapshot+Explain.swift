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
  /// - Throws: As ``fetch(_:)``.
  public func explain(
    _ query: QueryDescription, as type: ResultType = .objects, running: Bool = false
  ) throws -> Explanation {
    try perform { try explained(query, as: type, running: running) }
  }

  private func explained(_ query: QueryDescription, as type: ResultType, running: Bool) throws -> Explanation
  {
    let nodes = base.forest.metrics
    let records = base.metrics
    let clock = ContinuousClock()
    let start = clock.now
    let plan = try executor.plan(executor.question(query, isCount: type == .count), exhaustive: true)
    guard running else { return Explanation(plan, placing: try placing(of: plan, type)) }
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
    let duration = (clock.now - start).components
    let run = Explanation.Run(
      nodesRead: base.forest.metrics.nodesRead - nodes.nodesRead,
      entriesRead: base.forest.metrics.entriesRead - nodes.entriesRead,
      recordsRead: base.metrics.recordsRead - planned, recordsReadPlanning: planned - records.recordsRead,
      returned: returned,
      seconds: Double(duration.seconds) + Double(duration.attoseconds) / 1e18)
    return Explanation(plan, placing: try placing(of: plan, type), run: run)
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
  /// - Throws: As ``fetch(_:)``.
  public func explain<Object: StoredObject>(
    _ query: Query<Object>, as type: ResultType = .objects, running: Bool = false
  ) throws -> Explanation {
    try explain(query.untyped, as: type, running: running)
  }

  private func read(_ row: RowReference, _ kind: ObjectKind, _ along: Accompaniment) throws {
    let reader = ObjectReader(snapshot: self, reference: row, along: along)
    switch kind {
    case .conversations: _ = try Conversation.read(from: reader)
    case .messages: _ = try Message.read(from: reader)
    case .parts: _ = try MessagePart.read(from: reader)
    case .announcements: _ = try Announcement.read(from: reader)
    case .identities: _ = try Identity.read(from: reader)
    }
  }
}

import SatchelPlanning

extension StoreReading {
  /// Returns the plan of a query: every path considered, with its cardinality and cost, and the chosen path.
  /// - Parameters:
  ///   - query: The query to plan.
  ///   - type: What is asked for: objects, identifiers or their number. The plan may depend on it.
  ///   - running: True to run the query as well and report what that took.
  ///   - advising: True to look as well for an index that would help: see ``Explanation/advice``.
  /// - Throws: As `StoreSnapshot.fetch(_:)` and `read(_:)`.
  public func explain<Object: StoredObject>(
    _ query: Query<Object>, as type: ResultType = .objects, running: Bool = false, advising: Bool = false
  ) throws -> Explanation {
    try read { try $0.explain(query, as: type, running: running, advising: advising) }
  }
}

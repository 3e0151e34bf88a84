// The functions of `StoreReading+Groups.swift` in asynchronous form: they do not block the caller's actor.
extension MessageStore {
  /// Returns how many results of a query there are in each group: those without a value first, under `nil`, the other groups in ascending
  /// order. Groups without a result are left out.
  /// - Complexity: As `StoreSnapshot.counts(of:by:)`.
  /// - Throws: As `StoreSnapshot.counts(of:by:)`.
  public func counts<Object: StoredObject, Groups: Grouping>(
    of query: Query<Object>, by groups: @Sendable (Object.Fields) -> Groups
  ) async throws -> [GroupCount<Groups.GroupValue>] {
    let groups = groups(Object.fields)
    return try await read { try $0.counts(of: query, by: groups) }
  }

  /// Returns the first result of a query in each hour, day, week, month or year: see `StoreSnapshot.firsts(of:by:)`.
  /// - Complexity: As `StoreSnapshot.firsts(of:by:)`.
  /// - Throws: As ``StoreSnapshot/fetch(_:)``.
  public func firsts<Object: StoredObject>(
    of query: Query<Object>, by periods: @Sendable (Object.Fields) -> FieldTypes.Period
  ) async throws -> [FirstOfPeriod<Object>] {
    let periods = periods(Object.fields)
    return try await read { try $0.firsts(of: query, by: periods) }
  }

  /// Returns how the results of a query are counted by groups: from runs of an index that has them group by group, or in one pass over the
  /// results.
  /// - Parameters:
  ///   - query: The query to plan.
  ///   - groups: What its results are counted by.
  ///   - running: True to count as well and report what that took; the number of groups is what is returned.
  /// - Throws: As `StoreSnapshot.counts(of:by:)`.
  public func explain<Object: StoredObject, Groups: Grouping>(
    _ query: Query<Object>, countedBy groups: @Sendable (Object.Fields) -> Groups, running: Bool = false
  ) async throws -> Explanation {
    let groups = groups(Object.fields).grouping
    return try await read { try $0.explain(query.untyped, countedBy: groups, running: running) }
  }
}

import SatchelCoding
import SatchelExecution
import SatchelReading

extension StoreSnapshot {
  /// Returns how many results of a query there are in each group, with its limit, offset and anchor applied: those without a value first,
  /// under `nil`, the other groups in ascending order. Groups without a result are left out.
  ///
  /// Texts are grouped in NFC, and by their first 4,096 bytes. A list of metadata belongs to no group.
  /// - Complexity: O(log n) for each group if an index has the results group by group, such as messages by day, also of one sender or the
  ///   unread ones; by sender, by conversation and what depends on either; parts by MIME type; objects by a value of indexed metadata.
  ///   Otherwise, and with a limit, an offset or an anchor, the results are read one by one.
  /// - Throws: As ``fetch(_:)``; ``SatchelError`` `unsupportedSort` for a property that an object has several values of; `invalidValue` for
  ///   groups of metadata if some have values of another type.
  public func counts<Object: StoredObject, Groups: Grouping>(
    of query: Query<Object>, by groups: (Object.Fields) -> Groups
  ) throws -> [GroupCount<Groups.GroupValue>] {
    try counts(of: query, by: groups(Object.fields))
  }

  func counts<Object: StoredObject, Groups: Grouping>(
    of query: Query<Object>, by groups: Groups
  ) throws -> [GroupCount<Groups.GroupValue>] {
    try counts(of: query.untyped, by: groups.grouping).map { constant, count in
      if case .null = constant { return GroupCount(group: nil, count: count) }
      guard let group = Groups.GroupValue(groupConstant: constant) else {
        // Only metadata has values of several types.
        throw SatchelError(
          .invalidValue, "Some objects have a value of another type: count them without types",
          ["property": groups.grouping.description, "value": "\(constant)"])
      }
      return GroupCount(group: group, count: count)
    }
  }

  /// Returns how many results of an untyped query there are in each group: `null` first, the others in ascending order.
  /// - Complexity: As the typed form.
  /// - Throws: As the typed form, but groups may have values of several types; `unsupportedSort` for periods of what is no date.
  public func counts(of query: QueryDescription, by groups: GroupingDescription) throws -> [(
    group: QueryPredicate.Constant, count: Int
  )] {
    try perform {
      let grouping = try CompiledGrouping(groups, of: executor.queriedType(of: query))
      return try GroupedQuestion(executor.question(query), by: grouping, executor).counts()
        .filter { $0.value != 0 }.map { (bytes: $0.key.bytes, group: $0.key, count: $0.value) }
        .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        .map { ($0.group.constant(of: grouping.type), $0.count) }
    }
  }

  /// Returns the first result of a query in each hour, day, week, month or year: of those with the earliest date, the one that was created
  /// first. That of the results without a date comes first, then the periods follow in ascending order; those without a result are left
  /// out.
  /// - Complexity: As `counts(of:by:)`, and one record for each period.
  /// - Throws: As ``fetch(_:)``.
  public func firsts<Object: StoredObject>(
    of query: Query<Object>, by periods: (Object.Fields) -> FieldTypes.Period
  ) throws -> [FirstOfPeriod<Object>] {
    try firsts(of: query, by: periods(Object.fields))
  }

  func firsts<Object: StoredObject>(
    of query: Query<Object>, by periods: FieldTypes.Period
  ) throws -> [FirstOfPeriod<Object>] {
    try perform {
      let grouping = try CompiledGrouping(periods.grouping, of: executor.queriedType(of: query.untyped))
      let along = try Accompaniment(query.untyped, in: base)
      return try GroupedQuestion(executor.question(query.untyped), by: grouping, executor).firsts().map {
        let reader = ObjectReader(snapshot: self, reference: $0.row, along: along)
        return FirstOfPeriod(
          period: $0.period.map { Timestamp(microseconds: $0) }, object: try Object.read(from: reader))
      }
    }
  }

  /// Returns how the results of a query are counted by groups: from runs of an index that has them group by group, or in one pass over the
  /// results, by the cheapest of the paths that were considered.
  /// - Parameters:
  ///   - query: The query to plan.
  ///   - groups: What its results are counted by.
  ///   - running: True to count as well and report what that took; the number of groups is what is returned.
  /// - Throws: As `counts(of:by:)`.
  public func explain<Object: StoredObject, Groups: Grouping>(
    _ query: Query<Object>, countedBy groups: (Object.Fields) -> Groups, running: Bool = false
  ) throws -> Explanation {
    try explain(query.untyped, countedBy: groups(Object.fields).grouping, running: running)
  }
}

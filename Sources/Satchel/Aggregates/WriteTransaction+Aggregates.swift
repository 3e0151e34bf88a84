extension WriteTransaction {
  /// Makes the store keep an aggregate from now on. Does nothing if the same aggregate is declared already.
  ///
  /// All objects are counted before the transaction commits, which takes as long as a query for them; meanwhile other
  /// writers wait, readers do not.
  /// - Parameters:
  ///   - aggregate: What is counted, added up or has a minimum or a maximum, and by what it is grouped.
  ///   - replacing: True to replace a different aggregate of the same name.
  /// - Throws: ``SatchelError`` `aggregateExists` if a different aggregate has the name; `invalidValue` for a name or a
  ///   query that an aggregate cannot have; `unknownRecordType` with the types that are declared, for records of another
  ///   one; `unqueryableProperty`, `unsupportedPredicate` or `unsupportedSort`. Nothing has changed then.
  public func declare<Object, Group, Value>(
    _ aggregate: Aggregate<Object, Group, Value>, replacing: Bool = false
  ) throws {
    try aggregate.check()
    try declare(aggregate.untyped, replacing: replacing)
  }

  /// Makes the store keep an aggregate without types from now on.
  /// - Parameters:
  ///   - aggregate: What is counted, added up or has a minimum or a maximum, and by what it is grouped.
  ///   - replacing: True to replace a different aggregate of the same name.
  /// - Throws: As for an aggregate with types.
  public func declare(_ aggregate: AggregateDescription, replacing: Bool = false) throws {
    try perform {
      // Checked here, because a predicate that is too large would not survive being stored as text.
      _ = try Normalizer(kind: aggregate.kind, user: writer.user).condition(for: aggregate.predicate)
      try writer.declare(aggregate.entry, replacing: replacing)
    }
  }

  /// Removes the aggregate with a name and its values.
  /// - Complexity: O(groups).
  /// - Throws: ``SatchelError`` `unknownAggregate`; nothing has changed then.
  public func dropAggregate(named name: String) throws {
    try perform { try writer.dropAggregate(named: Array(name.utf8)) }
  }
}

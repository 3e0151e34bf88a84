extension WriteTransaction {
  /// Makes the store keep an aggregate from now on. Does nothing if the same aggregate is declared already.
  ///
  /// All objects are counted before the transaction commits, which takes as long as a query for them; meanwhile other
  /// writers wait, readers do not.
  /// - Parameters:
  ///   - aggregate: What is counted or added up, and by what it is grouped.
  ///   - replacing: True to replace a different aggregate of the same name.
  /// - Throws: ``SatchelError`` `aggregateExists` if a different aggregate has the name; `invalidValue` for a name or a
  ///   query that an aggregate cannot have; `unqueryableProperty`, `unsupportedPredicate` or `unsupportedSort`. Nothing
  ///   has changed then.
  public func declare<Object, Group>(_ aggregate: Aggregate<Object, Group>, replacing: Bool = false) throws {
    try aggregate.check()
    try declare(aggregate.untyped, replacing: replacing)
  }

  /// Makes the store keep an aggregate without types from now on.
  /// - Parameters:
  ///   - aggregate: What is counted or added up, and by what it is grouped.
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

  /// Returns the value of a group of an aggregate, including what the transaction has changed so far; 0 if there is no
  /// such group.
  /// - Parameters:
  ///   - aggregate: A declared aggregate.
  ///   - group: The group; nil for the group of the objects without a value.
  /// - Complexity: O(log n), and O(changed objects) once after each change.
  /// - Throws: As `StoreSnapshot.value(of:for:)`.
  public func value<Object, Group>(of aggregate: Aggregate<Object, Group>, for group: Group?) throws -> Int {
    try read { try $0.value(of: aggregate, for: group) }
  }

  /// Returns the value of an aggregate without groups, including what the transaction has changed so far.
  /// - Complexity: O(log n), and O(changed objects) once after each change.
  /// - Throws: As `StoreSnapshot.value(of:for:)`.
  public func value<Object>(of aggregate: Aggregate<Object, Never>) throws -> Int {
    try read { try $0.value(of: aggregate) }
  }
}

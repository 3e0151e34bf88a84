import SatchelStorage

extension WriteTransaction {
  /// Has the store keep an aggregate from now on. One that is declared in the same way already stays as it is.
  ///
  /// All objects are counted before the transaction commits, in the time of a query for them; other writers wait for it,
  /// readers do not.
  /// - Parameter replacing: True to put it in the place of another one of the same name.
  /// - Throws: ``SatchelError`` `aggregateExists` where the name stands for something else; `invalidValue` for a name
  ///   or query that cannot be one; `unqueryableProperty`, `unsupportedPredicate` or `unsupportedSort`.
  public func declare<Object, Group>(_ aggregate: Aggregate<Object, Group>, replacing: Bool = false) throws {
    try aggregate.check()
    try declare(aggregate.untyped, replacing: replacing)
  }

  /// Has the store keep an aggregate from now on.
  public func declare(_ aggregate: AggregateDescription, replacing: Bool = false) throws {
    try perform {
      // One that is too large does not survive being written down.
      _ = try Normalizer(kind: aggregate.kind, user: writer.user).condition(for: aggregate.predicate)
      try writer.declare(aggregate.entry, replacing: replacing)
    }
  }

  /// Forgets the aggregate of a name and what it has counted.
  /// - Throws: ``SatchelError`` `unknownAggregate`.
  public func dropAggregate(named name: String) throws {
    try perform { try writer.dropAggregate(named: Array(name.utf8)) }
  }

  /// What a group of an aggregate comes to, with what the transaction has changed so far.
  public func value<Object, Group>(of aggregate: Aggregate<Object, Group>, for group: Group?) throws -> Int {
    try read { try $0.value(of: aggregate, for: group) }
  }

  /// What an aggregate without groups comes to, with what the transaction has changed so far.
  public func value<Object>(of aggregate: Aggregate<Object, Never>) throws -> Int {
    try read { try $0.value(of: aggregate) }
  }
}

extension MessageStore {
  /// Makes the store keep an aggregate from now on, in a write of its own; see
  /// `WriteTransaction.declare(_:replacing:)`. If the same aggregate is declared already, only reads.
  /// - Parameters:
  ///   - aggregate: What is counted, added up or has a minimum or a maximum, and by what it is grouped.
  ///   - replacing: True to replace a different aggregate of the same name.
  /// - Complexity: That of a query for the objects that count.
  /// - Throws: As `WriteTransaction.declare(_:replacing:)`; and as a write.
  public func declare<Object, Group, Value>(
    _ aggregate: Aggregate<Object, Group, Value>, replacing: Bool = false
  ) throws {
    try aggregate.check()
    if try read({ try $0.isDeclared(aggregate.untyped) }) { return }
    try write { try $0.declare(aggregate, replacing: replacing) }
  }

  /// Makes the store keep an aggregate without types from now on, in a write of its own. If the same aggregate is
  /// declared already, only reads.
  /// - Parameters:
  ///   - aggregate: What is counted, added up or has a minimum or a maximum, and by what it is grouped.
  ///   - replacing: True to replace a different aggregate of the same name.
  /// - Throws: As `WriteTransaction.declare(_:replacing:)`; and as a write.
  public func declare(_ aggregate: AggregateDescription, replacing: Bool = false) throws {
    if try read({ try $0.isDeclared(aggregate) }) { return }
    try write { try $0.declare(aggregate, replacing: replacing) }
  }

  /// Removes the aggregate with a name and its values, in a write of its own.
  /// - Complexity: O(groups).
  /// - Throws: ``SatchelError`` `unknownAggregate`; and as a write.
  public func dropAggregate(named name: String) throws { try write { try $0.dropAggregate(named: name) } }
}

extension StoreSnapshot {
  /// Returns whether exactly this aggregate is declared.
  func isDeclared(_ aggregate: AggregateDescription) throws -> Bool {
    try aggregates().contains(aggregate)
  }
}

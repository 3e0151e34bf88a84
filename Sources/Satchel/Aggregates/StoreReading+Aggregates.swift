// Values of aggregates. Inside a write they include what it has changed so far, at O(changed objects) once after each change.
extension StoreReading {
  /// Returns the value of a group of an aggregate; 0 if there is no such group.
  /// - Parameters:
  ///   - aggregate: A declared aggregate.
  ///   - group: The group; nil for the group of the objects without a value.
  /// - Complexity: O(log n).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name; and as `read(_:)`.
  public func value<Object, Group>(of aggregate: Aggregate<Object, Group>, for group: Group?) throws -> Int {
    try read { try $0.value(of: aggregate, for: group) }
  }

  /// Returns the value of an aggregate without groups.
  /// - Complexity: O(log n).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name; and as `read(_:)`.
  public func value<Object>(of aggregate: Aggregate<Object, Never>) throws -> Int {
    try read { try $0.value(of: aggregate) }
  }

  /// Returns all groups of an aggregate whose value is not 0: `nil` first, the others in ascending order.
  /// - Complexity: O(groups).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name; and as `read(_:)`.
  public func values<Object, Group>(of aggregate: Aggregate<Object, Group>) throws -> [AggregateValue<Group>]
  {
    try read { try $0.values(of: aggregate) }
  }

  /// Returns the aggregates that are declared, in the order of their declarations.
  /// - Throws: ``SatchelError`` `syntaxError` if a newer version declared one that this version cannot read; and as `read(_:)`.
  public func aggregates() throws -> [AggregateDescription] { try read { try $0.aggregates() } }
}

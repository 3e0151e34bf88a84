// Values of aggregates. Inside a write they include what it has changed so far, at O(changed objects) once after each change.
extension StoreReading {
  /// Returns the value of a group of an aggregate. Where nothing counts it is 0, or nil if it is a minimum or a maximum.
  /// - Parameters:
  ///   - aggregate: A declared aggregate.
  ///   - group: The group; nil for the group of the objects without a value.
  /// - Complexity: O(log n).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name; and as `read(_:)`.
  public func value<Object, Group, Value>(
    of aggregate: Aggregate<Object, Group, Value>, for group: Group?
  ) throws -> Value {
    try read { try $0.value(of: aggregate, for: group) }
  }

  /// Returns the value of an aggregate without groups.
  /// - Complexity: O(log n).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name; and as `read(_:)`.
  public func value<Object, Value>(of aggregate: Aggregate<Object, Never, Value>) throws -> Value {
    try read { try $0.value(of: aggregate) }
  }

  /// Returns all groups of an aggregate whose value is neither 0 nor nil: `nil` first, the others in ascending order.
  /// - Complexity: O(groups).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name; and as `read(_:)`.
  public func values<Object, Group, Value>(
    of aggregate: Aggregate<Object, Group, Value>
  ) throws -> [AggregateValue<Group, Value>] {
    try read { try $0.values(of: aggregate) }
  }

  /// Returns the aggregates that are declared, in the order of their declarations.
  /// - Throws: ``SatchelError`` `syntaxError` if a newer version declared one that this version cannot read; and as `read(_:)`.
  public func aggregates() throws -> [AggregateDescription] { try read { try $0.aggregates() } }
}

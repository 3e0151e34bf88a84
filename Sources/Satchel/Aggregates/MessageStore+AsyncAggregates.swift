// The functions of `MessageStore+Aggregates.swift` and `StoreReading+Aggregates.swift` in asynchronous form: they do not block the caller's actor.
extension MessageStore {
  /// Makes the store keep an aggregate from now on, in a write of its own. If the same aggregate is declared already,
  /// only reads.
  /// - Parameters:
  ///   - aggregate: What is counted, added up or has a minimum or a maximum, and by what it is grouped.
  ///   - replacing: True to replace a different aggregate of the same name.
  /// - Throws: As `WriteTransaction.declare(_:replacing:)`; and as a write.
  public func declare<Object, Group, Value>(
    _ aggregate: Aggregate<Object, Group, Value>, replacing: Bool = false
  ) async throws {
    try aggregate.check()
    try await declare(aggregate.untyped, replacing: replacing)
  }

  /// Makes the store keep an aggregate without types from now on, in a write of its own. If the same aggregate is
  /// declared already, only reads.
  /// - Parameters:
  ///   - aggregate: What is counted, added up or has a minimum or a maximum, and by what it is grouped.
  ///   - replacing: True to replace a different aggregate of the same name.
  /// - Throws: As `WriteTransaction.declare(_:replacing:)`; and as a write.
  public func declare(_ aggregate: AggregateDescription, replacing: Bool = false) async throws {
    if try await read({ try $0.isDeclared(aggregate) }) { return }
    try await write { try $0.declare(aggregate, replacing: replacing) }
  }

  /// Removes the aggregate with a name and its values, in a write of its own.
  /// - Complexity: O(groups).
  /// - Throws: ``SatchelError`` `unknownAggregate`; and as a write.
  public func dropAggregate(named name: String) async throws {
    try await write { try $0.dropAggregate(named: name) }
  }

  /// Returns the value of a group of an aggregate. Where nothing counts it is 0, or nil if it is a minimum or a maximum.
  /// - Parameters:
  ///   - aggregate: A declared aggregate.
  ///   - group: The group; nil for the group of the objects without a value.
  /// - Complexity: O(log n).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name.
  public func value<Object, Group, Value>(
    of aggregate: Aggregate<Object, Group, Value>, for group: Group?
  ) async throws -> Value {
    try await read { try $0.value(of: aggregate, for: group) }
  }

  /// Returns the value of an aggregate without groups.
  /// - Complexity: O(log n).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name.
  public func value<Object, Value>(of aggregate: Aggregate<Object, Never, Value>) async throws -> Value {
    try await read { try $0.value(of: aggregate) }
  }

  /// Returns all groups of an aggregate whose value is neither 0 nor nil: `nil` first, the others in ascending order.
  /// - Complexity: O(groups).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name.
  public func values<Object, Group, Value>(
    of aggregate: Aggregate<Object, Group, Value>
  ) async throws -> [AggregateValue<Group, Value>] {
    try await read { try $0.values(of: aggregate) }
  }

  /// Returns the aggregates that are declared, in the order of their declarations.
  /// - Throws: ``SatchelError`` `syntaxError` if a newer version declared one that this version cannot read.
  public func aggregates() async throws -> [AggregateDescription] { try await read { try $0.aggregates() } }
}

// The functions of `MessageStore+Aggregates.swift` and `StoreReading+Aggregates.swift` in asynchronous form: they do not block the caller's actor.
extension MessageStore {
  /// Makes the store keep an aggregate from now on, in a write of its own. If the same aggregate is declared already,
  /// only reads.
  /// - Parameters:
  ///   - aggregate: What is counted or added up, and by what it is grouped.
  ///   - replacing: True to replace a different aggregate of the same name.
  /// - Throws: As `WriteTransaction.declare(_:replacing:)`; and as a write.
  public func declare<Object, Group>(
    _ aggregate: Aggregate<Object, Group>, replacing: Bool = false
  ) async throws {
    try aggregate.check()
    try await declare(aggregate.untyped, replacing: replacing)
  }

  /// Makes the store keep an aggregate without types from now on, in a write of its own. If the same aggregate is
  /// declared already, only reads.
  /// - Parameters:
  ///   - aggregate: What is counted or added up, and by what it is grouped.
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

  /// Returns the value of a group of an aggregate; 0 if there is no such group.
  /// - Parameters:
  ///   - aggregate: A declared aggregate.
  ///   - group: The group; nil for the group of the objects without a value.
  /// - Complexity: O(log n).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name.
  public func value<Object, Group>(
    of aggregate: Aggregate<Object, Group>, for group: Group?
  ) async throws -> Int {
    try await read { try $0.value(of: aggregate, for: group) }
  }

  /// Returns the value of an aggregate without groups.
  /// - Complexity: O(log n).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name.
  public func value<Object>(of aggregate: Aggregate<Object, Never>) async throws -> Int {
    try await read { try $0.value(of: aggregate) }
  }

  /// Returns all groups of an aggregate whose value is not 0: `nil` first, the others in ascending order.
  /// - Complexity: O(groups).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` if a different aggregate has the name.
  public func values<Object, Group>(
    of aggregate: Aggregate<Object, Group>
  ) async throws -> [AggregateValue<Group>] {
    try await read { try $0.values(of: aggregate) }
  }

  /// Returns the aggregates that are declared, in the order of their declarations.
  /// - Throws: ``SatchelError`` `syntaxError` if a newer version declared one that this version cannot read.
  public func aggregates() async throws -> [AggregateDescription] { try await read { try $0.aggregates() } }
}

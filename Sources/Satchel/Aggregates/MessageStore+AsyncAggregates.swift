// The same without blocking the caller's actor.
extension MessageStore {
  /// Has the store keep an aggregate from now on, in a write of its own.
  public func declare<Object, Group>(
    _ aggregate: Aggregate<Object, Group>, replacing: Bool = false
  ) async throws {
    try aggregate.check()
    try await declare(aggregate.untyped, replacing: replacing)
  }

  /// Has the store keep an aggregate from now on, in a write of its own.
  public func declare(_ aggregate: AggregateDescription, replacing: Bool = false) async throws {
    if try await read({ try $0.isDeclared(aggregate) }) { return }
    try await write { try $0.declare(aggregate, replacing: replacing) }
  }

  /// Forgets the aggregate of a name and what it has counted.
  public func dropAggregate(named name: String) async throws {
    try await write { try $0.dropAggregate(named: name) }
  }

  /// What a group of an aggregate comes to; 0 where there is none.
  public func value<Object, Group>(
    of aggregate: Aggregate<Object, Group>, for group: Group?
  ) async throws -> Int {
    try await read { try $0.value(of: aggregate, for: group) }
  }

  /// What an aggregate without groups comes to.
  public func value<Object>(of aggregate: Aggregate<Object, Never>) async throws -> Int {
    try await read { try $0.value(of: aggregate) }
  }

  /// All groups of an aggregate that do not come to 0: `nil` first, the others ascending.
  public func values<Object, Group>(
    of aggregate: Aggregate<Object, Group>
  ) async throws -> [AggregateValue<Group>] {
    try await read { try $0.values(of: aggregate) }
  }

  /// What is declared, in the order of the declarations.
  public func aggregates() async throws -> [AggregateDescription] { try await read { try $0.aggregates() } }
}

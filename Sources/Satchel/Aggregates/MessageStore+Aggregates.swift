extension MessageStore {
  /// Has the store keep an aggregate from now on, in a write of its own: see ``WriteTransaction/declare(_:replacing:)``.
  /// Declaring what is declared already only reads.
  public func declare<Object, Group>(_ aggregate: Aggregate<Object, Group>, replacing: Bool = false) throws {
    try aggregate.check()
    if try read({ try $0.isDeclared(aggregate.untyped) }) { return }
    try write { try $0.declare(aggregate, replacing: replacing) }
  }

  /// Has the store keep an aggregate from now on, in a write of its own.
  public func declare(_ aggregate: AggregateDescription, replacing: Bool = false) throws {
    if try read({ try $0.isDeclared(aggregate) }) { return }
    try write { try $0.declare(aggregate, replacing: replacing) }
  }

  /// Forgets the aggregate of a name and what it has counted.
  /// - Throws: ``SatchelError`` `unknownAggregate`.
  public func dropAggregate(named name: String) throws { try write { try $0.dropAggregate(named: name) } }

  /// What a group of an aggregate comes to; 0 where there is none. `nil` is the group of the objects without a value.
  /// - Complexity: O(log n).
  /// - Throws: ``SatchelError`` `unknownAggregate`, or `aggregateExists` where the name stands for something else.
  public func value<Object, Group>(of aggregate: Aggregate<Object, Group>, for group: Group?) throws -> Int {
    try read { try $0.value(of: aggregate, for: group) }
  }

  /// What an aggregate without groups comes to.
  public func value<Object>(of aggregate: Aggregate<Object, Never>) throws -> Int {
    try read { try $0.value(of: aggregate) }
  }

  /// All groups of an aggregate that do not come to 0: `nil` first, the others ascending.
  /// - Complexity: O(groups).
  public func values<Object, Group>(of aggregate: Aggregate<Object, Group>) throws -> [AggregateValue<Group>]
  {
    try read { try $0.values(of: aggregate) }
  }

  /// What is declared, in the order of the declarations.
  public func aggregates() throws -> [AggregateDescription] { try read { try $0.aggregates() } }
}

extension StoreSnapshot {
  /// Whether exactly this is declared.
  func isDeclared(_ aggregate: AggregateDescription) throws -> Bool {
    try aggregates().contains(aggregate)
  }
}

import SatchelStorage

// The same reads without blocking the caller's actor: they run on the concurrent executor.
extension MessageStore {
  /// Reads one snapshot, off the caller's actor.
  public func read<Result: Sendable>(
    lease: ReadLease = ReadLease(), _ body: @Sendable (StoreSnapshot) throws -> Result
  ) async throws -> Result {
    try base.read(lease: lease.ofEnvironment) { try body(StoreSnapshot($0)) }
  }

  /// The results of a query, in order.
  public func fetch<Object: StoredObject>(_ query: Query<Object>) async throws -> [Object] {
    try await read { try $0.fetch(query) }
  }

  /// The first result of a query, or nil.
  public func first<Object: StoredObject>(_ query: Query<Object>) async throws -> Object? {
    try await read { try $0.first(query) }
  }

  /// The identifiers of a query's results, in order.
  public func identifiers<Object: StoredObject>(_ query: Query<Object>) async throws -> [ObjectID<Object>] {
    try await read { try $0.identifiers(query) }
  }

  /// How many results a query has, its limit and offset applied.
  public func count<Object: StoredObject>(_ query: Query<Object>) async throws -> Int {
    try await read { try $0.count(query) }
  }

  /// How many results a query would have without limit and offset.
  public func totalCount<Object: StoredObject>(_ query: Query<Object>) async throws -> Int {
    try await read { try $0.totalCount(query) }
  }

  /// The results of a query, and how many there are without its limit and offset, from one snapshot.
  public func page<Object: StoredObject>(_ query: Query<Object>) async throws -> Page<Object> {
    try await read { try $0.page(query) }
  }

  /// The plan of a query: every path considered, with its exact cardinality and cost.
  public func explain<Object: StoredObject>(
    _ query: Query<Object>, as type: ResultType = .objects, running: Bool = false
  ) async throws -> Explanation {
    try await read { try $0.explain(query, as: type, running: running) }
  }

  /// The content of a part, of any size.
  public func content(of part: MessagePart.ID) async throws -> [UInt8] {
    try await read { try $0.content(of: part) }
  }

  /// A stretch of the content of a part.
  public func content(of part: MessagePart.ID, in range: Range<Int>) async throws -> [UInt8] {
    try await read { try $0.content(of: part, in: range) }
  }
}

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

  /// The results of a query, and how many there are without its limit and offset, from one snapshot.
  public func page<Object: StoredObject>(_ query: Query<Object>) async throws -> Page<Object> {
    try await read { try $0.page(query) }
  }
}

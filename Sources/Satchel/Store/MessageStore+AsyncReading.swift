import SatchelStorage

// The reads of `StoreReading` in asynchronous form. They run on the concurrent executor, so they do not
// block the caller's actor. Each has the complexity and the errors of its synchronous form; one of many rows ends soon after its task
// is cancelled, with `CancellationError`.
extension MessageStore {
  /// Runs a closure on one snapshot of the store, off the caller's actor: everything in the closure sees the same
  /// state.
  ///
  /// The closure is done when this returns: it may use, and change, what belongs to the caller alone, such as local variables.
  /// - Parameter body: Reads from the snapshot. Runs once.
  /// - Throws: As the synchronous form; `CancellationError` if the task is cancelled while many rows are read.
  public func read<Result>(
    _ body: sending (StoreSnapshot) throws -> sending Result
  ) async throws -> sending Result {
    try await read(lease: ReadLease(), body)
  }

  /// Runs a closure on one snapshot of the store, off the caller's actor, for as long as a lease says.
  /// - Parameters:
  ///   - lease: How long the read may keep its snapshot.
  ///   - body: Reads from the snapshot. Runs once.
  /// - Throws: As the synchronous form; `CancellationError` if the task is cancelled while many rows are read.
  public func read<Result>(
    lease: ReadLease, _ body: sending (StoreSnapshot) throws -> sending Result
  ) async throws -> sending Result {
    try base.read(lease: lease.ofEnvironment) {
      try body(StoreSnapshot($0, in: lease.bounds(endingWithTask: true)))
    }
  }

  /// Returns the results of a query, in the order of the query.
  /// - Complexity: As ``StoreSnapshot/fetch(_:)``.
  /// - Throws: As ``StoreSnapshot/fetch(_:)``.
  public func fetch<Object: StoredObject>(_ query: Query<Object>) async throws -> [Object] {
    try await read { try $0.fetch(query) }
  }

  /// Returns the first result of a query, or nil if there is none.
  /// - Throws: As ``StoreSnapshot/fetch(_:)``.
  public func first<Object: StoredObject>(_ query: Query<Object>) async throws -> Object? {
    try await read { try $0.first(query) }
  }

  /// Calls `body` with each result of a query, in the order of the query, off the caller's actor: see
  /// `StoreSnapshot.forEach(_:_:)`.
  /// - Throws: As ``StoreSnapshot/forEach(_:_:)``. What `body` throws is passed on.
  public func forEach<Object: StoredObject>(
    _ query: Query<Object>, _ body: sending (Object) throws -> Void
  ) async throws {
    try await read { try $0.forEach(query, body) }
  }

  /// Calls `body` with the record of each message that is a result of a query, off the caller's actor: see
  /// `StoreSnapshot.forEachRecord(of:_:)`.
  /// - Throws: As ``StoreSnapshot/forEachRecord(of:_:)``. What `body` throws is passed on.
  public func forEachRecord(
    of query: Query<Message>, _ body: sending (borrowing MessageRecord) throws -> Void
  ) async throws {
    try await read { try $0.forEachRecord(of: query, body) }
  }

  /// Returns the identifiers of a query's results, in the order of the query. Cheaper than the objects.
  /// - Throws: As ``StoreSnapshot/fetch(_:)``.
  public func identifiers<Object: StoredObject>(_ query: Query<Object>) async throws -> [Object.ID] {
    try await read { try $0.identifiers(query) }
  }

  /// Returns the number of results of a query, with its limit and offset applied.
  /// - Complexity: As `StoreSnapshot.count(_:)`.
  /// - Throws: As ``StoreSnapshot/fetch(_:)``.
  public func count<Object: StoredObject>(_ query: Query<Object>) async throws -> Int {
    try await read { try $0.count(query) }
  }

  /// Returns the number of results that a query would have without its limit, offset and anchor.
  /// - Complexity: As `StoreSnapshot.count(_:)`.
  /// - Throws: As ``StoreSnapshot/fetch(_:)``.
  public func totalCount<Object: StoredObject>(_ query: Query<Object>) async throws -> Int {
    try await read { try $0.totalCount(query) }
  }

  /// Returns whether a query has a result, with its limit, offset and anchor applied. Makes no object.
  /// - Complexity: As `StoreSnapshot.hasAny(_:)`.
  /// - Throws: As ``StoreSnapshot/fetch(_:)``.
  public func hasAny<Object: StoredObject>(_ query: Query<Object>) async throws -> Bool {
    try await read { try $0.hasAny(query) }
  }

  /// Returns which row of a query's results an object is, counted from 0; nil if it is not one of them.
  /// - Complexity: As `StoreSnapshot.rank(of:in:)`.
  /// - Throws: As ``StoreSnapshot/fetch(_:)``.
  public func rank<Object: StoredObject>(
    of id: Object.ID, in query: Query<Object>
  ) async throws -> Int? {
    try await read { try $0.rank(of: id, in: query) }
  }

  /// Returns the results of a query, and where they lie among all its results: see `StoreSnapshot.page(_:)`.
  /// - Throws: As ``StoreSnapshot/fetch(_:)``.
  public func page<Object: StoredObject>(_ query: Query<Object>) async throws -> ResultPage<Object> {
    try await read { try $0.page(query) }
  }

  /// Returns the plan of a query: every path considered, with its cardinality and cost, and the chosen path.
  /// - Parameters:
  ///   - query: The query to plan.
  ///   - type: What is asked for: objects, identifiers or their number. The plan may depend on it.
  ///   - running: True to run the query as well and report what that took.
  ///   - advising: True to look as well for an index that would help: see ``Explanation/advice``.
  /// - Throws: As ``StoreSnapshot/fetch(_:)``.
  public func explain<Object: StoredObject>(
    _ query: Query<Object>, as type: ResultType = .objects, running: Bool = false, advising: Bool = false
  ) async throws -> Explanation {
    try await read { try $0.explain(query, as: type, running: running, advising: advising) }
  }
}

// Queries. A store asks each of them in a snapshot of its own; inside a write they include what it has changed so far.
extension StoreReading {
  /// Returns the results of a query, in the order of the query.
  /// - Complexity: As `StoreSnapshot.fetch(_:)`.
  /// - Throws: As `StoreSnapshot.fetch(_:)` and `read(_:)`.
  public func fetch<Object: StoredObject>(_ query: Query<Object>) throws -> [Object] {
    try read { try $0.fetch(query) }
  }

  /// Returns the first result of a query, or nil if there is none.
  /// - Complexity: As `StoreSnapshot.first(_:)`.
  /// - Throws: As `StoreSnapshot.fetch(_:)` and `read(_:)`.
  public func first<Object: StoredObject>(_ query: Query<Object>) throws -> Object? {
    try read { try $0.first(query) }
  }

  /// Calls `body` with each result of a query, in the order of the query: see `StoreSnapshot.forEach(_:_:)`.
  /// - Complexity: As `StoreSnapshot.forEach(_:_:)`.
  /// - Throws: As `StoreSnapshot.forEach(_:_:)` and `read(_:)`. What `body` throws is passed on.
  public func forEach<Object: StoredObject>(_ query: Query<Object>, _ body: (Object) throws -> Void) throws {
    try read { try $0.forEach(query, body) }
  }

  /// Calls `body` with the record of each message that is a result of a query, all from one snapshot: see
  /// `StoreSnapshot.forEachRecord(of:_:)`.
  /// - Complexity: As `StoreSnapshot.forEachRecord(of:_:)`.
  /// - Throws: As `StoreSnapshot.forEach(_:_:)` and `read(_:)`. What `body` throws is passed on.
  public func forEachRecord(
    of query: Query<Message>, _ body: (borrowing MessageRecord) throws -> Void
  ) throws {
    try read { try $0.forEachRecord(of: query, body) }
  }

  /// Returns the identifiers of a query's results, in the order of the query. Cheaper than the objects.
  /// - Complexity: As `StoreSnapshot.identifiers(_:)`.
  /// - Throws: As `StoreSnapshot.fetch(_:)` and `read(_:)`.
  public func identifiers<Object: StoredObject>(_ query: Query<Object>) throws -> [Object.ID] {
    try read { try $0.identifiers(query) }
  }

  /// Returns the number of results of a query, with its limit and offset applied.
  /// - Complexity: As `StoreSnapshot.count(_:)`.
  /// - Throws: As `StoreSnapshot.fetch(_:)` and `read(_:)`.
  public func count<Object: StoredObject>(_ query: Query<Object>) throws -> Int {
    try read { try $0.count(query) }
  }

  /// Returns the number of results that a query would have without its limit, offset and anchor.
  /// - Complexity: As `StoreSnapshot.count(_:)`.
  /// - Throws: As `StoreSnapshot.fetch(_:)` and `read(_:)`.
  public func totalCount<Object: StoredObject>(_ query: Query<Object>) throws -> Int {
    try read { try $0.totalCount(query) }
  }

  /// Returns whether a query has a result, with its limit, offset and anchor applied. Makes no object.
  /// - Complexity: As `StoreSnapshot.hasAny(_:)`.
  /// - Throws: As `StoreSnapshot.fetch(_:)` and `read(_:)`.
  public func hasAny<Object: StoredObject>(_ query: Query<Object>) throws -> Bool {
    try read { try $0.hasAny(query) }
  }

  /// Returns which row of a query's results an object is, counted from 0; nil if it is not one of them.
  /// - Complexity: As `StoreSnapshot.rank(of:in:)`.
  /// - Throws: As `StoreSnapshot.fetch(_:)` and `read(_:)`.
  public func rank<Object: StoredObject>(of id: Object.ID, in query: Query<Object>) throws -> Int? {
    try read { try $0.rank(of: id, in: query) }
  }

  /// Returns the results of a query, and where they lie among all its results: see `StoreSnapshot.page(_:)`.
  /// - Complexity: As `StoreSnapshot.page(_:)`.
  /// - Throws: As `StoreSnapshot.fetch(_:)` and `read(_:)`.
  public func page<Object: StoredObject>(_ query: Query<Object>) throws -> ResultPage<Object> {
    try read { try $0.page(query) }
  }
}

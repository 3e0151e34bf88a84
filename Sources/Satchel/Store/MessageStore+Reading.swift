import LMDB
import SatchelStorage

extension MessageStore {
  /// A limit on how long one read may keep its snapshot: in time and in growth of the file. See
  /// `MessageStore.read(lease:_:)`.
  public struct ReadLease: Sendable {
    /// The seconds that the read may last, from its beginning.
    public var seconds: Double
    /// The bytes by which the file may grow since the read began. It grows because a snapshot keeps old pages from
    /// being used again.
    public var fileGrowth: Int

    /// Makes a lease. The defaults are 60 seconds and 256 MB (268,435,456 bytes).
    public init(seconds: Double = 60, fileGrowth: Int = 256 << 20) {
      self.seconds = seconds
      self.fileGrowth = fileGrowth
    }

    var ofEnvironment: Lease { Lease(seconds: seconds, growth: fileGrowth) }
  }

  /// Runs a closure on one snapshot of the store: everything in the closure sees the same state, whatever is written
  /// meanwhile. A read never waits for a writer.
  ///
  /// A read of many results that outlives its lease ends with `snapshotExpired`: the pages that an old snapshot shows
  /// cannot be used again, so the file grows. Continue with `after(_:)` in a new read.
  /// - Parameters:
  ///   - lease: How long the read may keep its snapshot.
  ///   - body: Reads from the snapshot. Runs once.
  /// - Throws: ``SatchelError`` `nestedTransaction` inside another read or a write of this store on the same thread
  ///   (use that snapshot or transaction instead), `tooManyReaders`, or `closed`. What the closure throws is passed on.
  public func read<Result>(lease: ReadLease = ReadLease(), _ body: (StoreSnapshot) throws -> Result) throws
    -> Result
  {
    try base.read(lease: lease.ofEnvironment) { try body(StoreSnapshot($0)) }
  }

  /// Returns the results of a query, in the order of the query.
  /// - Complexity: As ``StoreSnapshot/fetch(_:)``.
  /// - Throws: As ``StoreSnapshot/fetch(_:)`` and `read(lease:_:)`.
  public func fetch<Object: StoredObject>(_ query: Query<Object>) throws -> [Object] {
    try read { try $0.fetch(query) }
  }

  /// Returns the first result of a query, or nil if there is none.
  /// - Throws: As ``StoreSnapshot/fetch(_:)`` and `read(lease:_:)`.
  public func first<Object: StoredObject>(_ query: Query<Object>) throws -> Object? {
    try read { try $0.first(query) }
  }

  /// Returns the identifiers of a query's results, in the order of the query. Cheaper than the objects.
  /// - Throws: As ``StoreSnapshot/fetch(_:)`` and `read(lease:_:)`.
  public func identifiers<Object: StoredObject>(_ query: Query<Object>) throws -> [ObjectID<Object>] {
    try read { try $0.identifiers(query) }
  }

  /// Returns the number of results of a query, with its limit and offset applied.
  /// - Complexity: As `StoreSnapshot.count(_:)`.
  /// - Throws: As ``StoreSnapshot/fetch(_:)`` and `read(lease:_:)`.
  public func count<Object: StoredObject>(_ query: Query<Object>) throws -> Int {
    try read { try $0.count(query) }
  }

  /// Returns the number of results that a query would have without its limit, offset and anchor.
  /// - Complexity: As `StoreSnapshot.count(_:)`.
  /// - Throws: As ``StoreSnapshot/fetch(_:)`` and `read(lease:_:)`.
  public func totalCount<Object: StoredObject>(_ query: Query<Object>) throws -> Int {
    try read { try $0.totalCount(query) }
  }

  /// Returns whether a query has a result, with its limit, offset and anchor applied. Makes no object.
  /// - Complexity: As `StoreSnapshot.hasAny(_:)`.
  /// - Throws: As ``StoreSnapshot/fetch(_:)`` and `read(lease:_:)`.
  public func hasAny<Object: StoredObject>(_ query: Query<Object>) throws -> Bool {
    try read { try $0.hasAny(query) }
  }

  /// Returns which row of a query's results an object is, counted from 0; nil if it is not one of them.
  /// - Complexity: As `StoreSnapshot.rank(of:in:)`.
  /// - Throws: As ``StoreSnapshot/fetch(_:)`` and `read(lease:_:)`.
  public func rank<Object: StoredObject>(of id: ObjectID<Object>, in query: Query<Object>) throws -> Int? {
    try read { try $0.rank(of: id, in: query) }
  }

  /// Returns the results of a query, and where they lie among all its results: see `StoreSnapshot.page(_:)`.
  /// - Throws: As ``StoreSnapshot/fetch(_:)`` and `read(lease:_:)`.
  public func page<Object: StoredObject>(_ query: Query<Object>) throws -> ResultPage<Object> {
    try read { try $0.page(query) }
  }

  /// Returns the plan of a query: every path considered, with its cardinality and cost, and the chosen path.
  /// - Parameters:
  ///   - query: The query to plan.
  ///   - type: What is asked for: objects, identifiers or their number. The plan may depend on it.
  ///   - running: True to run the query as well and report what that took.
  /// - Throws: As ``StoreSnapshot/fetch(_:)`` and `read(lease:_:)`.
  public func explain<Object: StoredObject>(
    _ query: Query<Object>, as type: ResultType = .objects, running: Bool = false
  ) throws -> Explanation {
    try read { try $0.explain(query, as: type, running: running) }
  }
}

import LMDB
import SatchelStorage

extension MessageStore {
  /// How long one read may keep its snapshot; see ``MessageStore/read(lease:_:)``.
  public struct ReadLease: Sendable {
    /// Seconds from the read's beginning.
    public var seconds: Double
    /// Bytes that the file may have grown by since, because the snapshot keeps old pages alive.
    public var fileGrowth: Int

    /// A lease; 60 seconds or 256 MB without other numbers.
    public init(seconds: Double = 60, fileGrowth: Int = 256 << 20) {
      self.seconds = seconds
      self.fileGrowth = fileGrowth
    }

    var ofEnvironment: Lease { Lease(seconds: seconds, growth: fileGrowth) }
  }

  /// Reads one snapshot: everything in the closure sees the same state of the store.
  ///
  /// A streaming read that outlives its lease ends with `snapshotExpired`, because pages that an old snapshot shows
  /// cannot be used again and the file grows: continue with `after(_:)` in a new read.
  /// - Throws: ``SatchelError`` `nestedTransaction` inside another read or a write of this thread: use the snapshot or
  ///   transaction at hand. What the closure throws is passed on.
  public func read<Result>(lease: ReadLease = ReadLease(), _ body: (StoreSnapshot) throws -> Result) throws
    -> Result
  {
    try base.read(lease: lease.ofEnvironment) { try body(StoreSnapshot($0)) }
  }

  /// The results of a query, in order.
  public func fetch<Object: StoredObject>(_ query: Query<Object>) throws -> [Object] {
    try read { try $0.fetch(query) }
  }

  /// The first result of a query, or nil.
  public func first<Object: StoredObject>(_ query: Query<Object>) throws -> Object? {
    try read { try $0.first(query) }
  }

  /// The identifiers of a query's results, in order.
  public func identifiers<Object: StoredObject>(_ query: Query<Object>) throws -> [ObjectID<Object>] {
    try read { try $0.identifiers(query) }
  }

  /// How many results a query has, its limit and offset applied.
  public func count<Object: StoredObject>(_ query: Query<Object>) throws -> Int {
    try read { try $0.count(query) }
  }

  /// How many results a query would have without limit and offset.
  public func totalCount<Object: StoredObject>(_ query: Query<Object>) throws -> Int {
    try read { try $0.totalCount(query) }
  }

  /// The results of a query, and how many there are without its limit and offset, from one snapshot.
  public func page<Object: StoredObject>(_ query: Query<Object>) throws -> Page<Object> {
    try read { try $0.page(query) }
  }

  /// The plan of a query: every path considered, with its exact cardinality and cost.
  /// - Parameter running: True to run the query as well and say what that took.
  public func explain<Object: StoredObject>(
    _ query: Query<Object>, as type: ResultType = .objects, running: Bool = false
  ) throws -> Explanation {
    try read { try $0.explain(query, as: type, running: running) }
  }

  /// The content of a part, of any size.
  public func content(of part: MessagePart.ID) throws -> [UInt8] { try read { try $0.content(of: part) } }

  /// A stretch of the content of a part.
  public func content(of part: MessagePart.ID, in range: Range<Int>) throws -> [UInt8] {
    try read { try $0.content(of: part, in: range) }
  }
}

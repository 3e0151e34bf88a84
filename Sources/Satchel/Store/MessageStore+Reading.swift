import LMDB
import SatchelReading
import SatchelStorage

extension MessageStore {
  /// A limit on how long one read may keep its snapshot, in time and in growth of the file, and on how much it may read. See
  /// `MessageStore.read(lease:_:)`.
  public struct ReadLease: Sendable {
    /// The seconds that the read may last, from its beginning.
    public var seconds: Double
    /// The bytes by which the file may grow since the read began. It grows because a snapshot keeps old pages from
    /// being used again.
    public var fileGrowth: Int
    /// The entries of indexes that all questions of the read together may look at; nil for any number.
    public var entries: Int?
    /// The records of objects that they may read; nil for any number.
    public var records: Int?

    /// Makes a lease. The defaults are 60 seconds and 256 MB (268,435,456 bytes), and any number of entries and records.
    public init(seconds: Double = 60, fileGrowth: Int = 256 << 20, entries: Int? = nil, records: Int? = nil) {
      self.seconds = seconds
      self.fileGrowth = fileGrowth
      self.entries = entries
      self.records = records
    }

    var ofEnvironment: Lease { Lease(seconds: seconds, growth: fileGrowth) }

    func bounds(endingWithTask: Bool) -> ReadBounds {
      ReadBounds(entries: entries, records: records, endsWithTask: endingWithTask)
    }
  }

  /// Runs a closure on one snapshot of the store: everything in the closure sees the same state, whatever is written
  /// meanwhile. A read never waits for a writer.
  ///
  /// The read may take as long as a ``ReadLease`` that is not said otherwise.
  /// - Parameter body: Reads from the snapshot. Runs once.
  /// - Throws: As `read(lease:_:)`.
  public func read<Result>(_ body: (StoreSnapshot) throws -> Result) throws -> Result {
    try read(lease: ReadLease(), body)
  }

  /// Runs a closure on one snapshot of the store, for as long as a lease says.
  ///
  /// A read of many rows that outlives its lease, or reads more than that allows, ends with `snapshotExpired`, in the middle of a search, a sort
  /// or a count as well: the pages that an old snapshot shows cannot be used again, so the file grows. The error's context says how far it came:
  /// `entriesRead` and `recordsRead`. It is looked at after each hundred or so of rows, so a read may go that much further. Continue with
  /// `after(_:)` in a new read, or narrow the query.
  /// - Parameters:
  ///   - lease: How long the read may keep its snapshot.
  ///   - body: Reads from the snapshot. Runs once.
  /// - Throws: ``SatchelError`` `nestedTransaction` inside another read or a write of this store on the same thread
  ///   (use that snapshot or transaction instead), `tooManyReaders`, or `closed`. What the closure throws is passed on.
  public func read<Result>(lease: ReadLease, _ body: (StoreSnapshot) throws -> Result) throws -> Result {
    try base.read(lease: lease.ofEnvironment) {
      try body(StoreSnapshot($0, in: lease.bounds(endingWithTask: false)))
    }
  }
}

extension MessageStore: StoreReading {}

internal import CLMDB

/// One of LMDB's read transactions, with what is known of its snapshot. One thread uses it at a time; after its end it is
/// kept for another.
final class KeptReader: @unchecked Sendable {
  let handle: OpaquePointer
  /// The pages of the snapshot, or nil where LMDB has to read them.
  @exclusivity(unchecked) private(set) var snapshot: PageSnapshot?
  /// The trees that were looked up, by LMDB's number of the database.
  let trees: UnsafeMutablePointer<KnownTree>

  init(_ handle: OpaquePointer) {
    self.handle = handle
    trees = .allocate(capacity: Environment.databaseSlots)
    trees.initialize(repeating: KnownTree(), count: Environment.databaseSlots)
  }

  deinit { trees.deallocate() }

  /// LMDB's number of the snapshot. What it contains may be of a later commit, unless `snapshot` is there.
  var id: UInt64 { UInt64(truncatingIfNeeded: mdb_txn_id(handle)) }

  /// Whether it still has the snapshot with a number, where the file is mapped now.
  @inline(__always)
  func hasSnapshot(of id: UInt64, at base: UnsafeRawPointer) -> Bool {
    guard let snapshot else { return false }
    return snapshot.id == id && snapshot.map.base == base
  }

  /// Takes the snapshot of the transaction, which has just begun or been renewed.
  func begin(with snapshot: PageSnapshot?) { self.snapshot = snapshot }
}

/// The tree of a database in the snapshot with a number. A number's snapshot never changes, so the next transaction of the
/// same number finds its trees here.
struct KnownTree {
  /// The number of the snapshot; that of no commit in an unused slot.
  var snapshot = UInt64.max
  var record = TreeRecord.empty
}

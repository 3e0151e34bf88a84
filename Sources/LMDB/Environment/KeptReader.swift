internal import CLMDB
internal import LMDBPages

/// One of LMDB's read transactions, with what is known of its snapshot. One thread uses it at a time; after its end it
/// is kept for another reader.
///
/// It is safe to hold. To give the handle to LMDB, and to find a tree by its database, is unsafe. The snapshot is spared
/// the check for overlapping accesses, because each read looks at it and no access lasts while other code runs.
@safe final class KeptReader: @unchecked Sendable {
  let handle: OpaquePointer
  /// The pages of the snapshot, or nil if LMDB has to read them.
  @safe @exclusivity(unchecked) private(set) var snapshot: PageSnapshot?
  /// What the layer above keeps from one of the reader's transactions to the next.
  @safe @exclusivity(unchecked) var attachment: (any AnyObject & Sendable)?
  /// The trees that were looked up, indexed by LMDB's handle of the database.
  let trees: UnsafeMutablePointer<KnownTree>

  init(_ handle: OpaquePointer) {
    unsafe self.handle = handle
    unsafe trees = .allocate(capacity: Environment.databaseSlots)
    unsafe trees.initialize(repeating: KnownTree(), count: Environment.databaseSlots)
  }

  deinit { unsafe trees.deallocate() }

  /// LMDB's number of the snapshot. If `snapshot` is nil, the snapshot may contain a later commit.
  var id: UInt64 { unsafe UInt64(truncatingIfNeeded: mdb_txn_id(handle)) }

  /// Whether it still has the snapshot with this number, in the map at this address.
  @inline(__always)
  func hasSnapshot(of id: UInt64, at base: UnsafeRawPointer) -> Bool {
    guard let snapshot else { return false }
    return unsafe snapshot.id == id && snapshot.map.base == base
  }

  /// Takes the snapshot of the transaction, which has just begun or been renewed.
  func begin(with snapshot: PageSnapshot?) { self.snapshot = snapshot }
}

/// The tree of a database in the snapshot with a number. The snapshot with a number never changes, so the next
/// transaction with the same number finds its trees here.
struct KnownTree {
  /// The number of the snapshot; in an unused slot a number that no commit has.
  var snapshot = UInt64.max
  var record = TreeRecord.empty
}

internal import CLMDB
package import LMDBPages
package import StoreFiles
internal import Synchronization

/// One snapshot of a store, for the length of a closure.
///
/// The memory that it returns lies in the map of the file. It is valid until the transaction ends or, in a write
/// transaction, until the next change. Copy what has to live longer. After the closure every call throws `closed`.
///
/// It is safe to use, because every call first looks whether LMDB's transaction is still open. To read the memory that a
/// call has returned is unsafe.
@safe package class ReadTransaction {
  /// The environment it reads.
  package let environment: Environment
  /// The number of the snapshot's transaction; in LMDB's write transaction, the number that its commit will have.
  package let id: UInt64
  /// Whether this is exactly the snapshot with the number `id`. Beside a busy writer, LMDB itself can return a newer
  /// snapshot. What was read from a newer one, and all that a write reads, must not be kept under `id`.
  package var isExact: Bool { map != nil }
  /// The pages of the snapshot; nil if LMDB reads them, as in its write transaction, whose pages may be in its own memory.
  @safe @exclusivity(unchecked) final private(set) var map: PageMap?
  /// Checks the pages that LMDB is about to read in its write transaction; nil in a read, and in a write that is one yet.
  @safe @exclusivity(unchecked) final private(set) var pageGuard: WriteGuard?
  /// LMDB's read transaction, with what is known of its snapshot; nil in LMDB's write transaction.
  @safe @exclusivity(unchecked) final private(set) var reader: KeptReader?
  /// LMDB's transaction; nil after the end. It is atomic because that needs no exclusivity check on the hot path.
  let handle: Atomic<OpaquePointer?>
  private let start: LeaseStart?
  /// The first failure that LMDB has reported.
  private final var earlierFailure: LMDBError?
  /// The first failure, if it means damage: LMDB refuses the transaction from then on.
  final var damage: LMDBError? {
    earlierFailure.flatMap { $0.poisonsEnvironment ? $0 : nil }
  }
  /// How many values it has found.
  let valuesRead = Atomic<Int>(0)
  /// Whether this transaction has called `beginReadAhead`.
  let readsAhead = Atomic<Bool>(false)

  init(_ environment: Environment, writing handle: OpaquePointer) {
    self.environment = environment
    id = unsafe UInt64(mdb_txn_id(handle))
    unsafe self.handle = Atomic(handle)
    start = nil
    reader = nil
    map = nil
    pageGuard = environment.pageGuard
  }

  /// Goes on with LMDB's write transaction, which a write has begun that was a read so far.
  final func continueWriting(_ handle: OpaquePointer) {
    unsafe self.handle.store(handle, ordering: .relaxed)
    reader = nil
    map = nil
    pageGuard = environment.pageGuard
  }

  init(_ environment: Environment, _ reader: KeptReader, start: LeaseStart?) {
    self.environment = environment
    id = reader.snapshot?.id ?? reader.id
    unsafe handle = Atomic(reader.handle)
    self.start = start
    self.reader = reader
    map = reader.snapshot?.map
    pageGuard = nil
  }

  /// What the layer above keeps from one read to another. One thread at a time has it, so that it needs no lock, on which
  /// readers would wait for each other: the next read that is given the same one of LMDB's readers, mostly of the same
  /// thread. Nil at first; a write keeps nothing.
  package final var attachment: (any AnyObject & Sendable)? {
    get { reader?.attachment }
    set { reader?.attachment = newValue }
  }

  /// Whether the closure of this transaction is still running.
  package final var isOpen: Bool { unsafe handle.load(ordering: .relaxed) != nil }

  /// Returns the value under a key of 1 to 511 bytes, or nil. O(log n), no allocation.
  package final func get(
    _ database: Database, _ key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    let handle = unsafe try live(database, "get")
    var name = unsafe try value(key: key, "get")
    if let map, let key = unsafe SearchKey(key) { return unsafe try find(database, key, map) }
    if let found = unsafe try findUnchanged(database, key) { return unsafe found }
    unsafe try admit(database, key, .read)
    var value = unsafe MDB_val()
    let code = unsafe mdb_get(handle, database.handle, &name, &value)
    return unsafe try found(code, value, database)
  }

  /// Returns the value under the number's eight big-endian bytes, or nil. O(log n), no allocation.
  package final func get(
    _ database: Database, number: UInt64
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    let handle = unsafe try live(database, "get")
    var bytes = number.bigEndian
    return unsafe try withUnsafeMutableBytes(of: &bytes) { bytes throws(LMDBError) in
      if let map, let key = unsafe SearchKey(UnsafeRawBufferPointer(bytes)) {
        return unsafe try find(database, key, map)
      }
      if let found = unsafe try findUnchanged(database, UnsafeRawBufferPointer(bytes)) {
        return unsafe found
      }
      unsafe try admit(database, UnsafeRawBufferPointer(bytes), .read)
      var name = unsafe MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      var value = unsafe MDB_val()
      let code = unsafe mdb_get(handle, database.handle, &name, &value)
      return unsafe try found(code, value, database)
    }
  }

  /// Returns the value under a key of 1 to 24 bytes, given as big-endian words, or nil. O(log n), no allocation.
  package final func get(
    _ database: Database, _ words: (UInt64, UInt64, UInt64), count: Int
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    let handle = unsafe try live(database, "get")
    guard count >= 1, count <= 24 else {
      throw environment.error(.keyLength, "get", detail: "\(count) bytes")
    }
    var bytes = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian)
    return unsafe try withUnsafeMutableBytes(of: &bytes) { bytes throws(LMDBError) in
      let key = unsafe UnsafeRawBufferPointer(start: bytes.baseAddress, count: count)
      if let map, let key = unsafe SearchKey(key) { return unsafe try find(database, key, map) }
      if let found = unsafe try findUnchanged(database, key) { return unsafe found }
      unsafe try admit(database, key, .read)
      var name = unsafe MDB_val(mv_size: count, mv_data: bytes.baseAddress)
      var value = unsafe MDB_val()
      let code = unsafe mdb_get(handle, database.handle, &name, &value)
      return unsafe try found(code, value, database)
    }
  }

  /// Returns a new cursor, which stands before the first entry and closes itself. O(1) in a read, and in a write that has
  /// changed nothing yet; later a write first checks all pages of the database that are not checked yet.
  package final func cursor(_ database: Database) throws(LMDBError) -> Cursor {
    let handle = unsafe try live(database, "open a cursor")
    // The main table holds records of trees; its cursor is LMDB's.
    if let map, database.handle > 1 {
      do throws(PageFault) {
        return Cursor(PageWalk(map, try tree(of: database)), of: self)
      } catch {
        throw environment.damage(error, "open a cursor")
      }
    }
    if let unchanged = try unchanged(database, "open a cursor") {
      return Cursor(PageWalk(unchanged.map, unchanged.tree), of: self)
    }
    // Cursors are rare in a write that has changed something, and LMDB can read any page through one.
    if let pageGuard, !pageGuard.knowsAll { try admitAll(of: database) }
    var cursor: OpaquePointer?
    let code = unsafe mdb_cursor_open(handle, database.handle, &cursor)
    guard code == 0, let cursor = unsafe cursor else { throw failure(code, "open a cursor") }
    return unsafe Cursor(cursor, of: self)
  }

  /// Returns the shape of the database's tree in this snapshot. O(1).
  package final func statistics(of database: Database) throws(LMDBError) -> DatabaseStatistics {
    let handle = unsafe try live(database, "read statistics")
    if let map {
      do throws(PageFault) {
        return try DatabaseStatistics(try tree(of: database), limit: map.limit)
      } catch {
        throw environment.damage(error, "read statistics")
      }
    }
    var numbers = MDB_stat()
    let code = unsafe mdb_stat(handle, database.handle, &numbers)
    guard code == 0 else { throw failure(code, "read statistics") }
    return DatabaseStatistics(numbers)
  }

  /// Throws `snapshotExpired` if the lease of this read has run out, and `suspended` if somebody waits for the files.
  package final func checkLease() throws(LMDBError) {
    if environment.yielding.load(ordering: .relaxed) == .reads, !isWrite {
      throw environment.error(.suspended, "read")
    }
    guard let start else { return }
    guard unsafe handle.load(ordering: .relaxed) != nil else { throw environment.error(.closed, "read") }
    let growth = environment.committedBytes() - start.bytes
    if monotonicNanoseconds() > start.deadline {
      throw environment.error(.snapshotExpired, "read", detail: "open for \(start.lease.seconds) s")
    }
    if growth > start.lease.growth {
      throw environment.error(.snapshotExpired, "read", detail: "the file grew by \(growth) bytes meanwhile")
    }
  }

  /// Returns LMDB's transaction. Checks that it is still open, and that the database belongs to its environment.
  @inline(__always)
  final func live(_ database: Database, _ operation: StaticString) throws(LMDBError) -> OpaquePointer {
    guard let handle = unsafe handle.load(ordering: .relaxed) else {
      throw environment.error(.closed, "\(operation)", detail: "the transaction is over")
    }
    guard database.environment == environment.number else {
      throw environment.error(.foreignDatabase, "\(operation)", detail: database.name)
    }
    return unsafe handle
  }

  /// Returns the key as LMDB takes it, after a check of its length.
  @inline(__always)
  final func value(key: UnsafeRawBufferPointer, _ operation: StaticString) throws(LMDBError) -> MDB_val {
    guard key.count >= 1, key.count <= Environment.maximumKeyLength else {
      throw environment.error(.keyLength, "\(operation)", detail: "\(key.count) bytes")
    }
    return unsafe MDB_val(key)
  }

  /// Checks, in a write, the pages that LMDB is about to read on its way to a key.
  /// - Throws: `corrupted`, before LMDB reads a damaged page. The transaction is aborted at its end.
  @inline(__always)
  final func admit(
    _ database: Database, _ key: UnsafeRawBufferPointer, _ access: WriteGuard.Access
  ) throws(LMDBError) {
    guard let pageGuard, !pageGuard.knowsAll else { return }
    do throws(LMDBError) {
      unsafe try pageGuard.admit(database.handle, database.name, key, access, environment)
    } catch {
      throw refused(error)
    }
  }

  /// Checks, in a write, the overflow pages of a value that LMDB has found but not read.
  @inline(__always)
  final func admit(_ database: Database, found value: MDB_val) throws(LMDBError) {
    guard let pageGuard, !pageGuard.knowsAll else { return }
    do throws(LMDBError) {
      unsafe try pageGuard.admitValue(
        database.handle, database.name, at: value.mv_data, count: value.mv_size, environment)
    } catch {
      throw refused(error)
    }
  }

  /// Checks all pages of a database, before LMDB may read any of them.
  @inline(never)
  final func admitAll(of database: Database) throws(LMDBError) {
    guard let pageGuard, !pageGuard.knowsAll else { return }
    do throws(LMDBError) {
      try pageGuard.admitAll(of: database, environment)
    } catch {
      throw refused(error)
    }
  }

  /// Makes a write abort at its end because of damage that it has met. Returns the error.
  @inline(never)
  final func refused(_ error: LMDBError) -> LMDBError {
    meet(error)
    return error
  }

  /// Whether it is the transaction of a write.
  var isWrite: Bool { false }

  /// Takes note of damage that was found before LMDB has met it. A read may go on.
  func meet(_ damage: LMDBError) {}

  /// Returns the error for a return code. An error that means damage closes the environment as soon as this closure is
  /// over.
  ///
  /// After damage, LMDB refuses everything in the transaction without a reason: the first error is returned again then.
  final func failure(_ code: Int32, _ operation: String) -> LMDBError {
    if code == MDB_BAD_TXN {
      return earlierFailure ?? environment.error(.closed, operation, detail: "the transaction is over")
    }
    let error = unsafe environment.writeError(
      raw: code, operation, handle.load(ordering: .relaxed).flatMap(mdb_txn_env))
    if error.code != .keyOrder, earlierFailure == nil { earlierFailure = error }
    if error.poisonsEnvironment { environment.poison(error) }
    return error
  }

  @inline(__always)
  private final func found(
    _ code: Int32, _ value: MDB_val, _ database: Database
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    if code == 0 {
      noteValue()
      unsafe try admit(database, found: value)
      return unsafe UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    }
    if code == MDB_NOTFOUND { return nil }
    throw failure(code, "get")
  }
}

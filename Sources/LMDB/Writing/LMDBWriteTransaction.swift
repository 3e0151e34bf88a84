internal import CLMDB
package import StoreFiles

/// The one write transaction of a store, for the length of a closure.
///
/// It sees its own changes. When the closure returns, they are committed together. When it throws, or when one of the
/// calls below failed for lack of room or because of damage, none of them is.
///
/// The properties are spared the check for overlapping accesses, which each change would pay for. That is safe: the
/// transaction is used by one thread at a time, and no property is passed to code that calls the transaction. LMDB's
/// cursors are closed before LMDB's transaction ends.
@safe package final class LMDBWriteTransaction: ReadTransaction {
  /// The first failure that left LMDB's transaction unusable. The commit throws it, even if the closure has ignored it.
  @safe @exclusivity(unchecked) package private(set) var firstFailure: (any Error)?
  /// Whether it was `giveUp` that was called first.
  @safe @exclusivity(unchecked) package private(set) var isGivenUp = false
  /// The first damage that the write has met before LMDB's write transaction began. It fails at its end, and no other of its group.
  @safe @exclusivity(unchecked) private var damageBefore: LMDBError?
  /// Indexed by LMDB's handle of the database: a cursor at the value that was put there last. The next value often
  /// belongs to the same page, which is then found without a descent. Puts and `locate` move these cursors; any other
  /// change of a database closes its cursor.
  @safe @exclusivity(unchecked) private var putCursors: [OpaquePointer?] = unsafe []
  /// The database and the number of the last `locate`: the pages of that value need no second check.
  @safe @exclusivity(unchecked) private var located: (database: UInt32, number: UInt64) = (0, 0)

  /// What the write has of LMDB, maybe together with others.
  private let access: WriteAccess
  /// Whether it is one beside the writers, which is broken off when somebody waits for the files.
  private let isBeside: Bool
  /// Begins LMDB's write transaction on the thread that is to end it; nil if that is this one.
  private let beginning: (() throws(LMDBError) -> Bool)?

  /// - Parameter beginning: Does what `WriteAccess.begin` does on the thread that is to end LMDB's write transaction; nil if that is this one.
  package init(
    _ environment: Environment, _ access: WriteAccess, beginning: (() throws(LMDBError) -> Bool)? = nil
  ) {
    self.access = access
    self.beginning = beginning
    isBeside = !access.isOrdered
    if let handle = unsafe access.handle {
      unsafe super.init(environment, writing: handle)
    } else {
      super.init(environment, access.reader, start: nil)
    }
  }

  /// The number of LMDB's transaction whose state the write began on.
  package var base: UInt64 { access.base }

  /// When the write gives up waiting for other processes before it has what it needs to begin, in nanoseconds of the system's monotonic
  /// clock; nil for never.
  package var waitLimit: UInt64? { access.waitLimit }

  /// Whether LMDB's write transaction has not begun yet: the write is a read so far, and can change nothing in LMDB.
  package var isDeferred: Bool { pageGuard == nil }

  /// Begins LMDB's write transaction, if the write has been a read so far. Waits for a checkpoint that is on its way. What the
  /// transaction has returned before is not to be used any more.
  /// - Returns: Whether it begins on the state that the write has read. If not, LMDB has a later one, and what was read is
  ///   older.
  package func beginChanges() throws(LMDBError) -> Bool {
    guard isDeferred else { return true }
    guard isOpen else { throw environment.error(.closed, "write", detail: "the transaction is over") }
    let isSame: Bool
    do throws(LMDBError) {
      if let beginning { isSame = try beginning() } else { isSame = try access.begin() }
    } catch {
      fail(error)
      // The memory of the snapshot may be gone.
      end()
      throw error
    }
    if let handle = unsafe access.handle { unsafe continueWriting(handle) }
    return isSame
  }

  /// Whether a page of the state before this write still has to be checked before LMDB reads it. For tests.
  package func isUnchecked(_ page: UInt64) -> Bool { environment.pageGuard.isUnchecked(page) }

  /// Whether it has changed something. Until then the memory that it has returned stays valid to its end.
  package var hasChanged: Bool { pageGuard?.hasChanged == true }

  override var isWrite: Bool { true }

  override func meet(_ damage: LMDBError) {
    if !isDeferred { fail(damage) } else if damageBefore == nil { damageBefore = damage }
  }

  /// Makes the transaction abort at its end, whatever its closure does with the error. All writes in it throw the error: nothing of
  /// them can go on.
  package func giveUp(_ error: any Error) {
    isGivenUp = isGivenUp || firstFailure == nil
    fail(error)
  }

  private func fail(_ error: any Error) {
    if firstFailure == nil { firstFailure = error }
  }

  /// Throws the failure that has left the transaction unusable, if there is one, even if the closure has ignored it. To be called
  /// before what it has changed becomes durable, wherever that is.
  package func checkUsable() throws {
    if let failure = firstFailure ?? damageBefore ?? damage { throw failure }
  }

  /// Ends this object's use of LMDB's transaction: every further call throws `closed`.
  package func end() {
    closePutCursors()
    endReading()
  }

  /// Returns the value under the number's eight big-endian bytes, or nil. O(log n). A put of that number after this
  /// needs no descent.
  package func locate(_ database: Database, number: UInt64) throws(LMDBError) -> UnsafeRawBufferPointer? {
    let cursor = unsafe try putCursor(try changeable(database, "get"), database)
    var bytes = number.bigEndian
    var value = unsafe MDB_val()
    unsafe try withKey(number) { key throws(LMDBError) in unsafe try admit(database, key, .read) }
    let code = unsafe withUnsafeMutableBytes(of: &bytes) { key in
      var name = unsafe MDB_val(mv_size: 8, mv_data: key.baseAddress)
      return unsafe mdb_cursor_get(cursor, &name, &value, MDB_SET)
    }
    if code == 0 {
      noteValue()
      unsafe try admit(database, found: value)
      located = (database.handle, number)
      return unsafe UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    }
    if code == MDB_NOTFOUND { return nil }
    throw failure(code, "get")
  }

  /// Stores a value under a key of 1 to 511 bytes, and replaces an earlier one. O(log n).
  package func put(
    _ database: Database, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(LMDBError) {
    unsafe try store(database, key, value, 0, "put")
  }

  /// Stores a value under the number's eight big-endian bytes, and replaces an earlier one. O(log n).
  package func put(
    _ database: Database, number: UInt64, _ value: UnsafeRawBufferPointer
  ) throws(LMDBError) {
    let isLocated = located == (database.handle, number)
    unsafe try withKey(number) { key throws(LMDBError) in
      unsafe try store(database, key, value, 0, "put", isLocated: isLocated)
    }
  }

  /// Stores a value under a key that is greater than every key of the database: pages are left full, and the tree is
  /// not searched. A smaller key throws `keyOrder` and changes nothing.
  package func append(
    _ database: Database, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(LMDBError) {
    unsafe try store(database, key, value, UInt32(MDB_APPEND), "append")
  }

  /// Makes room for a value of `count` bytes and returns its memory. The caller fills all of that memory before the
  /// next change of this transaction.
  package func reserve(
    _ database: Database, _ key: UnsafeRawBufferPointer, count: Int
  ) throws(LMDBError) -> UnsafeMutableRawBufferPointer {
    let handle = unsafe try changeable(database, "reserve")
    var name = unsafe try value(key: key, "reserve")
    unsafe try admit(database, key, .put)
    unsafe try admitOldValue(handle, database, key)
    guard count >= 0, count <= Self.maximumValueLength else {
      throw environment.error(.valueLength, "reserve", detail: "\(count) bytes")
    }
    var reserved = unsafe MDB_val(mv_size: count, mv_data: nil)
    let code = unsafe mdb_cursor_put(try putCursor(handle, database), &name, &reserved, UInt32(MDB_RESERVE))
    guard code == 0 else { throw writeFailure(code, "reserve") }
    environment.pageGuard.hasChanged = true
    return unsafe UnsafeMutableRawBufferPointer(start: reserved.mv_data, count: count)
  }

  /// Removes a key. Returns whether it existed. O(log n).
  package func delete(
    _ database: Database, _ key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> Bool {
    let handle = unsafe try changeable(database, "delete")
    var name = unsafe try value(key: key, "delete")
    unsafe try admit(database, key, .delete)
    unsafe try admitOldValue(handle, database, key)
    closePutCursor(database)
    let code = unsafe mdb_del(handle, database.handle, &name, nil)
    if code == 0 {
      environment.pageGuard.hasChanged = true
      return true
    }
    if code == MDB_NOTFOUND { return false }
    throw writeFailure(code, "delete")
  }

  /// Empties a database. O(pages): each one is put on the free list.
  package func deleteAll(in database: Database) throws(LMDBError) {
    let handle = unsafe try changeable(database, "empty")
    try admitAll(of: database)
    closePutCursor(database)
    let code = unsafe mdb_drop(handle, database.handle, 0)
    guard code == 0 else { throw writeFailure(code, "empty") }
    environment.pageGuard.hasChanged = true
  }

  /// Returns LMDB's write transaction.
  @inline(__always)
  func changeable(
    _ database: Database, _ operation: StaticString
  ) throws(LMDBError) -> OpaquePointer {
    guard pageGuard != nil else {
      throw environment.error(.readOnly, "\(operation)", detail: "LMDB's write transaction has not begun")
    }
    if isBeside { try checkYielding() }
    return unsafe try live(database, operation)
  }

  /// - Throws: `suspended` if somebody waits for the files.
  func checkYielding() throws(LMDBError) {
    guard environment.yielding.load(ordering: .relaxed) != .nothing else { return }
    throw environment.error(.suspended, "write")
  }

  /// LMDB keeps the length of a value in 32 bits.
  private static let maximumValueLength = 0xffff_ffff

  private func store(
    _ database: Database, _ key: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, _ flags: UInt32,
    _ operation: StaticString, isLocated: Bool = false
  ) throws(LMDBError) {
    let handle = unsafe try changeable(database, operation)
    var name = unsafe try value(key: key, operation)
    guard bytes.count <= Self.maximumValueLength else {
      throw environment.error(.valueLength, "\(operation)", detail: "\(bytes.count) bytes")
    }
    let isAppended = flags & UInt32(MDB_APPEND) != 0
    unsafe try admit(database, key, isAppended ? .append : .put)
    if !isAppended, !isLocated { unsafe try admitOldValue(handle, database, key) }
    var value = unsafe MDB_val(bytes)
    let code = unsafe mdb_cursor_put(try putCursor(handle, database), &name, &value, flags)
    guard code == 0 else { throw writeFailure(code, "\(operation)") }
    environment.pageGuard.hasChanged = true
  }

  /// Checks the overflow pages of a value that is about to be replaced or removed, if LMDB has to be asked where they
  /// are.
  @inline(__always)
  private func admitOldValue(
    _ handle: OpaquePointer, _ database: Database, _ key: UnsafeRawBufferPointer
  ) throws(LMDBError) {
    guard let pageGuard, !pageGuard.knowsAll, pageGuard.namesRuns(database.handle) else { return }
    unsafe try findOldValue(handle, database, key)
  }

  /// Looks the old value up with the put cursor: this does most of the descent that a put then needs.
  private func findOldValue(
    _ handle: OpaquePointer, _ database: Database, _ key: UnsafeRawBufferPointer
  ) throws(LMDBError) {
    var name = unsafe try value(key: key, "get")
    var value = unsafe MDB_val()
    let code = unsafe mdb_cursor_get(try putCursor(handle, database), &name, &value, MDB_SET)
    if code == 0 { return unsafe try admit(database, found: value) }
    guard code == MDB_NOTFOUND else { throw writeFailure(code, "get") }
  }

  @inline(__always)
  private func putCursor(_ handle: OpaquePointer, _ database: Database) throws(LMDBError) -> OpaquePointer {
    let index = Int(database.handle)
    if unsafe index < putCursors.count, let cursor = unsafe putCursors[index] { return unsafe cursor }
    return unsafe try openPutCursor(handle, database)
  }

  @inline(never)
  private func openPutCursor(
    _ handle: OpaquePointer, _ database: Database
  ) throws(LMDBError) -> OpaquePointer {
    var opened: OpaquePointer?
    let code = unsafe mdb_cursor_open(handle, database.handle, &opened)
    guard code == 0, let cursor = unsafe opened else { throw writeFailure(code, "open a cursor") }
    while unsafe putCursors.count <= Int(database.handle) { unsafe putCursors.append(nil) }
    unsafe putCursors[Int(database.handle)] = cursor
    return unsafe cursor
  }

  func closePutCursor(_ database: Database) {
    let index = Int(database.handle)
    guard unsafe index < putCursors.count, let cursor = unsafe putCursors[index] else { return }
    unsafe mdb_cursor_close(cursor)
    unsafe putCursors[index] = nil
  }

  private func closePutCursors() {
    for index in unsafe putCursors.indices {
      if let cursor = unsafe putCursors[index] { unsafe mdb_cursor_close(cursor) }
    }
    putCursors = unsafe []
  }

  /// `keyOrder` is found before anything is changed; after any other failure the transaction can only be aborted.
  private func writeFailure(_ code: Int32, _ operation: String) -> LMDBError {
    let error = failure(code, operation)
    if error.code != .keyOrder { fail(error) }
    return error
  }
}

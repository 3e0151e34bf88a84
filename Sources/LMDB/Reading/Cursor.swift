internal import CLMDB
package import LMDBPages
package import StoreFiles
internal import Synchronization

/// A cursor in one database, which moves in the order of the keys. It closes itself.
///
/// The memory that it returns is valid as long as memory that its transaction returns. Before its first move it stands
/// before the first entry when it goes forward, and after the last one when it goes back. A write transaction may
/// change the database between two steps; the cursor stays at its entry. If it was opened before the transaction's first
/// change, it goes on in the state before.
///
/// It is safe to use, because every move first looks whether the transaction is still open. To read the memory of an
/// entry is unsafe.
@safe package struct Cursor: ~Copyable {
  package typealias Entry = PageEntry

  /// LMDB's cursor, in a write transaction that has changed something or if LMDB reads the pages; nil if `walk` reads them.
  private let cursor: OpaquePointer?
  private var walk: PageWalk?
  private let transaction: ReadTransaction

  init(_ cursor: OpaquePointer, of transaction: ReadTransaction) {
    unsafe self.cursor = cursor
    walk = nil
    self.transaction = transaction
  }

  init(_ walk: consuming PageWalk, of transaction: ReadTransaction) {
    unsafe cursor = nil
    self.walk = consume walk
    self.transaction = transaction
  }

  deinit {
    // LMDB frees the cursors of a write transaction at its end; we have to close those of a read transaction.
    guard let cursor = unsafe cursor else { return }
    if unsafe !transaction.isWrite || transaction.handle.load(ordering: .relaxed) != nil {
      unsafe mdb_cursor_close(cursor)
    }
  }

  /// Moves to the first entry. Returns nil if the database is empty. O(log n).
  package mutating func first() throws(LMDBError) -> Entry? {
    if let cursor = unsafe cursor { return unsafe try move(cursor, MDB_FIRST) }
    try checkOpen()
    do throws(PageFault) { return unsafe noted(try walk?.first()) } catch { throw damaged(error) }
  }

  /// Moves to the last entry. Returns nil if the database is empty. O(log n).
  package mutating func last() throws(LMDBError) -> Entry? {
    if let cursor = unsafe cursor { return unsafe try move(cursor, MDB_LAST) }
    try checkOpen()
    do throws(PageFault) { return unsafe noted(try walk?.last()) } catch { throw damaged(error) }
  }

  /// Moves to the entry after the current one. Returns nil at the end.
  package mutating func next() throws(LMDBError) -> Entry? {
    if let cursor = unsafe cursor { return unsafe try move(cursor, MDB_NEXT) }
    try checkOpen()
    do throws(PageFault) { return unsafe noted(try walk?.next()) } catch { throw damaged(error) }
  }

  /// Moves to the entry before the current one. Returns nil at the beginning.
  package mutating func previous() throws(LMDBError) -> Entry? {
    if let cursor = unsafe cursor { return unsafe try move(cursor, MDB_PREV) }
    try checkOpen()
    do throws(PageFault) { return unsafe noted(try walk?.previous()) } catch { throw damaged(error) }
  }

  /// Moves to the first entry whose key is not smaller than `key` (1 to 511 bytes). Returns nil if there is none.
  /// O(log n).
  package mutating func seek(atOrAfter key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? {
    let start = unsafe try transaction.value(key: key, "seek")
    if let cursor = unsafe cursor { return unsafe try move(cursor, MDB_SET_RANGE, from: start) }
    try checkOpen()
    guard let key = unsafe SearchKey(key) else { return nil }
    do throws(PageFault) { return unsafe noted(try walk?.seek(key)) } catch { throw damaged(error) }
  }

  /// Moves to the first entry whose key is not smaller than the number's eight big-endian bytes. Returns nil if there
  /// is none. O(log n).
  package mutating func seek(atOrAfter number: UInt64) throws(LMDBError) -> Entry? {
    var bytes = number.bigEndian
    return unsafe try withUnsafeBytes(of: &bytes) { key throws(LMDBError) in unsafe try seek(atOrAfter: key) }
  }

  /// Returns the value under a key of 1 to 24 bytes, given as big-endian words, or nil. The entry at which the cursor
  /// stands is undefined afterwards. A key in the same page as the last one is found there, without a descent from the
  /// root.
  package mutating func value(
    _ words: (UInt64, UInt64, UInt64), count: Int
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard count >= 1, count <= 24 else {
      throw transaction.environment.error(.keyLength, "move a cursor", detail: "\(count) bytes")
    }
    var bytes = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian)
    return unsafe try withUnsafeMutableBytes(of: &bytes) { bytes throws(LMDBError) in
      let key = unsafe UnsafeRawBufferPointer(start: bytes.baseAddress, count: count)
      if let cursor = unsafe cursor {
        return unsafe try move(cursor, MDB_SET, from: transaction.value(key: key, "seek"))?.value
      }
      try checkOpen()
      guard let key = unsafe SearchKey(key) else { return nil }
      do throws(PageFault) {
        guard let value = unsafe try walk?.value(key) else { return nil }
        transaction.noteValue()
        return unsafe value
      } catch {
        throw damaged(error)
      }
    }
  }

  @inline(__always)
  private func checkOpen() throws(LMDBError) {
    guard transaction.isOpen else {
      throw transaction.environment.error(.closed, "move a cursor", detail: "the transaction is over")
    }
  }

  @inline(__always)
  private func noted(_ entry: Entry?) -> Entry? {
    if unsafe entry != nil { transaction.noteValue() }
    return unsafe entry
  }

  @inline(never)
  private func damaged(_ fault: PageFault) -> LMDBError {
    transaction.refused(transaction.environment.damage(fault, "move a cursor"))
  }

  private func move(
    _ cursor: OpaquePointer, _ step: MDB_cursor_op, from start: MDB_val = unsafe MDB_val()
  ) throws(LMDBError) -> Entry? {
    try checkOpen()
    var key = unsafe start
    var value = unsafe MDB_val()
    let code = unsafe mdb_cursor_get(cursor, &key, &value, step)
    if code == 0 {
      transaction.noteValue()
      return unsafe (
        UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size),
        UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
      )
    }
    if code == MDB_NOTFOUND { return nil }
    throw transaction.failure(code, "move a cursor")
  }
}

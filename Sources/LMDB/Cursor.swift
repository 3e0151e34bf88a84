internal import CLMDB

/// A position in one database, moved in the order of the keys. It closes itself.
///
/// The memory it returns has the lifetime of its transaction's. A cursor that has not been placed starts before the
/// first entry going forward and after the last going back. A write transaction may change the database between two
/// steps; the cursor keeps its place.
package struct Cursor: ~Copyable {
  package typealias Entry = (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)

  private let cursor: OpaquePointer
  private let transaction: ReadTransaction

  init(_ cursor: OpaquePointer, of transaction: ReadTransaction) {
    self.cursor = cursor
    self.transaction = transaction
  }

  deinit {
    // LMDB frees the cursors of a write transaction at its end; those of a read transaction are ours to close.
    if !(transaction is WriteTransaction) || transaction.handle.load(ordering: .relaxed) != nil {
      mdb_cursor_close(cursor)
    }
  }

  /// The first entry, or nil in an empty database.
  package mutating func first() throws(LMDBError) -> Entry? {
    try move(MDB_FIRST)
  }

  /// The last entry, or nil in an empty database.
  package mutating func last() throws(LMDBError) -> Entry? {
    try move(MDB_LAST)
  }

  /// The entry after the current one, or nil at the end.
  package mutating func next() throws(LMDBError) -> Entry? {
    try move(MDB_NEXT)
  }

  /// The entry before the current one, or nil at the beginning.
  package mutating func previous() throws(LMDBError) -> Entry? {
    try move(MDB_PREV)
  }

  /// The first entry whose key is not smaller than `key` (1 to 511 bytes), or nil.
  package mutating func seek(atOrAfter key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? {
    try move(MDB_SET_RANGE, from: try transaction.value(key: key, "seek"))
  }

  /// The first entry whose key is not smaller than the number's eight big-endian bytes, or nil.
  package mutating func seek(atOrAfter number: UInt64) throws(LMDBError) -> Entry? {
    var bytes = number.bigEndian
    return try withUnsafeBytes(of: &bytes) { key throws(LMDBError) in try seek(atOrAfter: key) }
  }

  /// The value under a key of 1 to 24 bytes, given as big-endian words, or nil; the place is then undefined. A key that
  /// lies in the same page as the last one is found there, without a descent.
  package mutating func value(
    _ words: (UInt64, UInt64, UInt64), count: Int
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard count >= 1, count <= 24 else {
      throw transaction.environment.error(.keyLength, "move a cursor", detail: "\(count) bytes")
    }
    guard transaction.handle.load(ordering: .relaxed) != nil else {
      throw transaction.environment.error(.closed, "move a cursor", detail: "the transaction is over")
    }
    var bytes = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian)
    var value = MDB_val()
    let code = withUnsafeMutableBytes(of: &bytes) { key in
      var name = MDB_val(mv_size: count, mv_data: key.baseAddress)
      return mdb_cursor_get(cursor, &name, &value, MDB_SET)
    }
    if code == 0 {
      transaction.noteValue(at: value.mv_data)
      return UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    }
    if code == MDB_NOTFOUND { return nil }
    throw transaction.failure(code, "move a cursor")
  }

  @inline(__always)
  private func move(_ step: MDB_cursor_op, from start: MDB_val = MDB_val()) throws(LMDBError) -> Entry? {
    guard transaction.handle.load(ordering: .relaxed) != nil else {
      throw transaction.environment.error(.closed, "move a cursor", detail: "the transaction is over")
    }
    var key = start
    var value = MDB_val()
    let code = mdb_cursor_get(cursor, &key, &value, step)
    if code == 0 {
      transaction.noteValue(at: value.mv_data)
      return (
        UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size),
        UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
      )
    }
    if code == MDB_NOTFOUND { return nil }
    throw transaction.failure(code, "move a cursor")
  }
}

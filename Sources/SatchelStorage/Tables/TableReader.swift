package import LMDB
package import SatchelCoding

/// The databases of records as a snapshot sees them: in a write, with what the write has changed. All reads of records
/// go through it.
package struct TableReader {
  let transaction: ReadTransaction
  private let databases: Databases
  /// Nil in a read.
  private let pending: PendingTables?

  package init(_ transaction: ReadTransaction, _ databases: Databases, pending: PendingTables?) {
    self.transaction = transaction
    self.databases = databases
    self.pending = pending
  }

  /// Returns the value of a key, or nil. O(log n). It is valid until the end of the transaction or, in a write, until
  /// the write's next change.
  @inline(__always)
  package func get(_ database: RecordDatabase, _ key: KeyBytes) throws(LMDBError) -> UnsafeRawBufferPointer? {
    if let changes = pending?.changes(of: database), let change = changes.find(RecordKey(key)) {
      return unsafe change.value
    }
    return unsafe try transaction.get(databases[database], key.bigEndianWords, count: key.count)
  }

  /// Returns a cursor before the first entry. In a write it moves over the entries of now, whatever is changed
  /// meanwhile.
  package func cursor(_ database: RecordDatabase) throws(LMDBError) -> TableCursor {
    TableCursor(try transaction.cursor(databases[database]), pending?.changes(of: database))
  }

  /// Returns a cursor that looks up values by their keys. Only in a read.
  func lookUpCursor(_ database: RecordDatabase) throws(LMDBError) -> Cursor {
    precondition(pending == nil, "a write's changes are not in the database yet")
    return try transaction.cursor(databases[database])
  }
}

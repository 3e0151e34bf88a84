package import LMDB
package import SatchelCoding
package import StoreFiles

/// The databases of records as a snapshot sees them: with what the tail has of them and, in a write, with what the write
/// has changed. All reads of records go through it.
package struct TableReader {
  package let transaction: ReadTransaction
  private let databases: Databases
  private let source: Source

  /// Where what is not in the databases is found.
  private enum Source {
    case none
    case tail(TailTables)
    case write(PendingTables)
  }

  /// Reads the databases alone.
  package init(_ transaction: ReadTransaction, _ databases: Databases) {
    self.init(transaction, databases, .none)
  }

  package init(_ transaction: ReadTransaction, _ databases: Databases, tail: TailTables) {
    self.init(transaction, databases, .tail(tail))
  }

  package init(_ transaction: ReadTransaction, _ databases: Databases, pending: PendingTables) {
    self.init(transaction, databases, .write(pending))
  }

  private init(_ transaction: ReadTransaction, _ databases: Databases, _ source: Source) {
    self.transaction = transaction
    self.databases = databases
    self.source = source
  }

  @inline(__always)
  private func pending(_ database: RecordDatabase) -> PendingRecords? {
    switch source {
    case .none: nil
    case .tail(let tables): tables[database]
    case .write(let tables): tables.pending(database)
    }
  }

  /// Returns the change of a key that is pending; nil if none is, so that the database has the value.
  package func change(_ database: RecordDatabase, _ key: KeyBytes) -> RecordChange? {
    pending(database)?.find(RecordKey(key))
  }

  /// Returns the value of a key, or nil. O(log n). It is valid until the end of the transaction or, in a write, until
  /// the write's next change.
  package func get(
    _ database: RecordDatabase, _ key: KeyBytes
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    if let change = change(database, key) { return unsafe change.value }
    return unsafe try transaction.get(databases[database], key.bigEndianWords, count: key.count)
  }

  /// Returns a cursor before the first entry. In a write it moves over the entries of now, whatever is changed meanwhile,
  /// until changes are passed to LMDB: a change of a record may do that, so that no cursor is used after one.
  package func cursor(_ database: RecordDatabase) throws(LMDBError) -> TableCursor {
    TableCursor(try transaction.cursor(databases[database]), pending(database))
  }

  /// Returns what `body` makes of the keys from one on and before another one whose changes are pending, ascending; of one that was changed again perhaps twice.
  /// - Complexity: O(log n) and those keys.
  package func pendingKeys<Key: Comparable>(
    _ database: RecordDatabase, from first: KeyBytes, before end: KeyBytes,
    _ body: (UnsafeRawBufferPointer) throws -> Key
  ) rethrows -> [Key] {
    guard let pending = pending(database) else { return [] }
    var keys: [Key] = []
    for run in [pending.large, pending.small] {
      let start = run.position(of: RecordKey(first))
      for place in start..<max(start, run.position(of: RecordKey(end))) {
        unsafe try keys.append(body(run.keyBytes(place)))
      }
    }
    keys.sort()
    return keys
  }

  /// Returns a cursor that looks up values in the database alone: for keys of which nothing is pending.
  package func baseCursor(_ database: RecordDatabase) throws(LMDBError) -> Cursor {
    try transaction.cursor(databases[database])
  }
}

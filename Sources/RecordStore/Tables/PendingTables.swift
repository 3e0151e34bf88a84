package import LMDB
package import SatchelCoding

/// What a write has put into the databases of records and removed from them, before it reaches LMDB.
///
/// A change costs an append; the first read of its database after it makes it part of sorted runs. Values stay where
/// they are until the changes are written.
package final class PendingTables {
  private var messages: RecordBuffer
  private var bodies: RecordBuffer
  private var objects: RecordBuffer
  /// Has the values of the write, and those of what was pending before.
  @safe @exclusivity(unchecked) private(set) var arena: RecordArena
  /// Whether changes of this write have been written to LMDB already.
  @safe @exclusivity(unchecked) package private(set) var isWritten = false

  /// - Parameter tail: What is pending already, from commits before.
  package init(over tail: TailTables = TailTables()) {
    messages = RecordBuffer(over: tail[.messages])
    bodies = RecordBuffer(over: tail[.bodies])
    objects = RecordBuffer(over: tail[.objects])
    arena = tail.arena
  }

  /// Takes over the changes of an earlier write of the same transaction, which stay as they are.
  package init(following earlier: PendingTables) {
    messages = RecordBuffer(following: earlier.messages)
    bodies = RecordBuffer(following: earlier.bodies)
    objects = RecordBuffer(following: earlier.objects)
    arena = earlier.arena
    isWritten = earlier.isWritten
  }

  /// Goes on upon another state of the databases, with what is pending there: the changes of this write among it, which are
  /// no longer told apart.
  package func goOn(over tail: TailTables) {
    messages = RecordBuffer(over: tail[.messages])
    bodies = RecordBuffer(over: tail[.bodies])
    objects = RecordBuffer(over: tail[.objects])
    arena = tail.arena
    isWritten = true
  }

  private subscript(database: RecordDatabase) -> RecordBuffer {
    switch database {
    case .messages: messages
    case .bodies: bodies
    case .objects: objects
    }
  }

  /// The bytes of the write's values, with those of the writes before it in its transaction.
  package var byteCount: Int { arena.unpublishedByteCount }

  /// The number of the write's changes, of which several may have one key.
  package var count: Int { messages.count + bodies.count + objects.count }

  package func put(_ database: RecordDatabase, _ key: KeyBytes, _ record: [UInt8]) {
    let value = unsafe arena.store(record)
    unsafe self[database].put(value, key)
  }

  /// Puts a value of `count` bytes and returns its memory, which the caller fills before anything else.
  package func reserve(_ database: RecordDatabase, _ key: KeyBytes, count: Int)
    -> UnsafeMutableRawBufferPointer
  {
    let value = unsafe arena.reserve(count)
    unsafe self[database].put(UnsafeRawBufferPointer(value), key)
    return unsafe value
  }

  /// Removes a record, which must exist when the changes are written.
  package func remove(_ database: RecordDatabase, _ key: KeyBytes) {
    self[database].remove(key)
  }

  /// Returns what is pending for a database; nil if nothing is.
  @inline(__always)
  func pending(_ database: RecordDatabase) -> PendingRecords? { self[database].pending(arena) }

  /// Returns the write's changes of a database, one a key, in the order of arrival.
  func folded(_ database: RecordDatabase) -> [RecordChange] { self[database].folded }

  /// Writes all that is pending to LMDB, and forgets them. In the order of their arrival: neighbours that are put one after
  /// another, in the order of their keys, leave LMDB's pages half full. Except where that is made use of: see
  /// `LMDBWriteTransaction.growths`.
  /// - Throws: `RecordError` if a record that was removed is missing, and LMDB's errors.
  package func write(to transaction: LMDBWriteTransaction, _ databases: Databases) throws {
    for database in RecordDatabase.allCases {
      guard let run = pending(database)?.merged else { continue }
      isWritten = true
      let table = databases[database]
      func write(_ index: Int) throws {
        unsafe try Self.write(run[index], run.keyBytes(index), to: transaction, table)
      }
      let growths = unsafe try transaction.growths(of: table, groupBytes: database.groupBytes, run.count) {
        unsafe (run.keyBytes($0), run[$0].value?.count)
      }
      var isDone = [Bool](repeating: false, count: growths.isEmpty ? 0 : run.count)
      for growth in growths {
        unsafe try transaction.grow(growth, of: table, run.keyBytes, write)
        for index in growth.changes { isDone[index] = true }
      }
      for index in run.inOrderOfArrival where growths.isEmpty || !isDone[index] { try write(index) }
      self[database].removeAll()
    }
    arena = RecordArena()
  }

  private static func write(
    _ change: RecordChange, _ key: UnsafeRawBufferPointer, to transaction: LMDBWriteTransaction,
    _ database: Database
  ) throws {
    if let value = unsafe change.value { return unsafe try transaction.put(database, key, value) }
    let existed = unsafe try transaction.delete(database, key)
    guard change.kind == .removeOwn || (existed && change.kind == .remove) else {
      throw unsafe RecordError(database.name, "\(Array(key))", "it was to be removed, and it is missing")
    }
  }
}

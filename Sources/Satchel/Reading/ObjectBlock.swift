import SatchelExecution
import SatchelPlanning

/// Some results of a query as objects. They are read in the order of their records in the file, and returned in the
/// order of the query.
///
/// It is safe to use: the memory lives as long as this does, and only objects that have been read and not yet given are
/// in it.
@safe struct ObjectBlock<Object: StoredObject>: ~Copyable {
  private let memory: UnsafeMutablePointer<Object>
  private let rows: ObjectRows
  private var read = 0
  private var given = 0

  init(_ rows: ObjectRows) {
    unsafe memory = .allocate(capacity: rows.count)
    self.rows = rows
  }

  /// Reads the objects of the rows.
  /// - Parameter bytes: About how many bytes of contents, beside the records, the objects may hold together.
  /// - Throws: The error of the first damaged object, in the order of reading; `TooLarge` if there are more bytes.
  mutating func read(atMost bytes: Int = .max) throws {
    let snapshot = rows.snapshot
    let before = snapshot.base.metrics.bodyBytesRead
    let memory = unsafe memory
    let rows = rows
    // Counted here, so that `deinit` frees what has been read if an error ends it.
    var count = 0
    defer { read = count }
    try Object.read(all: rows) { object in
      unsafe (memory + rows.index(count)).initialize(to: object)
      count += 1
      if snapshot.base.metrics.bodyBytesRead &- before > bytes { throw TooLarge() }
      if count % StoreSnapshot.leaseInterval == 0 { try snapshot.base.checkBounds() }
    }
  }

  struct TooLarge: Error {}

  /// Returns the next object; nil after the last one.
  mutating func next() -> Object? {
    guard given < read, read == rows.count else { return nil }
    given += 1
    return unsafe (memory + (given - 1)).move()
  }

  deinit {
    for place in 0..<read where rows.index(place) >= given {
      unsafe (memory + rows.index(place)).deinitialize(count: 1)
    }
    unsafe memory.deallocate()
  }
}

import SatchelExecution
import SatchelPlanning

/// Some results of a query as objects. They are read in the order of their records in the file, and returned in the
/// order of the query.
///
/// It is safe to use: the memory lives as long as this does, and only objects that have been read and not yet given are
/// in it.
@safe struct ObjectBlock<Object: StoredObject>: ~Copyable {
  private let memory: UnsafeMutablePointer<Object>
  /// The indices of the rows, in the order in which their objects are read.
  private let order: [Int]
  private var read = 0
  private var given = 0

  /// - Parameter order: The indices of all rows, in the order in which to read their objects.
  init(order: [Int]) {
    unsafe memory = .allocate(capacity: order.count)
    self.order = order
  }

  /// Reads the objects of the rows.
  /// - Parameter bytes: About how many bytes of contents, beside the records, the objects may hold together.
  /// - Throws: The error of the first damaged object, in the order of reading; `TooLarge` if there are more bytes.
  mutating func read(_ rows: [RowReference], from snapshot: StoreSnapshot, atMost bytes: Int = .max) throws {
    let before = snapshot.base.metrics.bodyBytesRead
    for index in order {
      let object = try Object.read(from: ObjectReader(snapshot: snapshot, reference: rows[index]))
      unsafe (memory + index).initialize(to: object)
      read += 1
      if snapshot.base.metrics.bodyBytesRead &- before > bytes { throw TooLarge() }
      if read % StoreSnapshot.leaseInterval == 0 { try snapshot.base.transaction.checkLease() }
    }
  }

  struct TooLarge: Error {}

  /// Returns the next object; nil after the last one.
  mutating func next() -> Object? {
    guard given < read, read == order.count else { return nil }
    given += 1
    return unsafe (memory + (given - 1)).move()
  }

  deinit {
    for index in order.prefix(read) where index >= given { unsafe (memory + index).deinitialize(count: 1) }
    unsafe memory.deallocate()
  }
}

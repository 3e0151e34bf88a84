internal import SatchelCoding

/// The changes of one database in a write.
///
/// The properties do without the check for overlapping accesses: a write is used by one thread, and no access lasts
/// while other code runs.
final class RecordBuffer {
  /// What nobody has read yet, in order of arrival.
  @safe @exclusivity(unchecked) private var arrivals: [RecordChange] = []
  /// The number of changes that have arrived.
  @safe @exclusivity(unchecked) private var arrived: UInt32 = 0
  /// What arrived before.
  @safe @exclusivity(unchecked) private var settled: PendingRecords?

  init() {}

  /// Takes over the changes of an earlier write, which stay as they are.
  init(following earlier: RecordBuffer) {
    arrivals = earlier.arrivals
    arrived = earlier.arrived
    settled = earlier.settled
  }

  /// The number of changes, of which several may have one key.
  var count: Int { arrivals.count + (settled?.count ?? 0) }

  func put(_ value: UnsafeRawBufferPointer, _ key: KeyBytes) {
    arrivals.append(unsafe RecordChange(put: value, key, order: arrived))
    arrived &+= 1
  }

  func remove(_ key: KeyBytes) {
    arrivals.append(RecordChange(remove: key, order: arrived))
    arrived &+= 1
  }

  /// Returns all changes, whose values are in `arena`; nil if there are none. O(1) if nothing has changed since the last
  /// call.
  @inline(__always)
  func changes(_ arena: RecordArena) -> PendingRecords? { arrivals.isEmpty ? settled : settle(arena) }

  private func settle(_ arena: RecordArena) -> PendingRecords {
    let changes = (settled ?? PendingRecords(arena)).adding(arrivals)
    arrivals.removeAll(keepingCapacity: arrivals.count <= PendingRecords.smallRunBound)
    settled = changes
    return changes
  }

  func removeAll() {
    arrivals = []
    arrived = 0
    settled = nil
  }
}

/// The changes of one database in a write.
///
/// The properties do without the check for overlapping accesses: a write is used by one thread, and no access lasts
/// while other code runs.
final class RecordBuffer {
  /// What nobody has read yet, in order of arrival.
  @exclusivity(unchecked) private var arrivals: [RecordChange] = []
  /// What arrived before.
  @exclusivity(unchecked) private var settled: PendingRecords?

  init() {}

  /// Takes over the changes of an earlier write, which stay as they are.
  init(following earlier: RecordBuffer) {
    arrivals = earlier.arrivals
    settled = earlier.settled
  }

  /// The number of changes, of which several may have one key.
  var count: Int { arrivals.count + (settled?.count ?? 0) }

  func append(_ change: RecordChange) { arrivals.append(change) }

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
    settled = nil
  }
}

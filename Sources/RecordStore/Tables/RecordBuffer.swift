internal import SatchelCoding

/// The changes of one database in a write.
///
/// The properties do without the check for overlapping accesses: a write is used by one thread, and no access lasts
/// while other code runs.
final class RecordBuffer {
  /// In order of arrival.
  @safe @exclusivity(unchecked) private var changes: [RecordChange] = []
  /// The number of changes that `settled` has.
  @safe @exclusivity(unchecked) private var settledCount = 0
  /// What was pending before, with the changes that have been read.
  @safe @exclusivity(unchecked) private var settled: PendingRecords?

  /// - Parameter earlier: What is pending already, from commits before.
  init(over earlier: PendingRecords?) {
    settled = earlier
  }

  /// Takes over the changes of an earlier write, which stay as they are.
  init(following earlier: RecordBuffer) {
    changes = earlier.changes
    settledCount = earlier.settledCount
    settled = earlier.settled
  }

  /// The number of the write's changes, of which several may have one key.
  var count: Int { changes.count }

  func put(_ value: UnsafeRawBufferPointer, _ key: KeyBytes) {
    changes.append(unsafe RecordChange(put: value, key))
  }

  func remove(_ key: KeyBytes) { changes.append(RecordChange(remove: key)) }

  /// Returns all that is pending; nil if nothing is. O(1) if nothing has changed since the last call.
  /// - Parameter arena: The owner of the values.
  @inline(__always)
  func pending(_ arena: RecordArena) -> PendingRecords? {
    settledCount == changes.count ? settled : settle(arena)
  }

  private func settle(_ arena: RecordArena) -> PendingRecords {
    let added = settledCount == 0 ? changes : Array(changes[settledCount...])
    let pending = (settled ?? PendingRecords(arena)).adding(added)
    settledCount = changes.count
    settled = pending
    return pending
  }

  /// The write's changes, one a key, in the order of arrival.
  var folded: [RecordChange] {
    let run = RecordRun.empty.adding(changes, numberedFrom: 0)
    return run.inOrderOfArrival.map { run[$0] }
  }

  /// Forgets all that is pending.
  func removeAll() {
    changes = []
    settledCount = 0
    settled = nil
  }
}

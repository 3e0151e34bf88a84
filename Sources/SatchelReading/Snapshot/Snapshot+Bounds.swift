internal import LMDB
internal import RankedIndex
internal import SatchelModel
internal import StoreFiles

/// How much one read may read, and whether it ends when its task is cancelled.
package struct ReadBounds: Sendable {
  /// The most entries of indexes.
  package let entries: Int
  /// The most records.
  package let records: Int
  package let endsWithTask: Bool

  package init(entries: Int?, records: Int?, endsWithTask: Bool) {
    self.entries = entries ?? .max
    self.records = records ?? .max
    self.endsWithTask = endsWithTask
  }
}

extension Snapshot {
  /// Throws if the read may not go on. Whoever reads many rows calls it between batches of some hundred, and a sort between comparisons, so
  /// that each question ends soon after its lease has, whatever it is doing. Without bounds nothing is looked at: the work of live lists
  /// goes on to its end.
  /// - Throws: ``SatchelError`` `snapshotExpired` if the read's lease has ended or it has read more than it may; `CancellationError` if its
  ///   task was cancelled; `LMDBError` `suspended` if somebody waits for the files.
  package func checkBounds() throws {
    guard let bounds else { return }
    try transaction.checkLease()
    if bounds.endsWithTask, Task.isCancelled { throw CancellationError() }
    if forest.metrics.entriesRead > bounds.entries { throw expired("entriesRead", bounds.entries) }
    if metrics.recordsRead > bounds.records { throw expired("recordsRead", bounds.records) }
  }

  private func expired(_ bound: String, _ most: Int) -> SatchelError {
    SatchelError(
      .snapshotExpired,
      "The read has read more than its lease allows: narrow the query, or allow more",
      ["bound": bound, "most": String(most)])
  }

  /// How much has been read, for an error that ends the read.
  package var howFar: [String: String] {
    [
      "store": transaction.environment.path, "entriesRead": String(forest.metrics.entriesRead),
      "recordsRead": String(metrics.recordsRead),
    ]
  }
}

internal import LMDB
internal import RankedIndex
internal import RecordStore
internal import SatchelCoding

extension Writer {
  /// Returns what the writes of this transaction have changed so far; nil if some of it is in LMDB already, as it is in
  /// large writes.
  /// - Throws: `RecordError` if a record is removed that is not there: whoever takes the changes to LMDB would find it out too
  ///   late.
  func changes() throws -> CommitChanges? {
    guard let changes = try collectedChanges() else { return nil }
    let before = TableReader(transaction, tables.databases, tail: turn.tail.tables)
    try changes.checkRemovals(in: before)
    return changes
  }

  /// Returns the same, and does not look for what is removed.
  func collectedChanges() throws -> CommitChanges? {
    guard !tables.pending.isWritten, !forest.hasFlushed else { return nil }
    var seal = tables.seal
    seal.trees = []
    return CommitChanges(seal: seal, of: tables.pending, forest: try forest.changes())
  }
}

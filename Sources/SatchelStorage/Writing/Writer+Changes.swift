internal import LMDB
internal import RankedIndex
internal import SatchelCoding

extension Writer {
  /// Returns what the writes of this transaction have changed so far; nil if some of it is in LMDB already, as it is in
  /// large writes.
  /// - Throws: `RecordError` if a record is removed that is not there: whoever takes the changes to LMDB would find it out too
  ///   late.
  func changes() throws -> CommitChanges? {
    guard let changes = try collectedChanges() else { return nil }
    let before = TableReader(transaction, tables.databases, tail: turn.tail.tables)
    for database in RecordDatabase.allCases {
      for change in changes[database] {
        let isThere: Bool
        switch change.kind {
        case .put, .removeOwn: continue
        case .remove: isThere = unsafe try before.get(database, change.name) != nil
        case .removeMissing: isThere = false
        }
        guard isThere else {
          throw RecordError(
            "\(database)", "\(Array(change.keyBytes))", "it was to be removed, and it is missing")
        }
      }
    }
    return changes
  }

  /// Returns the same, and does not look for what is removed.
  func collectedChanges() throws -> CommitChanges? {
    guard !tables.pending.isWritten, !forest.hasFlushed else { return nil }
    var seal = tables.seal
    seal.trees = []
    let pending = tables.pending
    return CommitChanges(
      seal: seal, messages: pending.folded(.messages), bodies: pending.folded(.bodies),
      objects: pending.folded(.objects), forest: try forest.changes(), arena: pending.arena)
  }
}

internal import RankedIndex
internal import SatchelCoding

/// All that the commits of one transaction change: records, entries of indexes, and the seal after them.
package struct CommitChanges: Sendable {
  /// Without the directory of the indexes, which stays as it is until the changes are in LMDB.
  var seal: Seal
  /// One change a key, in the order in which they were made; their values are in an arena that whoever
  /// has the changes keeps.
  var messages: [RecordChange] = []
  var bodies: [RecordChange] = []
  var objects: [RecordChange] = []
  var forest = ForestChanges()
  /// Has the values of the records.
  let arena: RecordArena

  subscript(database: RecordDatabase) -> [RecordChange] {
    switch database {
    case .messages: messages
    case .bodies: bodies
    case .objects: objects
    }
  }
}

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

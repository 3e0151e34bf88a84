internal import RankedIndex
internal import SatchelCoding

/// All that the commits of one transaction change: records, entries of indexes, and the seal after them.
package struct CommitChanges: Sendable {
  /// Without the directory of the indexes, which stays as it is until the changes are in LMDB.
  let seal: Seal
  /// One change a key, in the order in which they were made; their values are in an arena that whoever has the changes
  /// keeps.
  let messages: [RecordChange]
  let bodies: [RecordChange]
  let objects: [RecordChange]
  let forest: ForestChanges
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
  func changes() throws -> CommitChanges? {
    guard !tables.pending.isWritten, !forest.hasFlushed else { return nil }
    var seal = tables.seal
    seal.trees = []
    let pending = tables.pending
    return CommitChanges(
      seal: seal, messages: pending.folded(.messages), bodies: pending.folded(.bodies),
      objects: pending.folded(.objects), forest: try forest.changes(), arena: pending.arena)
  }
}

package import RankedIndex
package import SatchelCoding

/// All that the commits of one transaction change: records, entries of indexes, and the seal after them.
package struct CommitChanges: Sendable {
  /// Without the directory of the indexes, which stays as it is until the changes are in LMDB.
  package var seal: Seal
  /// One change a key, in the order in which they were made; their values are in an arena that whoever
  /// has the changes keeps.
  var messages: [RecordChange] = []
  var bodies: [RecordChange] = []
  var objects: [RecordChange] = []
  package var forest = ForestChanges()
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

extension CommitChanges {
  /// Takes what a write has changed, none of which is in LMDB.
  /// - Parameters:
  ///   - seal: The state after the write, without the directory of the indexes.
  ///   - tables: Has the write's records, and nothing else of its transaction.
  package init(seal: Seal, of tables: PendingTables, forest: ForestChanges) {
    self.init(
      seal: seal, messages: tables.folded(.messages), bodies: tables.folded(.bodies),
      objects: tables.folded(.objects), forest: forest, arena: tables.arena)
  }

  /// Makes sure that each record that is removed is there.
  /// - Parameter tables: The state before the changes.
  /// - Throws: `RecordError` for one that is not: whoever takes the changes to LMDB would find it out too late.
  package func checkRemovals(in tables: TableReader) throws {
    for database in RecordDatabase.allCases {
      for change in self[database] {
        let isThere: Bool
        switch change.kind {
        case .put, .removeOwn: continue
        case .remove: isThere = unsafe try tables.get(database, change.name) != nil
        case .removeMissing: isThere = false
        }
        guard isThere else {
          throw RecordError(
            "\(database)", "\(Array(change.keyBytes))", "it was to be removed, and it is missing")
        }
      }
    }
  }
}

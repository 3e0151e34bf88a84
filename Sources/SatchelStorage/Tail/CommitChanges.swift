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

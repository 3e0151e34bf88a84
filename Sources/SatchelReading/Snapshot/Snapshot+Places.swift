internal import Journal
internal import RankedIndex
package import RankedKeys
package import RecordStore
package import SatchelCoding

/// The file of a store that has a record or an entry of an index as a snapshot shows it.
package enum StoreFile: String {
  case database = "data.mdb"
  case journal
}

/// Which of the store's files a snapshot's records and entries are in. Only in a read.
extension Snapshot {
  /// The last commit that is in `data.mdb`. The commits after it are in the journal.
  package var databaseCommit: UInt64 { tail?.base.sequence ?? seal.commit }

  /// Whether the journal has commits that are not in `data.mdb`.
  package var hasJournaledCommits: Bool { databaseCommit < seal.commit }

  /// Returns the file that has a record as this snapshot shows it.
  package func file(of database: RecordDatabase, _ key: KeyBytes) -> StoreFile {
    tables.change(database, key) == nil ? .database : .journal
  }

  /// Returns the file that has an entry of an index as this snapshot shows it. O(log(entries in the journal)).
  package func file(of tree: TreeSchema, _ row: Words) throws -> StoreFile {
    try forest.isPending(tree, row) ? .journal : .database
  }

  /// Returns the file that has an entry of an index of texts. O(log(entries in the journal)).
  package func file(of tree: TextTreeSchema, _ key: TextKey) throws -> StoreFile {
    try forest.isPending(tree, key) ? .journal : .database
  }
}

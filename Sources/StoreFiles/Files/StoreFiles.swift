/// The directory of a store and the files in it.
package enum StoreFiles {
  package static let dataFile = "data.mdb"
  package static let lockFile = "lock.mdb"
  /// Commits that the data file does not have yet.
  package static let journalFile = "journal"
  /// How far the journal is published.
  package static let headFile = "journal.head"
  /// The files of a store.
  package static let names = [dataFile, lockFile, journalFile, headFile]
  /// The subdirectory in which a new store is made before its file gets its final name.
  package static let nursery = ".creating"
}

package import LMDB
package import StoreFiles

/// What a journal asks of the database that it stands before: LMDB's environment, or what the protocol simulator plays.
package protocol JournaledDatabase: AnyObject, Sendable {
  /// Makes every commit of the database so far durable, whatever the options promise. Called in a writer's turn.
  /// - Throws: The error of the sync, after which nobody knows what is on the disk.
  func syncAfterCommit() throws(LMDBError)
  /// Looks whether the store's names still lead to the files that this process has open.
  /// - Returns: Also whether the journal or its head has lost its name.
  /// - Throws: `replaced` if another file has lost its name: what is written then could be found by nobody.
  func checkFiles() throws(LMDBError) -> HeldFiles.Flaws
  /// Says which file the journal has open under a name; nil if none.
  func hold(_ file: FileIdentity?, as name: HeldFiles.Name)
  /// How often this process has renewed the map: what has found it full may then find room.
  var mapRenewals: UInt64 { get }
  /// Bytes of the pages that the database's last commit uses; nil if that cannot be told. O(free list).
  var usedBytes: Int? { get }
  /// The most bytes that the disk, or a limit, could ever give.
  var mostBytes: Int { get }
  /// Whether the database's file has room for so many bytes in use, and for what is kept beside them for deletions. Takes blocks of
  /// the disk for that.
  /// - Parameter most: What may be needed instead for a while.
  func hasRoom(for bytes: Int, atMost most: Int) -> Bool
  /// Makes those who wait for commits look at the head, too.
  func setOutsideCommits(_ commits: any OutsideCommits)
}

extension Environment: JournaledDatabase {
  package func checkFiles() throws(LMDBError) -> HeldFiles.Flaws { try checkFiles("write") }
}

package import LMDB

/// What a journal asks of the database that it stands before: LMDB's environment, or what the protocol simulator plays.
package protocol JournaledDatabase: AnyObject, Sendable {
  /// Makes every commit of the database so far durable, whatever the options promise. Called in a writer's turn.
  /// - Throws: The error of the sync, after which nobody knows what is on the disk.
  func syncAfterCommit() throws(LMDBError)
  /// Looks whether the database's names still lead to the files that this process has open.
  /// - Throws: `replaced` if not: what is written then could be found by nobody.
  func checkFiles() throws(LMDBError)
  /// How often this process has renewed the map: what has found it full may then find room.
  var mapRenewals: UInt64 { get }
  /// The bytes by which the file may still grow. O(1).
  var roomToGrow: Int { get }
  /// The bytes of pages that commits may use again; nil if that cannot be told. O(free list).
  var reusableBytes: Int? { get }
  /// Makes those who wait for commits look at the head, too.
  func setOutsideCommits(_ commits: any OutsideCommits)
}

extension Environment: JournaledDatabase {
  package func checkFiles() throws(LMDBError) { try checkFiles("write") }

  package var reusableBytes: Int? { (try? info).map { $0.freePages * $0.pageSize } }
}

internal import CLMDB
package import LMDBPages
package import StoreFiles
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension ReadTransaction {
  /// Checks every page of a snapshot against LMDB's format, and the pages against each other: see `PageAudit`.
  /// O(pages in use).
  ///
  /// The snapshot is the one that a transaction begun now sees. Writes meanwhile do not disturb the check.
  /// - Parameter databases: Those of which it is to be told whether a write that gives them up can do without all that is damaged.
  package final func auditPages(givingUp databases: [String] = []) throws(LMDBError) -> PageReport {
    guard isOpen else {
      throw environment.error(.closed, "check the pages", detail: "the transaction is over")
    }
    return try environment.auditPages(givingUp: Set(databases.map { Array($0.utf8) }))
  }
}

extension Environment {
  /// Checks the pages. A reader beside the caller's own transaction keeps the pages of its snapshot meanwhile.
  fileprivate func auditPages(givingUp databases: Set<[UInt8]>) throws(LMDBError) -> PageReport {
    var last: UInt64?
    var isSame = true
    for attempt in 0..<Self.attempts {
      let reader = try beginReadInsideWrite()
      defer { endRead(reader) }
      isSame = isSame && last ?? reader.id == reader.id
      last = reader.id
      let file = unsafe try filePages(mdb_txn_env(reader.handle))
      var roots: SnapshotRoots?
      do throws(MetaPage.Flaw) { roots = try SnapshotRoots.read(of: reader.id, from: file) } catch {
        // Bytes that are read during a write may be of two versions of a meta page. If they stay contradictory, the
        // page is damaged.
        guard attempt < 10 else { throw self.error(error.codeInStore, "check the pages", detail: error.text) }
      }
      if let roots, try roots.isFollowed ? isLastAnnounced(reader.id) : true {
        return PageAudit.run(file, roots, givingUp: databases).report
      }
      // The next commit was announced meanwhile, and the one after it may be being written.
      usleep(200)
    }
    guard isSame else {
      throw error(
        .writerBusy(process: 0), "check the pages",
        detail: "commits follow each other too fast")
    }
    throw error(.corrupted, "check the pages", detail: "the meta pages are not those of the last commit")
  }

  /// Whether no later transaction has been announced: that is the one that a reader begins on.
  private func isLastAnnounced(_ transaction: UInt64) throws(LMDBError) -> Bool {
    let reader = try beginReadInsideWrite()
    defer { endRead(reader) }
    return reader.id == transaction
  }

  /// How often the meta pages are read if commits follow each other too fast for a read.
  private static let attempts = 2000
}

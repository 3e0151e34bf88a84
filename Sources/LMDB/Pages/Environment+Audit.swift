internal import CLMDB
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension ReadTransaction {
  /// Checks every page of a snapshot against LMDB's format and against each other: see `PageAudit`. O(pages in use).
  ///
  /// It is the snapshot that a transaction begun now sees; what is written meanwhile does not disturb it.
  package final func auditPages() throws(LMDBError) -> PageReport {
    guard isOpen else {
      throw environment.error(.closed, "check the pages", detail: "the transaction is over")
    }
    return try environment.auditPages()
  }
}

extension Environment {
  /// The data file of an environment that is entered.
  func filePages(_ handle: OpaquePointer?) throws(LMDBError) -> FilePages {
    var descriptor: Int32 = -1
    guard let handle, mdb_env_get_fd(handle, &descriptor) == 0 else {
      throw .system("read the pages", path: path)
    }
    return FilePages(descriptor: descriptor, pageSize: pageSize)
  }

  /// Where the pages of a state that a write began on are mapped, or nil where that cannot be told.
  func pageMap(limit: UInt64) throws(LMDBError) -> PageMap? {
    // A reader finds it out, for all that follow.
    if mapStart.load(ordering: .acquiring) == 0 { endRead(try beginReadInsideWrite()) }
    guard let base = UnsafeRawPointer(bitPattern: mapStart.load(ordering: .acquiring)) else { return nil }
    return PageMap(base: base, pageSize: pageSize, limit: min(limit, mappedPages.load(ordering: .relaxed)))
  }

  /// A reader beside the caller's own transaction keeps the pages of its snapshot while they are read.
  fileprivate func auditPages() throws(LMDBError) -> PageReport {
    for attempt in 0..<Self.attempts {
      let reader = try beginReadInsideWrite()
      defer { endRead(reader) }
      let file = try filePages(mdb_txn_env(reader.handle))
      do throws(MetaPage.Flaw) {
        if let roots = try SnapshotRoots.read(of: reader.id, from: file) {
          return PageAudit.run(file, roots, .everything).report
        }
      } catch {
        // Bytes that are read while they are written may be of two meta pages; those that stay so are damaged.
        guard attempt < 10 else { throw self.error(.corrupted, "check the pages", detail: error.text) }
      }
      // A commit is in the file and not announced yet, or the next but one is being written.
      usleep(200)
    }
    throw error(.corrupted, "check the pages", detail: "the meta pages are not those of the last commit")
  }

  /// How often the meta pages are read while commits follow so fast that they cannot be.
  private static let attempts = 2000
}

internal import CLMDB
internal import StoreFiles

extension Environment {
  /// The number of the last commit of any process, as the files say: that of LMDB's last transaction, and one more for each
  /// commit that LMDB does not have. O(1). It needs no read transaction and never waits for one, so it may be read anywhere.
  ///
  /// Between the last write of another process's commit and the announcement of that commit to the readers, this number
  /// is one higher than that of the snapshot that a read sees. That lasts for a moment, or longer if that process dies
  /// in between.
  /// - Throws: `closed` or `forked`.
  package var lastTransaction: UInt64 {
    get throws(LMDBError) {
      guard !isForeign else { throw error(.forked, "watch") }
      let others = outsideCommits?.count ?? 0
      // The map is renewed and given up under the same lock.
      return try others &+ numberOffset
        &+ lifecycle.locked { state throws(LMDBError) in
          if let end = state.end { throw refusal("watch", end) }
          guard !state.isSuspended else { throw error(.suspended, "watch") }
          guard let handle = unsafe state.handle else { throw error(.closed, "watch") }
          var info = unsafe MDB_envinfo()
          unsafe mdb_env_info(handle, &info)
          // LMDB does not check this number: in a damaged file it may have any bits.
          return unsafe UInt64(truncatingIfNeeded: info.me_last_txnid)
        }
    }
  }

  /// The number of LMDB's last transaction in the file, which its writer may have had no time to announce before it ended:
  /// then the next write begins before it and gets the same number.
  package var lastTransactionInFile: UInt64 {
    var info = unsafe MDB_envinfo()
    unsafe mdb_env_info(handleInside, &info)
    return unsafe UInt64(truncatingIfNeeded: info.me_last_txnid)
  }

  /// The number of the last commit that a read which begins now would see, counted like `lastTransaction`. O(1).
  /// - Throws: The errors of a read.
  package var readableTransaction: UInt64 {
    get throws(LMDBError) {
      guard !isForeign else { throw error(.forked, "watch") }
      let others = outsideCommits?.count ?? 0
      let reader = try beginRead("watch")
      defer { endRead(reader) }
      return reader.id &+ others &+ numberOffset
    }
  }
}

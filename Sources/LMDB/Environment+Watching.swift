internal import CLMDB

extension Environment {
  /// The last transaction that any process has committed, as the file says. O(1), without a read transaction; never waits
  /// for one, so it may be asked anywhere.
  ///
  /// For the moment between the last write of another process's commit and its announcement to the readers, and longer
  /// if that process dies in between, it is one ahead of what a read sees.
  /// - Throws: `closed` or `forked`.
  package var lastTransaction: UInt64 {
    get throws(LMDBError) {
      guard !isForeign else { throw error(.forked, "watch") }
      // The map is renewed, and given up, under the same lock.
      return try lifecycle.locked { state throws(LMDBError) in
        if let end = state.end { throw refusal("watch", end) }
        guard let handle = state.handle else { throw error(.closed, "watch") }
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        // LMDB does not look at what it gives: a damaged file may have any bits there.
        return UInt64(truncatingIfNeeded: info.me_last_txnid)
      }
    }
  }

  /// The transaction that a read which begins now would see. O(1).
  /// - Throws: As a read.
  package var readableTransaction: UInt64 {
    get throws(LMDBError) {
      guard !isForeign else { throw error(.forked, "watch") }
      let reader = try beginRead("watch")
      defer { endRead(reader) }
      return reader.id
    }
  }

  /// A bell that rings with every commit of this process and with the end of the environment.
  func addBell() throws(LMDBError) -> CommitBell {
    guard !isForeign else { throw error(.forked, "watch") }
    let (handle, _) = try enter("watch")
    defer { leave() }
    var file: Int32 = -1
    mdb_env_get_fd(handle, &file)
    let bell = CommitBell(file: file)
    bells.locked { $0.append(bell) }
    return bell
  }

  func removeBell(_ bell: CommitBell) {
    // In a forked child the lock may be held by a thread that does not exist.
    guard !isForeign else { return }
    bells.locked { bells in bells.removeAll { $0 === bell } }
  }

  func ringBells() {
    for bell in bells.locked({ $0 }) { bell.ring() }
  }
}

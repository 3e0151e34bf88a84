internal import CLMDB
internal import Synchronization

extension WriteTransaction {
  /// Runs `body` on the state before this write: a read transaction beside it, on the same thread, which MDB_NOTLS
  /// allows. Writers take turns, so the last commit stays the one that this write began on.
  package func readBefore<R>(_ body: (ReadTransaction) throws -> R) throws -> R {
    guard isOpen else { throw environment.error(.closed, "read", detail: "the transaction is over") }
    let handle = try environment.beginReadInsideWrite()
    let transaction = ReadTransaction(environment, handle: handle, start: nil)
    defer {
      transaction.endReading()
      environment.endRead(handle)
    }
    return try body(transaction)
  }
}

extension Environment {
  /// `beginRead` of a thread that has entered already. It must not wait for one that wants to map the file anew, because
  /// that one waits for this thread's write to end.
  fileprivate func beginReadInsideWrite() throws(LMDBError) -> OpaquePointer {
    let (environment, idle) = try lifecycle.locked {
      state throws(LMDBError) -> (OpaquePointer, OpaquePointer?) in
      if let end = state.end { throw refusal("read", end) }
      guard let handle = state.handle else { throw error(.closed, "read") }
      state.active += 1
      return (handle, state.idleReaders.popLast())
    }
    if let idle {
      if mdb_txn_renew(idle) == 0 { return idle }
      mdb_txn_abort(idle)
    }
    var handle: OpaquePointer?
    var code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &handle)
    if code == MDB_READERS_FULL {
      // Slots of processes that died are only found again when somebody looks.
      var freed: Int32 = 0
      mdb_reader_check(environment, &freed)
      code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &handle)
    }
    if code == 0, let handle { return handle }
    leave()
    throw LMDBError(raw: code, operation: "read", path: path)
  }
}

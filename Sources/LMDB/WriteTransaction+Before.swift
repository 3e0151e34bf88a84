internal import CLMDB
internal import Synchronization

extension WriteTransaction {
  /// Runs `body` on the state before this write: a read transaction beside it, on the same thread, which MDB_NOTLS
  /// allows. Writers take turns, so the last commit stays the one that this write began on.
  package func readBefore<R>(_ body: (ReadTransaction) throws -> R) throws -> R {
    guard isOpen else { throw environment.error(.closed, "read", detail: "the transaction is over") }
    let reader = try environment.beginReadInsideWrite()
    let transaction = ReadTransaction(environment, reader, start: nil)
    defer {
      transaction.endReading()
      environment.endRead(reader)
    }
    return try body(transaction)
  }
}

extension Environment {
  /// `beginRead` of a thread that has entered already. It must not wait for one that wants to map the file anew, because
  /// that one waits for this thread's write to end.
  func beginReadInsideWrite() throws(LMDBError) -> KeptReader {
    let (environment, idle) = try lifecycle.locked {
      state throws(LMDBError) -> (OpaquePointer, KeptReader?) in
      if let end = state.end { throw refusal("read", end) }
      guard let handle = state.handle else { throw error(.closed, "read") }
      state.active += 1
      return (handle, state.idleReaders.popLast())
    }
    do throws(LMDBError) {
      if let idle, let reader = try begin(environment, idle).reader { return reader }
      var (code, reader) = try begin(environment, nil)
      if code == MDB_READERS_FULL {
        // Slots of processes that died are only found again when somebody looks.
        var freed: Int32 = 0
        mdb_reader_check(environment, &freed)
        (code, reader) = try begin(environment, nil)
      }
      if let reader { return reader }
      throw LMDBError(raw: code, operation: "read", path: path)
    } catch {
      leave()
      throw error
    }
  }
}

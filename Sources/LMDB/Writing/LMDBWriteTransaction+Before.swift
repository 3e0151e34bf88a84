internal import CLMDB
internal import Synchronization

extension LMDBWriteTransaction {
  /// Runs `body` on the state before this write. It uses a read transaction on the same thread, which MDB_NOTLS allows.
  /// Writers take turns, so the last commit is still the one that this write began on.
  /// - Throws: `closed` if this transaction is over, the errors of a read, or what `body` throws.
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
  /// Begins a read as `beginRead` does, on a thread that has already entered the environment. It must not wait for a
  /// thread that wants to remap the file, because that thread waits for this thread's write to end.
  func beginReadInsideWrite() throws(LMDBError) -> KeptReader {
    let (environment, idle) = unsafe try enterAgain("read")
    do throws(LMDBError) {
      if let idle, let reader = unsafe try begin(environment, idle).reader { return reader }
      var (code, reader) = unsafe try begin(environment, nil)
      if code == MDB_READERS_FULL {
        // The slots of dead processes are freed only when somebody checks for them.
        var freed: Int32 = 0
        unsafe mdb_reader_check(environment, &freed)
        (code, reader) = unsafe try begin(environment, nil)
      }
      if let reader { return reader }
      throw LMDBError(raw: code, operation: "read", path: path)
    } catch {
      leave()
      throw error
    }
  }
}

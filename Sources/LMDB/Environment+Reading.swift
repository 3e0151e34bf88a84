internal import CLMDB
internal import Synchronization

extension Environment {
  /// Runs `body` on a snapshot: what was committed when it began, whatever is written meanwhile.
  ///
  /// Never waits for a writer. Inside another transaction of this environment on the same thread it throws `nested`.
  /// With a lease, `ReadTransaction.checkLease()` says when a streaming read has held the snapshot for too long.
  package func read<R>(lease: Lease? = nil, _ body: (ReadTransaction) throws -> R) throws -> R {
    try checkEntry("read")
    return try ThreadScope.enter(number) {
      let reader = try beginRead("read")
      let transaction = ReadTransaction(self, reader, start: lease.map { start($0) })
      defer {
        transaction.endReading()
        endRead(reader)
      }
      return try body(transaction)
    }
  }

  /// A transaction over the last commit, of a store that is entered. Balance with `endRead`.
  func beginRead(_ operation: StaticString) throws(LMDBError) -> KeptReader {
    var attempts = 0
    while true {
      let (environment, idle) = try enter(operation, reader: true)
      let code: Int32
      do throws(LMDBError) {
        let reader: KeptReader?
        (code, reader) = try begin(environment, idle)
        if let reader { return reader }
      } catch {
        leave()
        throw error
      }
      attempts += 1
      try recover(from: code, attempts, environment, operation)
    }
  }

  /// Begins a transaction, or an idle one anew, and takes its snapshot. Returns LMDB's code, and no reader if it is not 0.
  @inline(__always)
  func begin(_ environment: OpaquePointer, _ idle: KeptReader?) throws(LMDBError) -> (
    code: Int32, reader: KeptReader?
  ) {
    var reader: KeptReader
    if let idle {
      let code = mdb_txn_renew(idle.handle)
      guard code == 0 else {
        mdb_txn_abort(idle.handle)
        return (code, nil)
      }
      reader = idle
    } else {
      var handle: OpaquePointer?
      let code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &handle)
      guard code == 0, let handle else { return (code, nil) }
      reader = KeptReader(handle)
    }
    do throws(LMDBError) {
      let code = try takeSnapshot(reader)
      if code == 0 { return (0, reader) }
      mdb_txn_abort(reader.handle)
      return (code, nil)
    } catch {
      mdb_txn_abort(reader.handle)
      throw error
    }
  }

  /// Ends what `beginRead` began; the transaction is kept for the next reader.
  func endRead(_ reader: KeptReader) {
    mdb_txn_reset(reader.handle)
    leave(idle: reader)
  }

  /// Ends the entry of a transaction that did not begin; returns when it is worth another attempt.
  func recover(
    from code: Int32, _ attempts: Int, _ environment: OpaquePointer, _ operation: StaticString
  ) throws(LMDBError) {
    let error = LMDBError(raw: code, operation: "\(operation)", path: path)
    if error.poisonsEnvironment { poison(error) }
    // Slots of processes that died are only found again when somebody looks.
    var freed: Int32 = 0
    if code == MDB_READERS_FULL { mdb_reader_check(environment, &freed) }
    leave()
    guard attempts < 8 else { throw error }
    if code == MDB_MAP_RESIZED { return try adoptMapSize(operation) }
    // At the first attempt another thread may have looked, and freed them, a moment before.
    if code == MDB_READERS_FULL, freed > 0 || attempts == 1 { return }
    throw error
  }

  private func start(_ lease: Lease) -> LeaseStart {
    LeaseStart(lease: lease, deadline: deadline(afterSeconds: lease.seconds), bytes: committedBytes())
  }
}

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
      let handle = try beginRead("read")
      let transaction = ReadTransaction(self, handle: handle, start: lease.map { start($0, handle) })
      defer {
        transaction.endReading()
        endRead(handle)
      }
      return try body(transaction)
    }
  }

  /// A transaction over the last commit, of a store that is entered. Balance with `endRead`.
  func beginRead(_ operation: StaticString) throws(LMDBError) -> OpaquePointer {
    var attempts = 0
    while true {
      let (environment, idle) = try enter(operation, reader: true)
      var handle: OpaquePointer?
      let code: Int32
      if let idle {
        code = mdb_txn_renew(idle)
        if code == 0 { handle = idle } else { mdb_txn_abort(idle) }
      } else {
        code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &handle)
      }
      if code == 0, let handle { return handle }
      attempts += 1
      try recover(from: code, attempts, environment, operation)
    }
  }

  /// Ends what `beginRead` began; the transaction is kept for the next reader.
  func endRead(_ handle: OpaquePointer) {
    mdb_txn_reset(handle)
    leave(idle: handle)
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

  private func start(_ lease: Lease, _ handle: OpaquePointer) -> LeaseStart {
    LeaseStart(lease: lease, deadline: deadline(afterSeconds: lease.seconds), bytes: committedBytes())
  }
}

internal import CLMDB
package import StoreFiles
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#endif

extension Environment {
  /// Runs `body` in the only write transaction, on this thread, and commits what it did. If `body` throws, the
  /// transaction is aborted.
  ///
  /// Waits for its turn among the writers of this process, then for other processes. `body` runs at most once.
  /// - Parameters:
  ///   - seconds: How long to wait for other processes, if the options do not say less; for what can be done later.
  ///   - databases: Two that are given up if pages of theirs are damaged, and nothing else of the file: `body` finds them with what is
  ///     readable of them, changes neither before it has emptied both by `deleteAll`, and makes all of their values again.
  ///   - afterCommit: Called with the result after the commit, before anybody else writes.
  /// - Throws: `nested` inside another transaction of this environment on the same thread, what `body` throws, or the
  ///   error of the transaction.
  package func write<R>(
    waiting seconds: Double = .infinity, givingUp databases: [String] = [],
    _ body: (LMDBWriteTransaction) throws -> R,
    afterCommit: (R) -> Void = { _ in }
  ) throws -> R {
    try checkEntryOfWrite()
    let deadline = writerDeadline(seconds)
    _ = try writers.acquire()
    defer { writers.release() }
    return try pageGuard.givingUp(databases) {
      try beginningWrite(isDeferred: false, until: deadline) { access in
        let result = try working(access, body)
        try access.commit()
        afterCommit(result)
        return result
      }
    }
  }

  /// Runs `body` on the store's own writer thread, when its turn in the queue of writers has come.
  ///
  /// Cancelling the task has an effect only until then.
  /// - Parameters:
  ///   - owner: Writes with the same owner may share what one of them has begun; nil for one that shares nothing.
  ///   - body: Receives the group to join, or nil if it leads, and when it gives up waiting for other processes.
  package func runOnWriterThread<R: Sendable>(
    for owner: ObjectIdentifier?, _ body: @escaping @Sendable ((any WriterGroup)?, UInt64?) throws -> R
  ) async throws -> R {
    guard !isForeign else { throw error(.forked, "write") }
    guard !options.readOnly else { throw error(.readOnly, "write") }
    let deadline = writerDeadline()
    let job = WriteJob(owner: owner) { group in try body(group, deadline) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if job.attach(continuation) { writers.submit(job) }
      }
    } onCancel: {
      job.cancel()
    }
  }

  /// The number of writers of this process that wait for their turn.
  package var waitingWriters: Int { writers.count }

  /// Checks that this thread may write.
  /// - Throws: `nested`, `forked`, `readOnly`.
  package func checkEntryOfWrite() throws(LMDBError) {
    try checkEntry("write")
    guard !options.readOnly else { throw error(.readOnly, "write") }
  }

  /// Runs `body` with what a write has of LMDB, once no other process is writing. Call it in a turn of the queue of writers.
  ///
  /// `body` commits or aborts it: `working` aborts what has failed.
  /// - Parameter isDeferred: Whether to begin with a snapshot. LMDB's write transaction follows if it is needed.
  package func beginningWrite<R>(
    isDeferred: Bool, until deadline: UInt64?, _ body: (WriteAccess) throws -> R
  ) throws -> R {
    try growMapIfNeeded()
    return try ThreadScope.enter(number) {
      let access = try beginWrite(isDeferred: isDeferred, until: deadline)
      defer { access.end() }
      return try body(access)
    }
  }

  /// Runs `body`, which works in a write that another thread has begun, in its turn.
  package func joiningWrite<R>(_ body: () throws -> R) throws -> R { try ThreadScope.enter(number, body) }

  /// Runs `body` in a transaction that this thread has begun. If `body` throws, or leaves the transaction unusable, the
  /// transaction is aborted.
  package func working<R>(_ access: WriteAccess, _ body: (LMDBWriteTransaction) throws -> R) throws -> R {
    let transaction = LMDBWriteTransaction(self, access)
    do {
      let result = try body(transaction)
      try transaction.checkUsable()
      transaction.end()
      return result
    } catch {
      transaction.end()
      access.abort(because: transaction.firstFailure ?? error)
      throw error
    }
  }

  /// Begins a write once no other process is writing. Balance with `WriteAccess.end`.
  /// - Parameter isDeferred: Whether to begin with a snapshot. LMDB's write transaction follows if it is needed.
  private func beginWrite(isDeferred: Bool, until deadline: UInt64?) throws(LMDBError) -> WriteAccess {
    var attempts = 0
    while true {
      let (environment, _) = unsafe try enter("write")
      let code: Int32
      do throws(LMDBError) {
        unsafe try enterOrder(environment, until: deadline)
      } catch {
        leave()
        throw error
      }
      do throws(LMDBError) {
        if isDeferred, let reader = unsafe try beginExactly(environment) {
          return WriteAccess(self, reader, until: deadline)
        }
        let (found, handle) = unsafe try beginDatabaseWrite(environment, isOrdered: true, until: deadline)
        if let handle = unsafe handle { return unsafe WriteAccess(self, writing: handle, until: deadline) }
        code = found
      } catch {
        leaveOrder()
        leave()
        throw error
      }
      attempts += 1
      leaveOrder()
      unsafe try prepareAnotherAttempt(after: code, attempts, environment, "write")
    }
  }

  /// Begins a snapshot for a write. Nil if none can be begun, or if it may be a later one than its number says, as LMDB's can be
  /// beside two checkpoints: what is known of a state is kept under its number.
  private func beginExactly(_ environment: OpaquePointer) throws(LMDBError) -> KeptReader? {
    guard let reader = unsafe try begin(environment, idleReaders.take()).reader else { return nil }
    if reader.snapshot != nil { return reader }
    unsafe mdb_txn_abort(reader.handle)
    return nil
  }
}

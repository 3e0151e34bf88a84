internal import CLMDB
internal import StoreFiles

extension Environment {
  /// Runs `body` in a write transaction that it may share with other writes of the same owner which are next to it in
  /// the queue: one commit makes the work of all of them durable.
  ///
  /// `body` runs once, on this thread, in the order of the queue, while no other body runs. It receives the state that
  /// the write before it in the transaction has left, or nil if it is the first one, and returns its own state. If it
  /// throws, its own changes are undone, and no others. The call returns when the transaction is durable. If that
  /// fails, or if one of the writers has a failure that leaves LMDB's transaction unusable, nothing of the transaction
  /// is stored, and all of its writers throw that error.
  ///
  /// If `body` throws, the call waits for the end of the transaction as well: `body` may have thrown because of what an
  /// earlier body has done, and that may yet fail. No body may wait for another write to return.
  ///
  /// With `deferring`, the write begins on a snapshot, and `LMDBWriteTransaction.beginChanges` begins LMDB's write
  /// transaction: for writes whose changes mostly go elsewhere. They then do not wait for a checkpoint.
  /// - Parameter seconds: How long to wait for other processes, if the options do not say less. For an owner with a single write
  ///   at a time: those that join it have no more time.
  package func write<State: JoinableWrite, R>(
    as owner: AnyObject, deferring isDeferred: Bool = false, waiting seconds: Double = .infinity,
    _ body: (LMDBWriteTransaction, State?) throws -> (R, State)
  ) throws -> R {
    try checkEntry("write")
    guard !options.readOnly else { throw error(.readOnly, "write") }
    let owner = ObjectIdentifier(owner)
    let deadline = writerDeadline(seconds)
    guard let (turn, group) = try writers.acquire(for: owner) else {
      defer { writers.release() }
      return try lead(owner, onWriterThread: false, isDeferred, until: deadline, body)
    }
    let result = Result { try join(group, body) }
    group.enroll(turn)
    group.advance()
    try turn.outcome()
    return try result.get()
  }

  /// Does the same as `write(as:)`, on the store's own writer thread, in the same queue as the synchronous writes.
  ///
  /// Cancelling the task has an effect only until the write begins.
  package func writeOnWriterThread<State: JoinableWrite, R: Sendable>(
    as owner: AnyObject, deferring isDeferred: Bool = false,
    _ body: @escaping @Sendable (LMDBWriteTransaction, State?) throws -> (R, State)
  ) async throws -> R {
    guard !isForeign else { throw error(.forked, "write") }
    guard !options.readOnly else { throw error(.readOnly, "write") }
    let owner = ObjectIdentifier(owner)
    let deadline = writerDeadline()
    return try await run(
      WriteJob(owner: owner) { [self] group in
        if let group { return try join(group, body) }
        return try lead(owner, onWriterThread: true, isDeferred, until: deadline, body)
      })
  }

  /// Begins a transaction, does its own work in it, lets other writers do theirs, and commits.
  private func lead<State: JoinableWrite, R>(
    _ owner: ObjectIdentifier, onWriterThread: Bool, _ isDeferred: Bool, until deadline: UInt64?,
    _ body: (LMDBWriteTransaction, State?) throws -> (R, State)
  ) throws -> R {
    try growMapIfNeeded()
    return try ThreadScope.enter(number) {
      let access = try beginWrite(isDeferred: isDeferred, until: deadline)
      defer { access.end() }
      var isShared = false
      var ending = WriteEnding.commit
      let (result, state) = try working(access) { transaction in
        let (result, state) = try body(transaction, nil)
        try transaction.checkUsable()
        isShared = isShareable(state, by: owner)
        if !isShared { ending = try state.complete(in: nil) }
        return (result, state)
      }
      if isShared {
        let group = WriteGroup(
          access, owner: owner, queue: writers, sharing: options.sharing,
          leadsOnWriterThread: onWriterThread, state: state)
        group.gather()
        let outcome = Result { try finish(group) }
        var failure: (any Error)?
        if case .failure(let error) = outcome { failure = error }
        group.settle(failure)
        try outcome.get()
      } else {
        try end(access, ending)
        state.committed(ending)
      }
      return result
    }
  }

  private func isShareable(_ state: some JoinableWrite, by owner: ObjectIdentifier) -> Bool {
    options.sharing.writers > 1 && writers.isNext(of: owner) && state.isJoinable
  }

  /// Does its work in a transaction that another thread has begun, and undoes the work if it fails.
  private func join<State: JoinableWrite, R>(
    _ group: WriteGroup, _ body: (LMDBWriteTransaction, State?) throws -> (R, State)
  ) throws -> R {
    try ThreadScope.enter(number) {
      let transaction = LMDBWriteTransaction(self, group.access, of: group)
      transaction.keepOldValues()
      defer {
        transaction.end()
        if let failure = transaction.firstFailure { group.fail(failure) }
      }
      do {
        let (result, state) = try body(transaction, group.state as? State)
        try transaction.checkUsable()
        group.state = state
        return result
      } catch {
        transaction.rollBack()
        throw error
      }
    }
  }

  /// Ends the transaction of a group: commits it or, after a failure, aborts it.
  private func finish(_ group: WriteGroup) throws {
    if let failure = group.failure {
      group.access.abort(because: failure)
      throw failure
    }
    guard let state = group.state as? any JoinableWrite else {
      preconditionFailure("a group was begun with the state of no write")
    }
    let ending = try working(group.access) { try state.complete(in: $0) }
    try end(group.access, ending)
    state.committed(ending)
  }

  /// Ends a transaction whose writes have succeeded.
  private func end(_ access: WriteAccess, _ ending: WriteEnding) throws(LMDBError) {
    switch ending {
    case .commit: try access.commit()
    case .abort:
      access.abort()
      ringBells()
    }
  }
}

internal import CLMDB

extension Environment {
  /// `write` in a transaction that it shares with those of the same owner who stand next to it in the line: one commit
  /// makes the work of all of them durable.
  ///
  /// `body` runs once, on this thread, alone, in the order of the line. It is given what the write before it in the
  /// transaction has left, nil if it is the first one, and returns what it leaves itself. When it throws, its own changes
  /// are undone, and no others. The call returns when the transaction is durable; when that fails, or one of the writers
  /// has met a failure that leaves LMDB's transaction unusable, nothing of it is stored, and all of them throw that error.
  ///
  /// A body that throws waits for the end as well: it may have thrown for what an earlier one has done, and which may yet
  /// fail. No body may wait for another write to return.
  package func write<State: JoinableWrite, R>(
    as owner: AnyObject, _ body: (WriteTransaction, State?) throws -> (R, State)
  ) throws -> R {
    try checkEntry("write")
    guard !options.readOnly else { throw error(.readOnly, "write") }
    let owner = ObjectIdentifier(owner)
    let deadline = writerDeadline()
    guard let (turn, group) = try writers.acquire(for: owner) else {
      defer { writers.release() }
      return try lead(owner, onWriterThread: false, until: deadline, body)
    }
    let result = Result { try join(group, body) }
    group.enroll(turn)
    group.advance()
    try turn.outcome()
    return try result.get()
  }

  /// `write(as:)` on the store's own writer thread, in the same line as the synchronous ones.
  ///
  /// Cancelling the task counts until the write begins, never after.
  package func writeOnWriterThread<State: JoinableWrite, R: Sendable>(
    as owner: AnyObject, _ body: @escaping @Sendable (WriteTransaction, State?) throws -> (R, State)
  ) async throws -> R {
    guard !isForeign else { throw error(.forked, "write") }
    guard !options.readOnly else { throw error(.readOnly, "write") }
    let owner = ObjectIdentifier(owner)
    let deadline = writerDeadline()
    return try await run(
      WriteJob(owner: owner) { [self] group in
        if let group { return try join(group, body) }
        return try lead(owner, onWriterThread: true, until: deadline, body)
      })
  }

  /// Begins a transaction, works in it, lets others do so, and commits.
  private func lead<State: JoinableWrite, R>(
    _ owner: ObjectIdentifier, onWriterThread: Bool, until deadline: UInt64?,
    _ body: (WriteTransaction, State?) throws -> (R, State)
  ) throws -> R {
    try growMapIfNeeded()
    return try ThreadScope.enter(number) {
      let handle = try beginWrite(until: deadline)
      defer { endWrite() }
      var isShared = false
      let (result, state) = try working(handle) { transaction in
        let (result, state) = try body(transaction, nil)
        isShared = isShareable(state, by: owner) && transaction.firstFailure == nil
        if !isShared { try state.complete(in: nil) }
        return (result, state)
      }
      if isShared {
        let group = WriteGroup(
          handle: handle, owner: owner, queue: writers, sharing: options.sharing,
          leadsOnWriterThread: onWriterThread, state: state)
        group.gather()
        let outcome = Result { try finish(group) }
        var failure: (any Error)?
        if case .failure(let error) = outcome { failure = error }
        group.settle(failure)
        try outcome.get()
      } else {
        try commit(handle)
        state.committed()
      }
      return result
    }
  }

  private func isShareable(_ state: some JoinableWrite, by owner: ObjectIdentifier) -> Bool {
    options.sharing.writers > 1 && writers.isNext(of: owner) && state.isJoinable
  }

  /// Works in the transaction that another thread has begun, and leaves no trace there when that fails.
  private func join<State: JoinableWrite, R>(
    _ group: WriteGroup, _ body: (WriteTransaction, State?) throws -> (R, State)
  ) throws -> R {
    try ThreadScope.enter(number) {
      let transaction = WriteTransaction(self, writing: group.handle)
      transaction.keepOldValues()
      defer {
        transaction.end()
        if let failure = transaction.firstFailure { group.fail(failure) }
      }
      do {
        let (result, state) = try body(transaction, group.state as? State)
        if let failure = transaction.firstFailure { throw failure }
        group.state = state
        return result
      } catch {
        transaction.rollBack()
        throw error
      }
    }
  }

  /// Ends the transaction of a group.
  private func finish(_ group: WriteGroup) throws {
    if let failure = group.failure {
      abort(group.handle, because: failure)
      throw failure
    }
    try working(group.handle) { try group.state.complete(in: $0) }
    try commit(group.handle)
    group.state.committed()
  }
}

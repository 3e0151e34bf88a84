package import LMDB
internal import StoreFiles

extension Environment {
  /// Runs `body` in a write that it may share with other writes of the same owner which are next to it in
  /// the queue: one commit makes the work of all of them durable.
  ///
  /// `body` runs once, on this thread, in the order of the queue, while no other body runs. It receives the state that
  /// the write before it in the group has left, or nil if it is the first one, and returns its own state. If it
  /// throws, its own changes are lost, and no others. The call returns when the group is durable. If that
  /// fails, nothing of the group is stored, and all of its writers throw that error.
  ///
  /// If `body` throws, the call waits for the end of the group as well: `body` may have thrown because of what an
  /// earlier body has done, and that may yet fail. No body may wait for another write to return.
  ///
  /// With `deferring`, the write begins on a snapshot, and `LMDBWriteTransaction.beginChanges` begins LMDB's write
  /// transaction: for writes whose changes mostly go elsewhere. They then do not wait for a checkpoint.
  /// - Parameter seconds: How long to wait for other processes, if the options do not say less. For an owner with a single write
  ///   at a time: those that join it have no more time.
  package func write<State: JoinableWrite, R>(
    as owner: AnyObject, _ limits: GroupLimits = GroupLimits(), deferring isDeferred: Bool = false,
    waiting seconds: Double = .infinity, _ body: (LMDBWriteTransaction, State?) throws -> (R, State)
  ) throws -> R {
    try checkEntryOfWrite()
    let owner = ObjectIdentifier(owner)
    let deadline = writerDeadline(seconds)
    guard let (turn, group) = try writers.acquire(for: owner) else {
      defer { writers.release() }
      return try lead(owner, limits, onWriterThread: false, isDeferred, until: deadline, body)
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
    as owner: AnyObject, _ limits: GroupLimits = GroupLimits(), deferring isDeferred: Bool = false,
    _ body: @escaping @Sendable (LMDBWriteTransaction, State?) throws -> (R, State)
  ) async throws -> R {
    let owner = ObjectIdentifier(owner)
    return try await runOnWriterThread(for: owner) { [self] group, deadline in
      if let group { return try join(group, body) }
      return try lead(owner, limits, onWriterThread: true, isDeferred, until: deadline, body)
    }
  }

  /// Begins a write, does its own work in it, lets other writers do theirs, and commits.
  private func lead<State: JoinableWrite, R>(
    _ owner: ObjectIdentifier, _ limits: GroupLimits, onWriterThread: Bool, _ isDeferred: Bool,
    until deadline: UInt64?, _ body: (LMDBWriteTransaction, State?) throws -> (R, State)
  ) throws -> R {
    try beginningWrite(isDeferred: isDeferred, until: deadline) { access in
      var isShared = false
      var isInDatabase = true
      let (result, state) = try working(access) { transaction in
        let (result, state) = try body(transaction, nil)
        try transaction.checkUsable()
        isShared =
          limits.writers > 1 && writers.isNext(of: owner) && state.isJoinable && !access.hasChanged
        if !isShared { isInDatabase = try state.complete(in: nil) }
        return (result, state)
      }
      guard isShared else {
        try end(access, inDatabase: isInDatabase)
        state.committed(inDatabase: isInDatabase)
        return result
      }
      let group = WriteGroup(
        access, owner: owner, queue: writers, limits: limits, leadsOnWriterThread: onWriterThread,
        state: state)
      group.gather()
      let outcome = Result { try finish(group) }
      var failure: (any Error)?
      if case .failure(let error) = outcome { failure = error }
      group.settle(failure)
      try outcome.get()
      return result
    }
  }

  /// Does its work in a group that another thread leads.
  private func join<State: JoinableWrite, R>(
    _ group: any WriterGroup, _ body: (LMDBWriteTransaction, State?) throws -> (R, State)
  ) throws -> R {
    guard let group = group as? WriteGroup else { preconditionFailure("a group of somebody else") }
    return try joiningWrite {
      let transaction = LMDBWriteTransaction(self, group.access) { () throws(LMDBError) in
        try group.begin()
      }
      do {
        let (result, state) = try body(transaction, group.state as? State)
        try transaction.checkUsable()
        transaction.end()
        group.state = state
        return result
      } catch {
        transaction.end()
        group.takeBack(because: transaction.firstFailure, isLost: transaction.isGivenUp)
        throw error
      }
    }
  }

  /// Ends the write of a group: commits it or, after a failure, aborts it.
  private func finish(_ group: WriteGroup) throws {
    if let failure = group.failure {
      group.access.abort(because: failure)
      throw failure
    }
    let isInDatabase = try working(group.access) { try group.state.complete(in: $0) }
    try end(group.access, inDatabase: isInDatabase)
    group.state.committed(inDatabase: isInDatabase)
  }

  /// Ends a write whose bodies have succeeded.
  private func end(_ access: WriteAccess, inDatabase isInDatabase: Bool) throws(LMDBError) {
    if isInDatabase { return try access.commit() }
    access.abort()
    ringBells()
  }
}

internal import CLMDB
internal import StoreFiles

/// Writing beside the writers, who go on with snapshots: for a checkpoint, which takes to LMDB what they have committed elsewhere.
extension Environment {
  /// Runs `body` in LMDB's write transaction, on this thread, and commits what it did. Waits for no writer who has not begun that
  /// transaction himself.
  ///
  /// What `body` does must not change what the store holds: writers go on upon the state before.
  /// - Throws: As `write`; `writerBusy` if another process has that transaction for more than some seconds; `suspended` if somebody
  ///   suspends the environment meanwhile.
  package func writeBeside<R>(_ body: (LMDBWriteTransaction) throws -> R) throws -> R {
    try checkEntryOfWrite()
    try growMapIfNeeded()
    return try ThreadScope.enter(number) {
      let access = try beginBeside()
      defer { access.end() }
      let result = try working(access) { transaction in
        let result = try body(transaction)
        try transaction.checkYielding()
        return result
      }
      try access.commit()
      return result
    }
  }

  /// Begins LMDB's write transaction beside the writers. Balance with `WriteAccess.end`.
  /// - Parameter seconds: How long to wait for another process: it can be done later.
  func beginBeside(waiting seconds: Double = patience) throws(LMDBError) -> WriteAccess {
    let deadline = writerDeadline(seconds)
    var attempts = 0
    while true {
      let (environment, _) = unsafe try enter("write")
      let code: Int32
      do throws(LMDBError) {
        let (found, handle) = unsafe try beginDatabaseWrite(environment, isOrdered: false, until: deadline)
        if let handle = unsafe handle {
          return unsafe WriteAccess(self, writing: handle, isOrdered: false, until: deadline)
        }
        code = found
      } catch {
        leave()
        throw error
      }
      attempts += 1
      unsafe try prepareAnotherAttempt(after: code, attempts, environment, "write")
    }
  }

  /// Runs `body` as a writer who writes nothing: no other writer of any process is at work meanwhile.
  /// - Parameter seconds: How long to wait for other processes.
  /// - Throws: As `write`; `writerBusy` after that time.
  package func inTurn<R>(waiting seconds: Double, _ body: () throws -> R) throws -> R {
    try checkEntry("write")
    _ = try writers.acquire()
    defer { writers.release() }
    let (environment, _) = unsafe try enter("write")
    defer { leave() }
    unsafe try enterOrder(environment, until: deadline(afterSeconds: seconds))
    defer { leaveOrder() }
    return try body()
  }
}

internal import CLMDB
internal import StoreFiles

/// How a write comes to its turn among the writers of all processes, and to LMDB's write transaction.
extension Environment {
  /// Returns the time at which a writer that comes now gives up waiting for other processes; nil for never.
  /// - Parameter seconds: How long it waits at most, whatever the options say.
  package func writerDeadline(_ seconds: Double = .infinity) -> UInt64? {
    let limit = min(options.writerWait ?? .infinity, seconds)
    return limit < .infinity ? deadline(afterSeconds: limit) : nil
  }

  /// Waits until no other process is writing, and takes the gate and the order.
  /// - Throws: `writerBusy`, `suspended`, or the system's error.
  func enterOrder(_ environment: OpaquePointer, until deadline: UInt64?) throws(LMDBError) {
    let file = unsafe file(of: environment)
    if hasGate { try enter(gate, file, until: deadline, options.onWriterWait) }
    do throws(LMDBError) {
      // It has no gate before it that holds, if another process has lost its own.
      if let process = try order.acquire(until: deadline) { throw busy(process) }
    } catch {
      if hasGate { gate.leave(file) }
      throw error
    }
  }

  /// Lets other processes write.
  func leaveOrder() {
    order.release()
    guard hasGate, let handle = unsafe lifecycle.locked({ unsafe $0.handle }) else { return }
    unsafe gate.leave(file(of: handle))
  }

  /// Does the same for a writer who is not inside any more, unless the files were closed since and took his turn away.
  func leaveOrder(of opening: UInt64) {
    lifecycle.locked { state in
      guard openings == opening, let handle = unsafe state.handle else { return }
      order.release()
      if hasGate { unsafe gate.leave(file(of: handle)) }
    }
  }

  /// Waits until nobody is in LMDB's write transaction, and takes the gate before it. Balance with `leaveDatabase`.
  ///
  /// A thread of this process that waits at the gate has a bound, so that the wait for that one has none.
  /// - Parameters:
  ///   - isOrdered: Whether it is the writer whose turn it is.
  ///   - deadline: When to give up waiting for another process; nil for never.
  /// - Throws: `writerBusy`, `suspended`.
  func enterDatabase(
    _ environment: OpaquePointer, isOrdered: Bool, until deadline: UInt64?
  ) throws(LMDBError) {
    guard hasGate else { return databaseTurn.locked(when: { !$0 }) { isTaken, _ in isTaken = true } }
    let file = unsafe file(of: environment)
    let isTurn = databaseTurn.locked { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    if isTurn, databaseGate.tryToEnter(file) { return }
    if isOrdered { WriterGate.setWaiting(file, true) }
    defer { if isOrdered { WriterGate.setWaiting(file, false) } }
    let report = isOrdered ? options.onWriterWait : nil
    if !isTurn { waitForDatabaseTurn(file, report) }
    do throws(LMDBError) {
      try enter(databaseGate, file, until: deadline, report)
    } catch {
      leaveDatabaseTurn()
      throw error
    }
  }

  private func enter(
    _ gate: WriterGate, _ file: Int32, until deadline: UInt64?,
    _ report: (@Sendable (WriterWait) -> Void)?
  ) throws(LMDBError) {
    switch gate.enter(file, until: deadline, report) {
    case .inside: return
    case .busy(let process): throw busy(process)
    case .interrupted: throw error(.suspended, "write")
    }
  }

  /// Waits for a thread of this process, which may be waiting for another process.
  private func waitForDatabaseTurn(_ file: Int32, _ report: (@Sendable (WriterWait) -> Void)?) {
    let begin = monotonicNanoseconds()
    var next = begin
    var isMine = false
    while !isMine {
      next &+= WriterGate.reportInterval
      isMine = databaseTurn.locked(when: { !$0 }, until: report == nil ? nil : next) { isTaken, isFree in
        if isFree { isTaken = true }
        return isFree
      }
      if !isMine, let process = databaseGate.culprit(file) {
        report?(WriterWait(process: process, seconds: Double(monotonicNanoseconds() &- begin) / 1e9))
      }
    }
  }

  /// Lets others of any process begin LMDB's write transaction.
  func leaveDatabase() {
    if hasGate, let handle = unsafe lifecycle.locked({ unsafe $0.handle }) {
      unsafe databaseGate.leave(file(of: handle))
    }
    leaveDatabaseTurn()
  }

  private func leaveDatabaseTurn() {
    databaseTurn.locked { $0 = false }
    databaseTurn.notify()
  }

  private func busy(_ process: Int32) -> LMDBError {
    error(.writerBusy(process: process), "write", detail: "after \(options.writerWait ?? Self.patience) s")
  }

  /// Seconds after which something that can be done later gives up waiting for another process.
  package static let patience = 10.0

  /// Whether writers wait at the gates. No other process is expected to know the file of an import.
  private var hasGate: Bool { options.durability != .temporaryImport }

  private func file(of environment: OpaquePointer) -> Int32 {
    var file: Int32 = -1
    unsafe mdb_env_get_fd(environment, &file)
    return file
  }
}

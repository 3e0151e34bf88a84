internal import CommitEngine
internal import Journal
internal import LMDB
internal import SatchelCoding
internal import SatchelStorage

extension SimulatedStore {
  /// As `Store.beginCheckpoint`.
  func beginCheckpoint() {
    guard journal.checkpointer.isRequested else { return }
    journal.checkpointer.begin(on: { body in
      help { body() }
      return true
    }) { [self] in
      do {
        try checkpointBeside()
        return true
      } catch {
        machine.note { "no checkpoint: \(error)" }
        return false
      }
    }
  }

  /// As `Store.checkpointBeside`.
  func checkpointBeside() throws {
    guard let taken = try takeCheckpoint() else { return }
    let durable = try journal.durable(taken, by: .thisProcess, sync: environment.sync)
    try? endCheckpoint(taken, durable)
    history.checkpoints += 1
  }

  private func takeCheckpoint() throws -> Seal? {
    let base = try environment.beginWrite(isBounded: true)
    defer { environment.endWrite() }
    guard base.seal.isJournalInUse, let tail = try journal.tail(after: base.seal), !tail.isEmpty else {
      return nil
    }
    var taken = tail.seal
    taken.isJournalInUse = true
    try checkAlive()
    try journal.syncBeforeCheckpoint(of: tail)
    try journal.readAhead(of: taken)
    try environment.commit(SimulatedDatabase.Version(base.number + 1, taken, Content(base, tail)))
    try checkAlive()
    machine.note { "a checkpoint at \(taken.commit)" }
    return taken
  }

  /// As `Environment.inTurn(waiting: 1)`.
  private func endCheckpoint(_ seal: Seal, _ durable: DurableState) throws {
    try inQueue {
      let file = history.directory.order
      while !order.tryToTake() {
        guard
          machine.wait(
            isBounded: true, for: { file.text }, until: { self.order.isFree })
        else { throw Gone() }
      }
      defer { order.unlock() }
      try journal.checkpointed(seal, durable)
    }
  }

  // MARK: Closing

  /// As `Store.close`.
  func close() {
    waitForHelpers()
    defer {
      journal.closeFiles()
      environment.close()
    }
    guard !access.isReadOnly, journal.seemsAlone() else { return }
    _ = try? inQueue {
      try inOrder {
        let transaction = try Transaction(environment, isDeferred: false)
        defer { transaction.end() }
        guard journal.isAlone() else { return }
        machine.note { "closes alone" }
        let isBehind = transaction.isBehindFile
        let turn = try run(.checkpoint(closing: true), transaction, [], 0)
        if let written = turn.written {
          try? journal.empty(after: written, by: .thisProcess)
        } else if !isBehind {
          try? journal.empty(after: turn.base, by: .anybody)
        }
      }
    }
  }
}

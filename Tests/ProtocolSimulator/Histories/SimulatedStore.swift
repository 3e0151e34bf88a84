internal import CommitEngine
internal import Journal
internal import LMDB
internal import RecordStore
internal import SatchelCoding
internal import SatchelModel

/// A store, as a process has it open: what `Store` and `Writer` do around a commit, in the same order and with the same
/// conditions, on the simulated database. The journal is the real one.
final class SimulatedStore: @unchecked Sendable {
  let history: History
  let process: SimulatedProcess
  let environment: SimulatedEnvironment
  let journal: CommitJournal
  let access: CommitJournal.Access
  let order: SimulatedLock
  /// The fiber of this process whose turn it is to write.
  var writer: Fiber?
  /// The fibers beside the first one.
  private(set) var helpers = 0

  var machine: Machine { history.machine }
  var ledger: Ledger { history.ledger }

  /// The process is gone.
  struct Gone: Error {}

  /// A write that has begun anew after a checkpoint finds another state than the one that it has read.
  struct OtherState: Error {}

  init(_ history: History, _ process: SimulatedProcess, _ access: CommitJournal.Access) {
    self.history = history
    self.process = process
    self.access = access
    environment = SimulatedEnvironment(history.database, process, isSynced: access.isSynced)
    journal = CommitJournal(
      before: environment, in: history.directory.place(for: process), of: History.owner, access,
      history.options, turns: StateTurns(machine: history.machine, process: process))
    order = SimulatedLock(history.directory, process, history.directory.order)
  }

  private struct StateTurns: ThreadTurns, @unchecked Sendable {
    let machine: Machine
    let process: SimulatedProcess

    func begin() {
      machine.pause(18)
      machine.waitWhileHeld(by: { process.holder }, of: process)
      process.holder = machine.current
    }

    func end() { process.holder = nil }
  }

  func checkAlive() throws { if process.isDead { throw Gone() } }

  /// Starts another thread of this process.
  func help(_ body: @escaping () -> Void) {
    helpers += 1
    machine.spawn(process) { [self] in
      body()
      helpers -= 1
    }
  }

  /// Waits until the other threads of this process have ended.
  func waitForHelpers() { _ = machine.wait(for: { "its own threads" }, until: { self.helpers == 0 }) }

  // MARK: Opening

  /// As `Store.recover`.
  func open() throws {
    while true {
      let seal = try environment.snapshot().version.seal
      if seal.isJournalInUse {
        try read()
        return
      }
      let flaw: any Error
      do {
        if try journal.isUnused(after: seal) { return }
        flaw = SatchelError(.foreignJournal, "it has commits, and the file says that it has all")
      } catch {
        flaw = error
      }
      try checkAlive()
      guard try environment.snapshot().version.seal != seal else { throw flaw }
    }
  }

  // MARK: Reading

  /// As `Store.reading`. Returns the last commit that it has seen.
  @discardableResult
  func read() throws -> UInt64 {
    var attempts = 0
    var last: (transaction: UInt64, stamp: UInt64)?
    var repetitions = 0
    while true {
      let floor = ledger.last
      let version = try environment.snapshot().version
      do {
        let tail: Tail?
        if version.seal.isJournalInUse {
          guard let found = try journal.tail(after: version.seal) else {
            throw SatchelError(.io, "Other processes write so often that no snapshot could be taken")
          }
          tail = found
        } else {
          tail = nil
        }
        try checkAlive()
        let content = Content(version, tail)
        let commit = tail?.seal.commit ?? version.seal.commit
        machine.note { "reads commit \(commit), upon \(version.seal.commit)" }
        _ = ledger.check(content, commit, after: floor, boot: machine.boot, by: process.name)
        return commit
      } catch {
        try checkAlive()
        let state = (version.number, journal.stamp)
        attempts += 1
        repetitions = last.map { $0 == state } == true ? repetitions + 1 : 1
        machine.note { "cannot read: \(error)" }
        guard attempts < 100, repetitions < 3 else { throw error }
        last = state
      }
    }
  }
}

internal import Journal
internal import StoreFiles

/// The directory of the store: names, files and locks, which outlive the processes.
final class SimulatedDirectory {
  let machine: Machine
  /// The deliberate defect, if there is one.
  let control: Control?
  /// Called when a record has been written, for a writer who does not wait for his sync.
  var onRecordWritten: (() -> Void)?
  private var journal: SimulatedFile?
  private var head: HeadFile?
  private var isJournalNameSynced = false
  private(set) var presence = LockFile("the presence")
  private(set) var openers = LockFile("the openers' lock")
  let order = LockFile("the writers' lock")
  let claim = LockFile("the claim")
  private var nextFile: UInt64 = 1
  private var nonces: UInt32 = 0

  /// What a call of a process throws that is no more.
  static let gone = SystemFailure(5)

  init(_ machine: Machine, _ control: Control?) {
    self.machine = machine
    self.control = control
  }

  func controlled(_ control: Control, _ body: () -> Void) { if self.control == control { body() } }

  /// Returns the journal's place, for a process.
  func place(for process: SimulatedProcess) -> any JournalPlace { Place(directory: self, process: process) }

  func syncNames() { isJournalNameSynced = journal != nil }

  /// Loses what was not synced, and all locks.
  func cutPower() {
    journal?.cutPower(&machine.random)
    if !isJournalNameSynced, machine.random.percent(50) { journal = nil }
    isJournalNameSynced = journal != nil
    if machine.random.oneIn(8) { head = nil } else { head?.cutPower(&machine.random) }
    // Those who had the locks are gone.
    forget()
    machine.vanishing = []
    machine.boot += 1
  }

  func forget() {
    presence.holders = []
    openers.holders = []
    order.holders = []
    claim.holders = []
  }

  /// Puts a copy in the place of a file, or nothing: those who have it open keep the old one.
  func replace(_ name: JournalName, byCopy: Bool) {
    machine.note { "\(name.file) is \(byCopy ? "replaced by a copy" : "removed")" }
    switch name {
    case .journal:
      openers = LockFile("the openers' lock of another journal")
      journal = byCopy ? journal.map { SimulatedFile(newIdentity(), copyOf: $0) } : nil
    case .head:
      presence = LockFile("the presence of another head")
      let copy = byCopy ? head : nil
      head = copy.map { old in
        let new = HeadFile(newIdentity())
        (new.words, new.isWhole) = (old.words, old.isWhole)
        return new
      }
    }
  }

  /// Which file a name leads to; nil if none.
  func identity(of name: JournalName) -> FileIdentity? {
    name == .journal ? journal?.identity : head?.identity
  }

  /// Whether the deliberate defect keeps somebody from a lock.
  func isRefused(
    _ mode: JournalLock.Mode, on lock: SimulatedLock, hadShared: Bool, waiting: JournalLock.Waiting
  ) -> Bool {
    guard mode == .exclusive, waiting == .no, lock.file === presence else { return false }
    switch control {
    case .headBelieved: return machine.boot > 1
    case .openerKilled: return hadShared
    default: return false
    }
  }

  private func newIdentity() -> FileIdentity {
    nextFile += 1
    return FileIdentity(device: 1, inode: nextFile)
  }

  private struct Place: JournalPlace, @unchecked Sendable {
    let directory: SimulatedDirectory
    let process: SimulatedProcess

    var path: String { "simulated" }
    private var machine: Machine { directory.machine }

    func exists(_ name: JournalName) -> Bool {
      machine.pause(14)
      return name == .journal ? directory.journal != nil : directory.head != nil
    }

    func openJournal(_ access: JournalFile.Access) throws(JournalError) -> JournalFile {
      try step("open", .journal)
      if directory.journal == nil, access == .creating {
        directory.journal = SimulatedFile(directory.newIdentity())
        directory.isJournalNameSynced = false
      }
      guard let file = directory.journal else { throw missing(.journal) }
      return JournalFile(SimulatedStorage(directory, file))
    }

    func openHead(_ access: JournalFile.Access) throws(JournalError) -> JournalHead {
      try step("open", .head)
      if directory.head == nil, access == .creating { directory.head = HeadFile(directory.newIdentity()) }
      guard let file = directory.head else { throw missing(.head) }
      if !file.isWhole, access == .creating {
        try step("create", .head)
        file.isWhole = true
      }
      guard file.isWhole else {
        throw JournalError(.invalid, operation: "open", path: path(of: .head), detail: "too short")
      }
      return JournalHead(SimulatedHead(machine, file), access)
    }

    func openLock(
      _ name: JournalLockName, _ access: JournalFile.Access
    ) throws(JournalError) -> JournalLock {
      try step("open", name == .presence ? .head : .journal)
      switch name {
      case .openers:
        guard directory.journal != nil else { throw missing(.journal) }
        return JournalLock(SimulatedLock(directory, process, directory.openers))
      case .presence:
        guard directory.head != nil else { throw missing(.head) }
        return JournalLock(SimulatedLock(directory, process, directory.presence))
      case .claim: return JournalLock(SimulatedLock(directory, process, directory.claim))
      }
    }

    func identity(of name: JournalName) throws(JournalError) -> FileIdentity? {
      try step("look for", name)
      return directory.identity(of: name)
    }

    var boot: BootIdentity? { BootIdentity(high: 0, low: UInt64(machine.boot)) }

    func makeNonce() -> UInt32 {
      guard directory.control != .generationKept else { return 1 }
      directory.nonces += 1
      return directory.nonces
    }

    private func step(_ operation: String, _ name: JournalName) throws(JournalError) {
      guard machine.pause(15) else {
        throw JournalError(
          .system(SimulatedDirectory.gone.number), operation: operation, path: path(of: name))
      }
      if let failure = machine.failure(.open) {
        throw JournalError(.system(failure.number), operation: operation, path: path(of: name))
      }
    }

    private func missing(_ name: JournalName) -> JournalError {
      JournalError(
        .file(LMDBError(.noSuchStore, operation: "open", path: path(of: name))), operation: "open",
        path: path(of: name))
    }
  }
}

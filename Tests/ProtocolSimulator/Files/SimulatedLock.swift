internal import Journal

/// What a lock is on: a file of the directory, or the directory.
final class LockFile {
  let name: String
  var holders: [SimulatedLock] = []
  /// Whether the last one who had it has ended with it.
  var hasLostOwner = false

  init(_ name: String) { self.name = name }

  func admits(_ mode: JournalLock.Mode, to lock: SimulatedLock) -> Bool {
    holders.allSatisfy { $0 === lock || (mode == .shared && $0.mode == .shared) }
  }

  /// Who has it, for people.
  var text: String {
    let names = holders.map { "\($0.process.name) has \($0.mode == .shared ? "shared" : "alone")" }
    return "\(name), which \(names.isEmpty ? "nobody has" : names.joined(separator: ", "))"
  }
}

/// A lock, as a process has it open.
final class SimulatedLock: LockStorage, @unchecked Sendable {
  private unowned let directory: SimulatedDirectory
  let process: SimulatedProcess
  let file: LockFile
  private(set) var mode: JournalLock.Mode?

  init(_ directory: SimulatedDirectory, _ process: SimulatedProcess, _ file: LockFile) {
    self.directory = directory
    self.process = process
    self.file = file
    process.locks.append(self)
  }

  func lock(_ wanted: JournalLock.Mode, waiting: JournalLock.Waiting) throws(SystemFailure) -> Bool {
    let machine = directory.machine
    guard machine.pause(11) else { throw SimulatedDirectory.gone }
    if let failure = machine.failure(.lock) { throw SystemFailure(failure.number) }
    let hadShared = mode == .shared
    if mode != nil {
      // Going over to another mode lets go of the one before first.
      drop()
      guard machine.pause(12) else { throw SimulatedDirectory.gone }
    }
    if directory.isRefused(wanted, on: self, hadShared: hadShared, waiting: waiting) { return false }
    while !file.admits(wanted, to: self) {
      guard waiting != .no else { return false }
      let isFree = machine.wait(
        isBounded: waiting == .aMoment, for: { self.file.text },
        until: { self.file.admits(wanted, to: self) })
      guard !process.isDead else { throw SimulatedDirectory.gone }
      guard isFree else { return false }
    }
    mode = wanted
    file.holders.append(self)
    return true
  }

  /// Whether nobody has it, also no other thread of this process.
  var isFree: Bool { mode == nil && file.holders.isEmpty }

  /// Takes it alone, if nobody has it.
  func tryToTake() -> Bool {
    guard isFree, !process.isDead else { return false }
    mode = .exclusive
    file.holders.append(self)
    return true
  }

  func unlock() {
    // A killed process lets go when the system takes it.
    guard mode != nil, !process.isDead else { return }
    drop()
    directory.machine.pause(13)
  }

  func drop() {
    mode = nil
    file.holders.removeAll { $0 === self }
  }
}

internal import CommitEngine
internal import Journal
internal import SatchelStorage
internal import TestSupport

/// One play of the protocol: processes that open a store, read it, write to it and close it again, with accidents.
final class History: @unchecked Sendable {
  let seed: UInt64
  let machine: Machine
  let directory: SimulatedDirectory
  let database: SimulatedDatabase
  let ledger: Ledger
  let control: Control?
  private(set) var options = JournalOptions()
  var checkpoints = 0
  var databaseCommits = 0
  private(set) var reads = 0
  private(set) var lives = 0
  private(set) var accidents: [String] = []
  /// How the processes are: writers of both levels of durability, or of one.
  private let levels: [Bool]
  /// Whether writers at the same place write the same, so that what a crash has left can be taken for what follows.
  private let isAlike: Bool
  private let processCount: Int
  private var hasFailingCalls = false

  static let owner = JournalOwner(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
  /// How many commits a history has at least.
  static let commits = 50

  init(seed: UInt64, _ pool: FiberPool, control: Control? = nil, isLogging: Bool = false) {
    self.seed = seed
    self.control = control
    machine = Machine(seed: seed, pool, isLogging: isLogging)
    directory = SimulatedDirectory(machine, control)
    database = SimulatedDatabase(
      directory, isRobust: machine.random.percent(50), tellsAll: machine.random.percent(50))
    ledger = Ledger(machine)
    levels = machine.random.pick([[true], [false], [true, false], [true, true, false]])
    let isAlike = machine.random.oneIn(3)
    // What an earlier writer has left fits where another one goes on only if they write the same.
    self.isAlike = isAlike || control == .generationKept
    processCount = 3 + machine.random.below(2)
    options.commitsBefore = machine.random.below(2)
    options.checkpointCommits = UInt64(6 + machine.random.below(20))
    options.mostCommits = 4 * options.checkpointCommits
    options.maximumRecordBytes = 1400
    options.limits = JournalLimits(
      segmentSize: machine.random.pick([2048, 4096]), softSegments: 2 + machine.random.below(3),
      hardSegments: 8)
    plan()
  }

  /// Plays it, and lets go of what it had.
  func play() {
    run()
    directory.forget()
    database.lock.holders = []
    machine.forget()
  }

  private func run() {
    for _ in 0..<processCount { machine.spawn(nil) { [self] in liveOn() } }
    machine.run()
    guard machine.violation == nil else { return }
    guard isComplete else {
      return machine.fail(
        "after \(lives) processes there are \(ledger.acknowledged) commits and \(checkpoints) checkpoints only"
      )
    }
    finish()
  }

  // MARK: Accidents

  private func plan() {
    let count = 1 + machine.random.below(4)
    var step = 0
    for _ in 0..<count {
      step += 20 + machine.random.below(900)
      add(at: step)
    }
    if control == .generationKept {
      // It takes records that were lost, with others of the same generation in their places.
      for _ in 0..<6 { add(at: 50 + machine.random.below(1500)) { self.cutPower() } }
    }
    if control == .fileReplaced { add(at: 200 + machine.random.below(600)) { self.replace() } }
  }

  private func add(at step: Int, _ accident: (() -> Void)? = nil) {
    let chosen =
      accident
      ?? machine.random.pick(weighted: [
        (4, { self.kill() }), (3, { self.cutPower() }), (2, { self.pauseProcess() }),
        (3, { self.failCall() }),
      ])
    machine.plan.append((step, chosen))
    machine.plan.sort { $0.step < $1.step }
  }

  private func kill() {
    guard let process = victim() else { return }
    accidents.append("kill")
    machine.kill(process)
  }

  private func pauseProcess() {
    guard let process = victim() else { return }
    accidents.append("stop")
    process.stoppedUntil = machine.steps + 50 + machine.random.below(800)
    machine.note { "\(process.name) is stopped" }
  }

  private func failCall() {
    guard let process = victim() else { return }
    accidents.append("failing call")
    hasFailingCalls = true
    process.failure = CallFailure(
      kind: machine.random.pick(CallFailure.Kind.allCases), number: machine.random.pick([5, 28]),
      share: machine.random.pick([0, 0, 30, 60, 100]))
  }

  private func cutPower() {
    accidents.append(ledger.isFound ? "power cut" : "power cut while it comes up again")
    machine.note { "THE POWER IS CUT" }
    for process in machine.livingProcesses { process.isDead = true }
    directory.cutPower()
    database.cutPower()
    ledger.cutPower()
    // Often something happens while it comes up again.
    if machine.random.percent(50) { add(at: machine.steps + 5 + machine.random.below(80)) }
  }

  private func replace() {
    accidents.append("replaced file")
    directory.replace(.journal, byCopy: true)
  }

  private func victim() -> SimulatedProcess? {
    let living = machine.livingProcesses
    guard !living.isEmpty else { return nil }
    if let process = machine.current?.process, !process.isDead, machine.random.percent(40) { return process }
    return machine.random.pick(living)
  }

  // MARK: Processes

  private var isDone: Bool {
    machine.isOver || isComplete || lives > Self.mostLives
  }

  /// Whether there was all that a history has at least.
  private var isComplete: Bool {
    ledger.acknowledged >= Self.commits && checkpoints > 0 && machine.plan.isEmpty && !accidents.isEmpty
  }

  /// After how many processes a store that takes no commits any more is given up.
  private static let mostLives = 400

  /// One process after the other, until the history is long enough.
  private func liveOn() {
    while !isDone {
      if ledger.acknowledged >= 2 * Self.commits, !machine.plan.isEmpty { machine.plan[0].step = 0 }
      live(isReadOnly: machine.random.oneIn(10), operations: 2 + machine.random.below(30))
    }
  }

  private func live(isReadOnly: Bool, operations: Int) {
    let process = machine.makeProcess()
    machine.current?.process = process
    defer { machine.current?.process = nil }
    lives += 1
    var access = CommitJournal.Access()
    access.isReadOnly = isReadOnly
    access.isSynced = machine.random.pick(levels)
    access.isAppending = !isReadOnly && !machine.random.oneIn(20)
    machine.note {
      "\(process.name) starts\(isReadOnly ? ", to read" : access.isSynced ? "" : ", relaxed")"
    }
    let store = SimulatedStore(self, process, access)
    do {
      try store.open()
      for _ in 0..<operations where !process.isDead && !isDone { try operate(store, isReadOnly) }
    } catch {
      judge(error, process)
    }
    guard !process.isDead else { return }
    if store.environment.isFatal || machine.random.oneIn(4) {
      // It ends without closing the store.
      return machine.kill(process)
    }
    store.close()
  }

  private func operate(_ store: SimulatedStore, _ isReadOnly: Bool) throws {
    let choice = machine.random.below(100)
    if isReadOnly || choice < 25 {
      reads += 1
      try store.read()
    } else if choice < 85 {
      let members = machine.random.percent(80) ? 1 : 2 + machine.random.below(3)
      try store.write(tokens(members), padding: machine.random.pick([0, 0, 100, 700, 1000]))
      store.beginCheckpoint()
    } else if choice < 91 {
      try store.writeAlone(.database, tokens(1), padding: 100)
    } else if choice < 93 {
      try store.writeAlone(.checkpoint(closing: false), [])
    } else if store.helpers < 2 {
      let count = 1 + machine.random.below(6)
      store.help { [self] in
        do {
          for _ in 0..<count where !store.process.isDead { try store.read() }
        } catch {
          judge(error, store.process)
        }
      }
    }
  }

  private func tokens(_ count: Int) -> [UInt64] {
    (0..<count).map { _ in isAlike ? UInt64(count) : machine.random.next() }
  }

  /// An error is what a program may get after a call has failed, and nothing else.
  private func judge(_ error: any Error, _ process: SimulatedProcess) {
    guard !process.isDead, machine.violation == nil else { return }
    machine.note { "an error: \(error)" }
    if !hasFailingCalls { machine.fail("\(process.name) gets an error without a reason: \(error)") }
  }

  /// When all have ended: somebody opens the store once more, and finds what was acknowledged.
  private func finish() {
    hasFailingCalls = false
    machine.plan = []
    machine.spawn(nil) { [self] in
      for isReadOnly in [true, false] {
        let process = machine.makeProcess()
        machine.current?.process = process
        defer { machine.current?.process = nil }
        var access = CommitJournal.Access()
        access.isReadOnly = isReadOnly
        access.isAppending = !isReadOnly
        machine.note { "\(process.name) looks at the end\(isReadOnly ? ", to read" : "")" }
        let store = SimulatedStore(self, process, access)
        do {
          try store.open()
          try store.read()
          if !isReadOnly {
            for _ in 0..<4 { try store.write(tokens(1), padding: 0) }
            try store.read()
          }
        } catch {
          machine.fail("the store cannot be opened at the end: \(error)")
        }
        store.close()
      }
    }
    machine.run()
  }
}

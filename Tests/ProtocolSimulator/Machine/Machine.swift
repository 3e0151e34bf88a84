internal import TestSupport

/// A machine whose processes do one step at a time, in an order that follows from a seed.
///
/// Whatever a process asks of the system is a step, and `pause` stands before it: there another process may go on, this one may be
/// killed or stopped, and the power may be cut. Only the fiber that has the baton uses the machine, so nothing here has a lock.
final class Machine: @unchecked Sendable {
  var random: SeededGenerator
  private let pool: FiberPool
  private(set) var fibers: [Fiber] = []
  private var fiberCount = 0
  /// Who has the baton; nil while the caller of `run` has it.
  private(set) var current: Fiber?
  private let caller = Baton()
  private(set) var steps = 0
  /// The last step before somebody else may go on.
  private var turnEnd = 0
  /// The average number of steps of a turn.
  private let turnLength: Int
  /// A number that two equal runs have in common.
  private(set) var trace: UInt64 = 0
  private var processes: [SimulatedProcess] = []
  /// The locks of killed processes, which the system takes from them one by one.
  var vanishing: [SimulatedLock] = []
  /// What the plan has for the next step that it names.
  var plan: [(step: Int, accident: () -> Void)] = []
  /// What has gone wrong: the first thing.
  private(set) var violation: String?
  /// Whether what is left only runs to its end.
  private(set) var isOver = false
  /// How often the machine was started.
  var boot = 1
  /// The last steps, for whoever looks at one history.
  private(set) var log: [String] = []
  let isLogging: Bool

  init(seed: UInt64, _ pool: FiberPool, isLogging: Bool) {
    random = SeededGenerator(seed: seed)
    self.pool = pool
    self.isLogging = isLogging
    turnLength = random.pick([1, 4, 4, 10, 10, 10, 30, 30])
  }

  // MARK: Processes

  func makeProcess() -> SimulatedProcess {
    let process = SimulatedProcess(processes.count + 1)
    processes.append(process)
    return process
  }

  /// Starts a thread.
  func spawn(_ process: SimulatedProcess?, _ body: @escaping () -> Void) {
    let fiber = pool.take()
    fiber.process = process
    fiber.hasTimedOut = false
    fibers.append(fiber)
    fiberCount += 1
    fiber.prepare(fiberCount, body) { [self] in finish($0) }
  }

  /// Lets the fibers run until all have ended. Call it once.
  func run() {
    guard let first = choose() else { return }
    current = first
    first.baton.pass()
    caller.take()
    current = nil
  }

  /// Ends a process, wherever its threads are.
  func kill(_ process: SimulatedProcess) {
    guard !process.isDead else { return }
    note { "\(process.name) is killed" }
    process.isDead = true
    vanishing += process.locks.filter { $0.mode != nil }
  }

  var livingProcesses: [SimulatedProcess] {
    var found: [SimulatedProcess] = []
    for fiber in fibers {
      if let process = fiber.process, !process.isDead, !found.contains(where: { $0 === process }) {
        found.append(process)
      }
    }
    return found
  }

  /// Says that something has gone wrong, and ends the history.
  func fail(_ text: @autoclosure () -> String) {
    guard violation == nil else { return }
    violation = text()
    note { "VIOLATION: \(violation ?? "")" }
    stop()
  }

  /// Ends all processes: nothing has an effect any more.
  func stop() {
    isOver = true
    for fiber in fibers { fiber.process?.isDead = true }
  }

  func note(_ text: () -> String) {
    guard isLogging else { return }
    log.append("\(steps) \(current?.process?.name ?? "-").\(current?.number ?? 0): \(text())")
  }

  /// Lets go of what refers to one another.
  func forget() {
    plan = []
    vanishing = []
    for process in processes { process.locks = [] }
    processes = []
  }

  // MARK: Steps

  /// Stands before each step of a process.
  /// - Returns: Whether the process is still there; if not, the step must have no effect.
  @discardableResult
  func pause(_ kind: UInt64 = 0) -> Bool {
    guard let me = current, let process = me.process, !process.isDead else { return false }
    steps += 1
    trace = (trace ^ kind ^ UInt64(me.number)) &* 0x100_0000_01B3
    if steps >= Self.mostSteps {
      fail("no end after \(steps) steps: \(waits)")
      return false
    }
    while let next = plan.first, next.step <= steps, !isOver {
      plan.removeFirst()
      next.accident()
    }
    if !vanishing.isEmpty, random.oneIn(4) { vanishOne() }
    if steps >= turnEnd || process.stoppedUntil > steps {
      turnEnd = steps + 1 + random.below(2 * turnLength)
      if !process.isDead { yield(me) }
    }
    return !process.isDead
  }

  /// The call that is to fail now, if one of this kind is.
  func failure(_ kind: CallFailure.Kind) -> CallFailure? {
    guard let process = current?.process, let failure = process.failure, failure.kind == kind else {
      return nil
    }
    process.failure = nil
    note { "a call fails: \(kind)" }
    return failure
  }

  /// Waits until a condition holds.
  /// - Parameter isBounded: Whether the wait may end without it.
  /// - Returns: Whether it holds; false also if the process is gone.
  func wait(isBounded: Bool = false, for text: @escaping () -> String, until condition: @escaping () -> Bool)
    -> Bool
  {
    guard let me = current else { return true }
    guard let process = me.process, !process.isDead else { return false }
    if condition() { return true }
    me.hasTimedOut = false
    me.status = .waiting(
      Fiber.Wait(text: text, condition: condition, isBounded: isBounded, begin: steps))
    note { "waits for \(text())" }
    pass(me)
    me.status = .ready
    if process.isDead { return false }
    return condition()
  }

  /// Waits, dead or alive, until nobody else is in what only one thread at a time may be in.
  func waitWhileHeld(by holder: @escaping () -> Fiber?, of process: SimulatedProcess) {
    guard let me = current else { return }
    while let other = holder(), other !== me {
      me.status = .waiting(
        Fiber.Wait(
          text: { "the journal's state, which fiber \(holder()?.number ?? 0) of \(process.name) has" },
          condition: { holder() == nil }, isBounded: false, begin: steps))
      pass(me)
      me.status = .ready
    }
  }

  private func yield(_ me: Fiber) {
    me.status = .ready
    pass(me)
  }

  /// Lets the next fiber go on, and returns when it is this one's turn again.
  private func pass(_ me: Fiber) {
    guard let next = choose() else { preconditionFailure("a fiber that waits is among those that are left") }
    guard next !== me else { return }
    current = next
    next.baton.pass()
    me.baton.take()
    current = me
  }

  private func finish(_ me: Fiber) {
    me.status = .done
    me.process = nil
    fibers.removeAll { $0 === me }
    pool.give(me)
    guard let next = choose() else { return caller.pass() }
    current = next
    next.baton.pass()
  }

  /// Returns the fiber that goes on; nil if none is left.
  private func choose() -> Fiber? {
    while !fibers.isEmpty {
      // What is left of a killed process first: it has no effect, and is not to be waited for.
      if let dead = fibers.first(where: { $0.process?.isDead == true && canUnwind($0) }) { return dead }
      var ready: [Fiber] = []
      for fiber in fibers where isReady(fiber) { ready.append(fiber) }
      if !ready.isEmpty { return ready[random.below(ready.count)] }
      if !makeSomebodyReady() { fail("deadlock: \(waits)") }
    }
    return nil
  }

  private func canUnwind(_ fiber: Fiber) -> Bool {
    if let holder = fiber.process?.holder, holder !== fiber, case .waiting = fiber.status { return false }
    return true
  }

  private func isReady(_ fiber: Fiber) -> Bool {
    if let process = fiber.process, process.stoppedUntil > steps { return false }
    switch fiber.status {
    case .ready: return true
    case .done: return false
    case .waiting(let wait):
      if wait.condition() { return true }
      if fiber.hasTimedOut { return true }
      if wait.isBounded, steps - wait.begin > Self.patience, random.oneIn(8) {
        fiber.hasTimedOut = true
        return true
      }
      return false
    }
  }

  /// When all wait: time goes by.
  private func makeSomebodyReady() -> Bool {
    if !vanishing.isEmpty {
      vanishOne()
      return true
    }
    if let stopped = fibers.compactMap(\.process).filter({ $0.stoppedUntil > steps }).min(by: {
      $0.stoppedUntil < $1.stoppedUntil
    }) {
      stopped.stoppedUntil = 0
      return true
    }
    for fiber in fibers {
      if case .waiting(let wait) = fiber.status, wait.isBounded, !fiber.hasTimedOut {
        fiber.hasTimedOut = true
        return true
      }
    }
    return false
  }

  private func vanishOne() {
    let lock = vanishing.remove(at: random.below(vanishing.count))
    note { "the system takes \(lock.file.name) from \(lock.process.name)" }
    lock.drop()
    lock.file.hasLostOwner = true
  }

  /// Who waits for whom.
  private var waits: String {
    fibers.map { fiber in
      let name = "\(fiber.process?.name ?? "-").\(fiber.number)"
      switch fiber.status {
      case .waiting(let wait): return "\(name) waits since step \(wait.begin) for \(wait.text())"
      default: return "\(name) goes on"
      }
    }.joined(separator: "; ")
  }

  private static let mostSteps = 200_000
  /// After how many steps a wait with a bound may end.
  private static let patience = 400
}

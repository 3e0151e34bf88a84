internal import StoreFiles
internal import Synchronization

/// Many histories, one after the other on each processor.
package struct Simulation: Sendable {
  /// The seed of the first history; the next one has the next number.
  package var seed: UInt64
  package var histories: Int
  /// The deliberate defect to look for; nil to look for those of the product.
  package var control: Control?
  /// How many histories are played at a time.
  package var jobs = 2
  /// After how many violations to stop.
  package var mostViolations = 1

  package init(seed: UInt64, histories: Int, control: Control? = nil) {
    self.seed = seed
    self.histories = histories
    self.control = control
  }

  /// What was found.
  package struct Result: Sendable {
    package var histories = 0
    package var commits = 0
    package var checkpoints = 0
    package var reads = 0
    package var lives = 0
    package var steps = 0
    package var accidents: [String: Int] = [:]
    /// What two equal runs have in common.
    package var trace: UInt64 = 0
    /// Each with the seed that repeats it.
    package var violations: [(seed: UInt64, text: String)] = []

    mutating func add(_ history: History) {
      histories += 1
      commits += history.ledger.acknowledged
      checkpoints += history.checkpoints
      reads += history.reads
      lives += history.lives
      steps += history.machine.steps
      trace ^= history.machine.trace
      for accident in history.accidents { accidents[accident, default: 0] += 1 }
      if let text = history.machine.violation { violations.append((history.seed, text)) }
    }

    fileprivate mutating func add(_ other: Result) {
      histories += other.histories
      commits += other.commits
      checkpoints += other.checkpoints
      reads += other.reads
      lives += other.lives
      steps += other.steps
      trace ^= other.trace
      accidents.merge(other.accidents, uniquingKeysWith: +)
      violations += other.violations
    }
  }

  /// Plays all histories, or as many as it takes to find `mostViolations`.
  package func run() -> Result {
    let next = Atomic(0)
    let found = Atomic(0)
    let result = Mutex(Result())
    let ended = Baton()
    for job in 0..<jobs {
      let hasBegun = BackgroundThread.start {
        Processor.stay(on: job)
        let pool = FiberPool(processor: job)
        var own = Result()
        while found.load(ordering: .relaxed) < mostViolations {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < histories else { break }
          let history = History(seed: seed &+ UInt64(index), pool, control: control)
          history.play()
          if history.machine.violation != nil { found.add(1, ordering: .relaxed) }
          own.add(history)
        }
        pool.end()
        result.withLock { $0.add(own) }
        ended.pass()
      }
      precondition(hasBegun, "no thread left")
    }
    for _ in 0..<jobs { ended.take() }
    var all = result.withLock { $0 }
    all.violations.sort { $0.seed < $1.seed }
    return all
  }

  /// Plays one history, and tells each of its steps that matters.
  package static func log(seed: UInt64, control: Control? = nil) -> [String] {
    let pool = FiberPool(processor: 0)
    defer { pool.end() }
    let history = History(seed: seed, pool, control: control, isLogging: true)
    history.play()
    return history.machine.log
  }
}

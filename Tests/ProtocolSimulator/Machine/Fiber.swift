internal import LMDB

/// A thread of a simulated process. Of all fibers of a machine one runs at a time: the one that has the baton.
final class Fiber: @unchecked Sendable {
  enum Status {
    case ready
    /// Until the condition holds, or, of a wait with a bound, until the schedule ends it.
    case waiting(Wait)
    case done
  }

  struct Wait {
    /// For what, and who has it.
    let text: () -> String
    let condition: () -> Bool
    let isBounded: Bool
    let begin: Int
  }

  let number: Int
  let baton = Baton()
  var status = Status.done
  /// The process whose thread it is; nil between two of them.
  var process: SimulatedProcess?
  /// Whether the schedule has ended its wait without what it waited for.
  var hasTimedOut = false
  private var work: (() -> Void)?

  init(_ number: Int, processor: Int) {
    self.number = number
    let hasBegun = BackgroundThread.start { [self] in
      Processor.stay(on: processor)
      while true {
        baton.take()
        guard let work else { return }
        self.work = nil
        work()
      }
    }
    precondition(hasBegun, "no thread left")
  }

  /// Gives an idle fiber something to do, when it next has the baton.
  func prepare(_ work: @escaping () -> Void) {
    self.work = work
    status = .ready
  }

  /// Ends the thread of an idle fiber.
  func end() { baton.pass() }
}

/// The threads that simulations use one after the other.
final class FiberPool {
  let processor: Int
  private var idle: [Fiber] = []
  private var count = 0

  init(processor: Int) { self.processor = processor }

  func take() -> Fiber {
    if let fiber = idle.popLast() { return fiber }
    count += 1
    return Fiber(count, processor: processor)
  }

  func give(_ fiber: Fiber) { idle.append(fiber) }

  func end() {
    for fiber in idle { fiber.end() }
    idle = []
  }
}

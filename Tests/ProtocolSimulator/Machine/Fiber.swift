internal import StoreFiles

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

  /// Its place among the fibers of its machine, which does not depend on what the thread was used for before.
  private(set) var number = 0
  let baton = Baton()
  var status = Status.done
  /// The process whose thread it is; nil between two of them.
  var process: SimulatedProcess?
  /// Whether the schedule has ended its wait without what it waited for.
  var hasTimedOut = false
  private var work: (() -> Void)?
  private var atEnd: ((Fiber) -> Void)?

  init(processor: Int) {
    let hasBegun = BackgroundThread.start { [self] in
      Processor.stay(on: processor)
      while true {
        baton.take()
        guard work != nil else { return }
        perform()
        let end = atEnd
        atEnd = nil
        end?(self)
      }
    }
    precondition(hasBegun, "no thread left")
  }

  /// Gives an idle fiber something to do, when it next has the baton.
  /// - Parameter atEnd: Passes the baton on. Nothing that `work` has referred to is let go of after that.
  func prepare(_ number: Int, _ work: @escaping () -> Void, atEnd: @escaping (Fiber) -> Void) {
    self.number = number
    self.work = work
    self.atEnd = atEnd
    status = .ready
  }

  @inline(never) private func perform() {
    let work = self.work.take()
    work?()
  }

  /// Ends the thread of an idle fiber.
  func end() { baton.pass() }
}

/// The threads that simulations use one after the other.
final class FiberPool {
  let processor: Int
  private var idle: [Fiber] = []

  init(processor: Int) { self.processor = processor }

  func take() -> Fiber {
    idle.popLast() ?? Fiber(processor: processor)
  }

  func give(_ fiber: Fiber) { idle.append(fiber) }

  func end() {
    for fiber in idle { fiber.end() }
    idle = []
  }
}

internal import Synchronization

/// An asynchronous write in the line of writers.
protocol QueuedWrite: AnyObject, Sendable {
  /// Whether its task was cancelled before it began.
  var isCancelled: Bool { get }
  /// Does the work and answers the task; nothing when it was cancelled.
  func run()
  /// Answers the task without having worked.
  func fail(_ error: LMDBError)
}

/// The write that one task waits for. It is answered exactly once; cancelling counts until it has begun.
final class WriteJob<Result: Sendable>: QueuedWrite {
  private enum State {
    case new
    case waiting(CheckedContinuation<Result, any Error>)
    case begun
    case cancelled
  }

  private let state = Mutex(State.new)
  private let work: @Sendable () throws -> Result

  init(_ work: @escaping @Sendable () throws -> Result) {
    self.work = work
  }

  /// Notes whom to answer; false, with the answer given, when the task is cancelled already.
  func attach(_ continuation: CheckedContinuation<Result, any Error>) -> Bool {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .waiting(continuation)
      return false
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
    return !isCancelled
  }

  var isCancelled: Bool {
    state.withLock { state in if case .cancelled = state { true } else { false } }
  }

  func run() {
    guard let continuation = take(.begun) else { return }
    continuation.resume(with: Swift.Result { try work() })
  }

  func fail(_ error: LMDBError) {
    take(.begun)?.resume(throwing: error)
  }

  func cancel() {
    take(.cancelled)?.resume(throwing: CancellationError())
  }

  /// Moves on from waiting; the one that does it answers.
  private func take(_ next: State) -> CheckedContinuation<Result, any Error>? {
    state.withLock { state in
      switch state {
      case .waiting(let continuation):
        state = next
        return continuation
      case .new:
        state = next
        return nil
      case .begun, .cancelled: return nil
      }
    }
  }
}

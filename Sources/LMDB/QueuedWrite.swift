internal import Synchronization

/// An asynchronous write in the line of writers.
protocol QueuedWrite: AnyObject, Sendable {
  /// What its transaction can be shared with; nil for one that stays alone.
  var owner: ObjectIdentifier? { get }
  /// Whether its task was cancelled before it began.
  var isCancelled: Bool { get }
  /// Does the work in a transaction of its own and answers the task; nothing when it was cancelled.
  func run()
  /// Does the work in the transaction of a group, which gives the task its answer; nothing when it was cancelled.
  func join(_ group: WriteGroup)
  /// Answers the task without having worked.
  func fail(_ error: LMDBError)
}

/// The write that one task waits for. It is answered exactly once; cancelling counts until it has begun.
final class WriteJob<Result: Sendable>: QueuedWrite {
  private enum State {
    case new
    case waiting(CheckedContinuation<Result, any Error>)
    case begun
    case done(CheckedContinuation<Result, any Error>, Swift.Result<Result, any Error>)
    case cancelled
  }

  let owner: ObjectIdentifier?
  private let state = Mutex(State.new)
  private let work: @Sendable (WriteGroup?) throws -> Result

  /// `work` is given the group to join; without one it makes a transaction of its own.
  init(owner: ObjectIdentifier? = nil, _ work: @escaping @Sendable (WriteGroup?) throws -> Result) {
    self.owner = owner
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
    continuation.resume(with: Swift.Result { try work(nil) })
  }

  func join(_ group: WriteGroup) {
    guard let continuation = take(.begun) else { return }
    let result = Swift.Result { try work(group) }
    state.withLock { $0 = .done(continuation, result) }
    group.enroll(self)
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
      case .begun, .done, .cancelled: return nil
      }
    }
  }
}

extension WriteJob: GroupMember {
  func settle(_ error: (any Error)?) {
    let answer: (CheckedContinuation<Result, any Error>, Swift.Result<Result, any Error>)? =
      state.withLock { state in
        guard case .done(let continuation, let result) = state else { return nil }
        state = .begun
        return (continuation, result)
      }
    guard let (continuation, result) = answer else { return }
    if let error { continuation.resume(throwing: error) } else { continuation.resume(with: result) }
  }
}

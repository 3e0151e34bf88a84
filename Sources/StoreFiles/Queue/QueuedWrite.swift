internal import Synchronization

/// An asynchronous write in the queue of writers.
package protocol QueuedWrite: AnyObject, Sendable {
  /// Writes with the same owner may share a transaction; nil for a write that shares none.
  var owner: ObjectIdentifier? { get }
  /// Whether its task was cancelled before the write began.
  var isCancelled: Bool { get }
  /// Does the work in its own transaction and resumes the task. Does nothing if the task was cancelled.
  func run()
  /// Does the work in a group, which later resumes the task. Does nothing if the task was cancelled.
  func join(_ group: any WriterGroup)
  /// Resumes the task with an error, without doing the work.
  func fail(_ error: LMDBError)
}

/// The write that one task waits for. The task is resumed exactly once. Cancelling has an effect only until the write
/// has begun.
package final class WriteJob<Result: Sendable>: QueuedWrite {
  private enum State {
    case new
    case waiting(CheckedContinuation<Result, any Error>)
    case begun
    case done(CheckedContinuation<Result, any Error>, Swift.Result<Result, any Error>)
    case cancelled
  }

  package let owner: ObjectIdentifier?
  private let state = Mutex(State.new)
  private let work: @Sendable ((any WriterGroup)?) throws -> Result

  /// `work` receives the group to join, or nil if it has to make its own transaction.
  package init(
    owner: ObjectIdentifier? = nil, _ work: @escaping @Sendable ((any WriterGroup)?) throws -> Result
  ) {
    self.owner = owner
    self.work = work
  }

  /// Stores the continuation to resume. If the task is cancelled already, resumes it with an error and returns false.
  package func attach(_ continuation: CheckedContinuation<Result, any Error>) -> Bool {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .waiting(continuation)
      return false
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
    return !isCancelled
  }

  package var isCancelled: Bool {
    state.withLock { state in if case .cancelled = state { true } else { false } }
  }

  package func run() {
    guard let continuation = take(.begun) else { return }
    continuation.resume(with: Swift.Result { try work(nil) })
  }

  package func join(_ group: any WriterGroup) {
    guard let continuation = take(.begun) else { return }
    let result = Swift.Result { try work(group) }
    state.withLock { $0 = .done(continuation, result) }
    group.enroll(self)
  }

  package func fail(_ error: LMDBError) {
    take(.begun)?.resume(throwing: error)
  }

  package func cancel() {
    take(.cancelled)?.resume(throwing: CancellationError())
  }

  /// Changes to `next`, unless the work has begun, is done or was cancelled. Returns the continuation, if there is one,
  /// to the one caller that makes this change and so has to resume it.
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
  package func settle(_ error: (any Error)?) {
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

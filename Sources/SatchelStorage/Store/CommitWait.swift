internal import Synchronization

/// The sleep of one task. It ends once, by `end()` or by cancelling the task, whichever comes first.
final class CommitWait: Sendable {
  private enum State {
    case new
    case sleeping(CheckedContinuation<Void, any Error>)
    case ended(isCancelled: Bool)
  }

  private let state = Mutex(State.new)

  /// Sleeps until `end()` is called.
  /// - Throws: `CancellationError` if the task is cancelled.
  func value() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled: Bool? = state.withLock { state in
          if case .ended(let isCancelled) = state { return isCancelled }
          state = .sleeping(continuation)
          return nil
        }
        if let isCancelled { Self.resume(continuation, isCancelled) }
      }
    } onCancel: {
      finish(isCancelled: true)
    }
  }

  /// Ends the sleep. If the task does not sleep yet, `value()` will return at once.
  func end() { finish(isCancelled: false) }

  private func finish(isCancelled: Bool) {
    let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
      if case .ended = state { return nil }
      defer { state = .ended(isCancelled: isCancelled) }
      if case .sleeping(let continuation) = state { return continuation }
      return nil
    }
    if let continuation { Self.resume(continuation, isCancelled) }
  }

  private static func resume(_ continuation: CheckedContinuation<Void, any Error>, _ isCancelled: Bool) {
    if isCancelled { continuation.resume(throwing: CancellationError()) } else { continuation.resume() }
  }
}

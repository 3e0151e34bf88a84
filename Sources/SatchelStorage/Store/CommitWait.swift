internal import Synchronization

/// One task's sleep: it ends once, by `end()` or by cancelling the task, whatever comes first.
final class CommitWait: Sendable {
  private enum State {
    case new
    case sleeping(CheckedContinuation<Void, any Error>)
    case ended(isCancelled: Bool)
  }

  private let state = Mutex(State.new)

  /// Sleeps until the end.
  /// - Throws: `CancellationError`.
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

  /// Ends the sleep, or the one to come.
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

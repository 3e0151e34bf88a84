internal import SatchelModel
internal import StoreFiles
internal import Synchronization

extension Store {
  /// Runs long work on a thread of its own, so that it blocks neither the caller's actor nor one of the few threads that
  /// all tasks share.
  /// - Throws: ``SatchelError`` `io` if the system has no thread left. What `body` throws is passed on.
  package func aside<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await aside { _ in try body() }
  }

  /// The same for work that ends early if its task is cancelled.
  /// - Parameter body: Is given a closure that says whether the task was cancelled.
  package func aside<R: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> R
  ) async throws -> R {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let hasThread = BackgroundThread.start {
          continuation.resume(
            with: Result { try body { cancellation.isRequested.load(ordering: .relaxed) } })
        }
        if !hasThread {
          continuation.resume(
            throwing: SatchelError(.io, "The system has no thread left", ["store": directory]))
        }
      }
    } onCancel: {
      cancellation.isRequested.store(true, ordering: .relaxed)
    }
  }
}

/// Whether a task was cancelled, for a thread that is not the task's.
private final class Cancellation: Sendable {
  let isRequested = Atomic(false)
}

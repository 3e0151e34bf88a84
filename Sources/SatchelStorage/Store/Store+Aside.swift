internal import SatchelModel
internal import StoreFiles

extension Store {
  /// Runs long work on a thread of its own, so that it blocks neither the caller's actor nor one of the few threads that
  /// all tasks share.
  /// - Throws: ``SatchelError`` `io` if the system has no thread left. What `body` throws is passed on.
  package func aside<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      guard BackgroundThread.start({ continuation.resume(with: Result { try body() }) }) else {
        continuation.resume(
          throwing: SatchelError(.io, "The system has no thread left", ["store": directory]))
        return
      }
    }
  }
}

import Satchel
import StoreFiles
import Synchronization

extension MessageStore {
  /// Runs `body` and replaces the errors of files and lines with the public one; other errors pass.
  /// - Parameter path: The path of the file, if it is known.
  func translatingFileErrors<Result>(of path: String?, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as FileFailure {
      throw SatchelError(error)
    } catch let error as FileDescriptorError {
      throw SatchelError(error, path: path)
    } catch let error as Importer.Failure {
      var context = ["reason": error.reason]
      context["line"] = error.line.map(String.init)
      context["path"] = path
      throw error.code == .incompleteFile
        ? SatchelError(
          .incompleteFile, "The file is empty, damaged or cut off: nothing of it was taken", context)
        : SatchelError(
          .rejectedLine, "A line of the interchange format cannot be taken, and so none was", context)
    }
  }

  /// Runs `body` on a new thread, because the threads that Swift's tasks share must not block.
  /// - Parameter body: Is given a closure that says whether the task was cancelled.
  func onThreadOfItsOwn<Result: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let hasThread = BackgroundThread.start {
          continuation.resume(with: Swift.Result { try body { cancellation.isRequested } })
        }
        if !hasThread {
          continuation.resume(
            throwing: SatchelError(.io, "The system has no thread left", ["store": path]))
        }
      }
    } onCancel: {
      cancellation.request()
    }
  }
}

/// Whether a task was cancelled, for a thread that is not the task's.
private final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isRequested: Bool { flag.load(ordering: .relaxed) }

  func request() { flag.store(true, ordering: .relaxed) }
}

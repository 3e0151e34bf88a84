import Foundation
import Testing

/// Runs every job on a thread of its own, so that tasks may block it. The usual executor has as many threads as the machine has
/// processors: tasks that block them all keep others from beginning.
struct ThreadForEachJob: TestTrait, SuiteTrait, TestScoping {
  private final class Executor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Executor()) { try await function() }
  }
}

extension Trait where Self == ThreadForEachJob {
  /// For tests that wait for other processes: also on a machine with one processor each of them begins.
  static var threadForEachJob: Self { Self() }
}

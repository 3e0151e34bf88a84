internal import LMDB
internal import Synchronization

/// When a process makes a checkpoint beside its commits: one at a time, on a thread of its own.
final class Checkpointer: Sendable {
  private struct State {
    /// The last commit when a checkpoint was asked for that nobody has begun.
    var requested: UInt64?
    /// The last commit when the last checkpoint was asked for that has failed.
    var failed: UInt64?
    var isRunning = false
  }

  private let state = Monitor(State())
  private let request = Atomic(false)

  /// Whether a checkpoint was asked for that nobody has begun. Looked at after each commit.
  var isRequested: Bool { request.load(ordering: .relaxed) }

  /// Asks for a checkpoint. Does nothing if one is being made, or if one has just failed.
  func request(at commit: UInt64) {
    state.locked { state in
      guard !state.isRunning, state.requested == nil else { return }
      if let failed = state.failed, commit < failed + Self.patience { return }
      state.requested = commit
      self.request.store(true, ordering: .relaxed)
    }
  }

  /// Begins the checkpoint that was asked for, if one was.
  /// - Parameter checkpoint: Makes it, and returns whether it has succeeded.
  func begin(_ checkpoint: @escaping @Sendable () -> Bool) {
    let commit = state.locked { state -> UInt64? in
      request.store(false, ordering: .relaxed)
      guard let commit = state.requested else { return nil }
      state.requested = nil
      state.isRunning = true
      return commit
    }
    guard let commit else { return }
    let hasBegun = BackgroundThread.start {
      self.end(at: commit, hasSucceeded: checkpoint())
    }
    if !hasBegun { end(at: commit, hasSucceeded: false) }
  }

  private func end(at commit: UInt64, hasSucceeded: Bool) {
    state.locked { state in
      state.isRunning = false
      state.failed = hasSucceeded ? nil : commit
    }
    state.notify()
  }

  /// Sleeps until no checkpoint is being made.
  func wait() {
    state.locked(when: { !$0.isRunning }) { _, _ in }
  }

  /// After how many commits to try again what has failed.
  private static let patience: UInt64 = 4000
}

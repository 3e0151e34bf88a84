internal import StoreFiles
internal import Synchronization

/// When a process makes a checkpoint beside its commits: one at a time, on a thread of its own.
///
/// What has failed is tried again after some commits, and after twice as many each time that it fails again: the disk may be full for
/// a moment or for days, and each attempt writes most of what a checkpoint writes. If the map was renewed meanwhile, which mends
/// a map that was full, it is tried again at once.
package final class Checkpointer: Sendable {
  private struct State {
    /// The last commit when a checkpoint was asked for that nobody has begun.
    var requested: (commit: UInt64, renewals: UInt64)?
    /// The attempts that have failed since the last checkpoint.
    var failures: Failures?
    var isRunning = false
  }

  private struct Failures {
    var count: Int
    /// The last commit when the last of them was asked for.
    var commit: UInt64
    /// How often the map had been renewed by then.
    var renewals: UInt64

    /// The first commit at which to try again.
    var next: UInt64 { commit + min(Checkpointer.mostPatience, Checkpointer.patience << UInt64(count - 1)) }
  }

  private let state = Monitor(State())
  private let request = Atomic(false)

  /// Whether a checkpoint was asked for that nobody has begun. Looked at after each commit.
  package var isRequested: Bool { request.load(ordering: .relaxed) }

  /// Asks for a checkpoint. Does nothing if one is being made, or if one has just failed.
  /// - Parameter renewals: How often the map has been renewed.
  package func request(at commit: UInt64, renewals: UInt64) {
    state.locked { state in
      guard !state.isRunning, state.requested == nil else { return }
      if let failures = state.failures, commit < failures.next, renewals == failures.renewals { return }
      state.requested = (commit, renewals)
      self.request.store(true, ordering: .relaxed)
    }
  }

  /// Begins the checkpoint that was asked for, if one was.
  /// - Parameters:
  ///   - start: Runs its argument on another thread, and returns whether there is one.
  ///   - checkpoint: Makes it, and returns whether it has succeeded.
  package func begin(
    on start: (@escaping @Sendable () -> Void) -> Bool = BackgroundThread.start,
    _ checkpoint: @escaping @Sendable () -> Bool
  ) {
    let asked = state.locked { state -> (commit: UInt64, renewals: UInt64)? in
      request.store(false, ordering: .relaxed)
      guard let asked = state.requested else { return nil }
      state.requested = nil
      state.isRunning = true
      return asked
    }
    guard let asked else { return }
    let hasBegun = start { self.end(asked, hasSucceeded: checkpoint()) }
    if !hasBegun { end(asked, hasSucceeded: false) }
  }

  private func end(_ asked: (commit: UInt64, renewals: UInt64), hasSucceeded: Bool) {
    state.locked { state in
      state.isRunning = false
      let count = min(state.failures?.count ?? 0, 16) + 1
      state.failures =
        hasSucceeded ? nil : Failures(count: count, commit: asked.commit, renewals: asked.renewals)
    }
    state.notify()
  }

  /// Sleeps until no checkpoint is being made.
  /// - Parameters:
  ///   - limit: When to give up; nil for never.
  ///   - isNeedless: Whether to wait no longer: asked whenever a checkpoint ends, as another one may follow at once.
  package func wait(until limit: UInt64? = nil, unless isNeedless: () -> Bool = { false }) {
    state.locked(when: { !$0.isRunning || isNeedless() }, until: limit) { _, _ in }
  }

  /// After how many commits to try again what has failed once, and the most after which what has failed often.
  private static let patience: UInt64 = 125
  private static let mostPatience: UInt64 = 4000
}

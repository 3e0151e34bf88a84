import Synchronization

/// Lets tasks sleep until something changes. It keeps only the fact that something has changed, not what: a slow task
/// finds one change where there were many.
final class ChangeWaiters: Sendable {
  private struct State {
    var version = 0
    var isOver = false
    var sleeping: [Int: CheckedContinuation<Void, Never>] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  /// The number of changes so far.
  var version: Int { state.withLock { $0.version } }

  /// True if no further change will come.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Wakes all tasks, after a change.
  func wake() { wake(isLast: false) }

  /// Wakes all tasks, for the last time.
  func end() { wake(isLast: true) }

  private func wake(isLast: Bool) {
    let sleeping = state.withLock { state in
      state.version += 1
      if isLast { state.isOver = true }
      defer { state.sleeping = [:] }
      return state.sleeping
    }
    for continuation in sleeping.values { continuation.resume() }
  }

  /// Returns when there has been a change after `version`, when there will be no more changes, or when the task is
  /// cancelled.
  func wait(after version: Int) async {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if state.version != version || state.isOver || Task.isCancelled { return true }
          state.sleeping[number] = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleeping.removeValue(forKey: number) }?.resume()
    }
  }
}

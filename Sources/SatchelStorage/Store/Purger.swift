internal import StoreFiles
internal import Synchronization

/// When a process removes what was deleted in bulk: beside its other commits, one slice at a time, on a thread of its own that ends
/// with the queue, or with a slice that fails.
///
/// While there is no such thread, each commit of the process takes a slice along: so what is left by a process that has ended goes
/// also where each writes once.
final class Purger: Sendable {
  private struct State {
    var hasThread = false
    /// Whether the thread is at a slice.
    var isWorking = false
    var isOver = false
    /// How many slices were removed since `finish` was called last.
    var slices = 0
  }

  private let state = Monitor(State())
  private let request = Atomic(false)
  private let work = Atomic(false)
  private let interval: Double

  /// - Parameter pause: The seconds between two slices; fewer where much is waiting.
  init(pause: Double) { interval = pause }

  /// Whether a commit has found something in the queue, and nobody is at it. Looked at after each commit.
  var isRequested: Bool { request.load(ordering: .relaxed) }

  /// Whether there is a thread.
  var isAtWork: Bool { work.load(ordering: .relaxed) }

  /// Asks for the thread. Does nothing if there is one.
  func ask() {
    if !isAtWork { request.store(true, ordering: .relaxed) }
  }

  /// Begins the thread that was asked for. Does nothing if there is one, or after `end` or `pause`.
  /// - Parameters:
  ///   - slice: Removes a slice, in `working`, and returns how many entries the queue has then.
  ///   - finish: Called at the end of the queue after many slices, of this thread and of those before it, unless the thread was ended.
  func begin(_ slice: @escaping @Sendable () -> Int, finish: @escaping @Sendable () -> Void) {
    let isMine = state.locked { state in
      request.store(false, ordering: .relaxed)
      guard !state.hasThread, !state.isOver else { return false }
      state.hasThread = true
      work.store(true, ordering: .relaxed)
      return true
    }
    guard isMine else { return }
    let hasBegun = BackgroundThread.start {
      var waiting = 1
      while waiting > 0, self.sleep(waiting) { waiting = slice() }
      self.leave()
      if self.hasRemovedMany() { finish() }
    }
    if !hasBegun { leave() }
  }

  private func hasRemovedMany() -> Bool {
    state.locked { state in
      guard state.slices >= Self.manySlices, !state.isOver else { return false }
      state.slices = 0
      return true
    }
  }

  /// After how many slices what they have removed is worth a checkpoint: thousands of records.
  private static let manySlices = 16

  /// Runs `body`, for whose end `end` waits. Returns 0 instead, after `end`.
  func working(_ body: () -> Int) -> Int {
    let mayWork = state.locked { state in
      state.isWorking = !state.isOver
      if state.isWorking { state.slices += 1 }
      return state.isWorking
    }
    guard mayWork else { return 0 }
    defer {
      state.locked { $0.isWorking = false }
      state.notify()
    }
    return body()
  }

  /// Ends the thread, after the slice that it is at.
  /// - Parameter waits: Whether to wait for that.
  func end(waiting waits: Bool) {
    state.locked { $0.isOver = true }
    state.notify()
    if waits { state.locked(when: { !$0.isWorking }) { _, _ in } }
  }

  /// Ends the thread, as `end` does, until `goOn`: what is left is asked for by the next commit.
  func pause() { end(waiting: false) }

  /// Sleeps until there is no thread, or until `goOn`.
  func wait(until limit: UInt64) {
    state.locked(when: { !$0.hasThread || !$0.isOver }, until: limit) { _, _ in }
  }

  /// Sleeps until there is no thread.
  func waitForEnd(until limit: UInt64) { state.locked(when: { !$0.hasThread }, until: limit) { _, _ in } }

  func goOn() {
    state.locked { $0.isOver = false }
    state.notify()
  }

  /// Sleeps the shorter the more entries are waiting, so that they become no more by commits that delete. Returns false after `end`.
  private func sleep(_ waiting: Int) -> Bool {
    guard waiting < Self.atOnce else { return state.locked { !$0.isOver } }
    let pause = interval / Double(max(1, min(waiting / Self.few, Self.mostHaste)))
    return state.locked(when: { $0.isOver }, until: deadline(afterSeconds: pause)) { _, isOver in !isOver }
  }

  /// Twice as many entries halve the pause, which becomes a fifth at least: others have the most of the time.
  private static let few = 8
  private static let mostHaste = 5
  /// So many that the next slice comes as soon as it may.
  static let many = few * mostHaste
  /// The next slice comes without a pause.
  static let atOnce = Int.max

  private func leave() {
    state.locked { state in
      state.hasThread = false
      work.store(false, ordering: .relaxed)
    }
    state.notify()
  }
}

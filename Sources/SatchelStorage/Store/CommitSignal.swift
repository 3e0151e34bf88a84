internal import LMDB
internal import SatchelModel
internal import Synchronization

/// Reports commits that have become readable, also those of other processes. One sleeping thread serves all observers.
///
/// The thread starts with the first observation or wait. It ends with the last one, or with the store.
package final class CommitSignal: Sendable {
  private struct State {
    var observers: [UInt64: @Sendable (UInt64) -> Void] = [:]
    var lastNumber: UInt64 = 0
    /// What the running thread waits on; nil if no thread runs.
    var watcher: CommitWatcher?
    /// When the observers are to be called even if there is no commit; nil if they are not.
    var again: UInt64?
    var isOver = false
  }

  private let environment: Environment
  private let state = Mutex(State())

  init(_ environment: Environment) {
    self.environment = environment
  }

  /// Calls `body` after each commit from now on, with the number of the last readable commit (that of
  /// `Snapshot.number`).
  ///
  /// Commits that become readable while `body` runs are reported together, by one call. `body` runs on a thread that
  /// all observers share, one call at a time, and should not do long work. When the store is closed, or had to close
  /// itself, `body` is called for the last time: a read inside that call throws the reason.
  /// - Returns: The observation, which ends when it is cancelled or no longer referenced.
  /// - Throws: ``SatchelError`` `closed`, or `io` if the system cannot start another thread.
  package func observe(_ body: @escaping @Sendable (UInt64) -> Void) throws -> CommitObservation {
    do {
      // The thread has to start from what readers see: a commit may be written and not yet be visible to readers.
      let transaction = try environment.readableTransaction
      return CommitObservation(of: self, number: try add(body, from: transaction))
    } catch {
      throw SatchelError.translating(error, store: environment.path)
    }
  }

  /// Waits until the last transaction that can be read differs from `transaction`, and returns it.
  ///
  /// A loop of waits should keep an observation, so that the thread is not started for each.
  /// - Throws: ``SatchelError`` `closed` or `io`, or `CancellationError`.
  package func next(after transaction: UInt64) async throws -> UInt64 {
    while true {
      let wait = CommitWait()
      let observation = try observe { _ in wait.end() }
      defer { observation.cancel() }
      do {
        let current = try environment.readableTransaction
        if current != transaction { return current }
      } catch {
        throw SatchelError.translating(error, store: environment.path)
      }
      try await wait.value()
    }
  }

  /// Calls all observers once more in a while, whether or not there is a commit until then: for one that could not read, for
  /// a reason that may have gone by. Does nothing if nobody observes.
  package func callAgain(afterSeconds seconds: Double) {
    let time = deadline(afterSeconds: seconds)
    let watcher = state.withLock { state in
      state.again = min(state.again ?? time, time)
      return state.watcher
    }
    watcher?.wake()
  }

  /// Ends all observations, because the store is about to close.
  func end() {
    let watcher = state.withLock { state in
      state.isOver = true
      return state.watcher
    }
    watcher?.cancel()
  }

  private func add(_ body: @escaping @Sendable (UInt64) -> Void, from transaction: UInt64) throws -> UInt64 {
    try state.withLock { state in
      guard !state.isOver else {
        throw SatchelError(
          .closed, "The store has been closed: open it again", ["store": environment.path])
      }
      state.lastNumber += 1
      let number = state.lastNumber
      if state.watcher == nil {
        let watcher = try CommitWatcher(environment)
        guard BackgroundThread.start({ [self] in run(watcher, from: transaction) }) else {
          throw SatchelError(.io, "The system has no thread left", ["store": environment.path])
        }
        state.watcher = watcher
      }
      state.observers[number] = body
      return number
    }
  }

  fileprivate func remove(_ number: UInt64) {
    // Releasing `body` may release what it refers to, even other observations. So it is not done under the lock.
    let (watcher, body) = state.withLock { state in
      let body = state.observers.removeValue(forKey: number)
      guard body != nil, state.observers.isEmpty else { return (nil as CommitWatcher?, body) }
      defer { state.watcher = nil }
      return (state.watcher, body)
    }
    withExtendedLifetime(body) { watcher?.cancel() }
  }

  private func run(_ watcher: CommitWatcher, from transaction: UInt64) {
    var last = transaction
    while true {
      switch watcher.wait(after: last, until: state.withLock(\.again)) {
      case .committed(let transaction):
        last = transaction
        for body in bodies(of: watcher, isLast: false) { body(last) }
      case .timedOut:
        state.withLock { $0.again = nil }
        for body in bodies(of: watcher, isLast: false) { body(last) }
      case .woken: break
      case .cancelled:
        for body in bodies(of: watcher, isLast: true) { body(last) }
        return
      }
    }
  }

  /// Returns the observers that the thread with this watcher has to call. There are none if its last observer has gone;
  /// another thread may have started for new observers.
  private func bodies(of watcher: CommitWatcher, isLast: Bool) -> [@Sendable (UInt64) -> Void] {
    state.withLock { state in
      guard state.watcher === watcher else { return [] }
      let bodies = Array(state.observers.values)
      if isLast {
        state.isOver = true
        state.watcher = nil
        state.observers = [:]
      }
      return bodies
    }
  }
}

/// An observer's registration. It ends when this object is no longer referenced.
package final class CommitObservation: Sendable {
  private let signal: CommitSignal
  private let number: UInt64

  init(of signal: CommitSignal, number: UInt64) {
    self.signal = signal
    self.number = number
  }

  deinit { cancel() }

  /// Ends the observation: no call begins after this; a call that has begun may still run.
  package func cancel() { signal.remove(number) }
}

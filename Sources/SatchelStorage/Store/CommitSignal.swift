internal import LMDB
internal import SatchelModel
internal import StoreFiles

/// Reports commits that have become readable, also those of other processes. One sleeping thread serves all observers.
///
/// The thread starts with the first observation or wait. It ends with the last one, or with the store. While the store is
/// suspended there is none: observers are called when it is resumed.
package final class CommitSignal: Sendable {
  private struct State {
    var observers: [UInt64: @Sendable (UInt64) -> Void] = [:]
    var lastNumber: UInt64 = 0
    /// What the running thread waits on; nil if no thread runs.
    var watcher: CommitWatcher?
    /// When the observers are to be called even if there is no commit; nil if they are not.
    var again: UInt64?
    var isOver = false
    var isSuspended = false
    /// How many threads have not let go of their watchers, and which of them have begun.
    var threads = 0
    var begun: [UInt] = []
  }

  private let environment: Environment
  private let state = Monitor(State())

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
      let transaction = isSuspended ? 0 : try environment.readableTransaction
      return CommitObservation(of: self, number: try add(body, from: transaction))
    } catch {
      throw SatchelError.translating(error, store: environment.path)
    }
  }

  /// Waits until the last transaction that can be read differs from `transaction`, and returns it.
  ///
  /// A loop of waits should keep an observation, so that the thread is not started for each. While the store is suspended, it waits on.
  /// - Throws: ``SatchelError`` `closed` or `io`, or `CancellationError`.
  package func next(after transaction: UInt64) async throws -> UInt64 {
    while true {
      let wait = CommitWait()
      let observation = try observe { _ in wait.end() }
      defer { observation.cancel() }
      do throws(LMDBError) {
        let current = try environment.readableTransaction
        if current != transaction { return current }
      } catch {
        guard error.code == .suspended else {
          throw SatchelError.translating(error, store: environment.path)
        }
      }
      try await wait.value()
    }
  }

  /// Waits as long as the store is suspended.
  /// - Throws: ``SatchelError`` `closed`, or `CancellationError`.
  package func resumed() async throws {
    while isSuspended {
      let wait = CommitWait()
      let observation = try observe { _ in wait.end() }
      defer { observation.cancel() }
      if isSuspended { try await wait.value() }
    }
  }

  private var isSuspended: Bool { state.locked { $0.isSuspended } }

  /// Calls all observers once more in a while, whether or not there is a commit until then: for one that could not read, for
  /// a reason that may have gone by. Does nothing if nobody observes.
  package func callAgain(afterSeconds seconds: Double) {
    let time = deadline(afterSeconds: seconds)
    let watcher = state.locked { state in
      state.again = min(state.again ?? time, time)
      return state.watcher
    }
    watcher?.wake()
  }

  /// Ends all observations, because the store is about to close.
  func end() {
    let (watcher, bodies) = state.locked { state in
      state.isOver = true
      guard state.isSuspended else { return (state.watcher, [@Sendable (UInt64) -> Void]()) }
      defer { state.observers = [:] }
      return (nil, Array(state.observers.values))
    }
    watcher?.cancel()
    guard !bodies.isEmpty else { return }
    // They are called once more, and never on the caller's thread.
    _ = BackgroundThread.start { for body in bodies { body(0) } }
  }

  /// Ends the thread, and keeps the observers.
  func suspend() {
    let watcher = state.locked { state in
      state.isSuspended = true
      defer { state.watcher = nil }
      return state.watcher
    }
    watcher?.cancel()
  }

  /// Sleeps until no thread has a watcher, but for that of the caller, or until somebody resumes.
  /// - Returns: Whether that is so at the limit.
  func wait(until limit: UInt64) -> Bool {
    let caller = ThreadScope.thread
    let isDone = { (state: State) in
      !state.isSuspended || state.threads == (state.begun.contains(caller) ? 1 : 0)
    }
    return state.locked(when: isDone, until: limit) { $1 }
  }

  /// Goes on, after the store was opened again: all observers are called.
  /// - Throws: ``SatchelError`` `io` if the system cannot start another thread.
  func resume() throws {
    defer { state.notify() }
    try state.locked { state in
      state.isSuspended = false
      guard !state.isOver, !state.observers.isEmpty, state.watcher == nil else { return }
      do {
        // No state has this number, so that the thread finds another one at once.
        try startThread(&state, from: .max)
      } catch {
        state.isSuspended = true
        throw error
      }
    }
  }

  private func add(_ body: @escaping @Sendable (UInt64) -> Void, from transaction: UInt64) throws -> UInt64 {
    try state.locked { state in
      guard !state.isOver else {
        throw SatchelError(
          .closed, "The store has been closed: open it again", ["store": environment.path])
      }
      state.lastNumber += 1
      let number = state.lastNumber
      if state.watcher == nil, !state.isSuspended { try startThread(&state, from: transaction) }
      state.observers[number] = body
      return number
    }
  }

  private func startThread(_ state: inout State, from transaction: UInt64) throws {
    let watcher = try CommitWatcher(environment)
    // The thread takes the watcher out, so that it lets go of it before it says so.
    let handover = Monitor<CommitWatcher?>(watcher)
    guard BackgroundThread.start({ [self] in work(handover, from: transaction) }) else {
      throw SatchelError(.io, "The system has no thread left", ["store": environment.path])
    }
    state.watcher = watcher
    state.threads += 1
  }

  private func work(_ handover: Monitor<CommitWatcher?>, from transaction: UInt64) {
    let thread = ThreadScope.thread
    state.locked { $0.begun.append(thread) }
    run(handover, from: transaction)
    state.locked { state in
      state.threads -= 1
      state.begun.removeAll { $0 == thread }
    }
    state.notify()
  }

  fileprivate func remove(_ number: UInt64) {
    // Releasing `body` may release what it refers to, even other observations. So it is not done under the lock.
    let (watcher, body) = state.locked { state in
      let body = state.observers.removeValue(forKey: number)
      guard body != nil, state.observers.isEmpty else { return (nil as CommitWatcher?, body) }
      defer { state.watcher = nil }
      return (state.watcher, body)
    }
    withExtendedLifetime(body) { watcher?.cancel() }
  }

  @inline(never)
  private func run(_ handover: Monitor<CommitWatcher?>, from transaction: UInt64) {
    let taken = handover.locked { watcher in
      defer { watcher = nil }
      return watcher
    }
    guard let watcher = taken else { return }
    var last = transaction
    while true {
      switch watcher.wait(after: last, until: state.locked { $0.again }) {
      case .committed(let transaction):
        last = transaction
        for body in bodies(of: watcher, isLast: false) { body(last) }
      case .timedOut:
        state.locked { $0.again = nil }
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
    state.locked { state in
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

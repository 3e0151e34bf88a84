internal import Synchronization

/// The threads of a process that use one journal take turns. The protocol simulator, which decides whose turn it is, is told
/// before a thread would wait for another one, and after the turn.
package protocol ThreadTurns: Sendable {
  func begin()
  func end()
}

extension CommitJournal {
  /// The state, for one thread at a time.
  struct Guarded: ~Copyable, Sendable {
    private let state = Mutex(State())
    private let ahead = Mutex(())
    /// Nil but in a simulation.
    private let turns: (any ThreadTurns)?

    init(_ turns: (any ThreadTurns)?) { self.turns = turns }

    /// Runs `body` while no other thread of this process uses the state.
    func withLock<R: Sendable>(_ body: (inout State) throws -> R) rethrows -> R {
      turns?.begin()
      defer { turns?.end() }
      return try state.withLock { state in try body(&state) }
    }

    /// Runs `body`, which reads ahead without the state, after other threads of this process that do the same. In a simulation no thread
    /// waits here: `body` is left out instead.
    func whileNobodyReadsAhead(_ body: () -> Void) {
      guard turns != nil else { return ahead.withLock { _ in body() } }
      _ = ahead.withLockIfAvailable { _ in body() }
    }
  }
}

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
    /// Nil but in a simulation.
    private let turns: (any ThreadTurns)?

    init(_ turns: (any ThreadTurns)?) { self.turns = turns }

    /// Runs `body` while no other thread of this process uses the state.
    func withLock<R: Sendable>(_ body: (inout State) throws -> R) rethrows -> R {
      turns?.begin()
      defer { turns?.end() }
      return try state.withLock { state in try body(&state) }
    }
  }
}

/// A process of the simulated machine, from its start to its end.
final class SimulatedProcess: @unchecked Sendable {
  let number: Int
  /// Whether it was killed: nothing that it does has an effect, and its fibers run to their ends.
  var isDead = false
  /// The step up to which it is stopped.
  var stoppedUntil = 0
  /// The locks that it has opened.
  var locks: [SimulatedLock] = []
  /// The call that is to fail next.
  var failure: CallFailure?
  /// The fiber whose turn it is to use the journal's state.
  var holder: Fiber?
  /// Whether it has LMDB's file open.
  var hasDatabase = false

  init(_ number: Int) { self.number = number }

  var name: String { "P\(number)" }
}

/// A call that fails, once.
struct CallFailure {
  enum Kind: CaseIterable {
    case read, write, sync, name, truncate, lock, open, databaseWrite, databaseSync, databaseMeta
  }

  let kind: Kind
  let number: Int32
  /// How much of a write is done nevertheless, in hundredths.
  let share: Int
}

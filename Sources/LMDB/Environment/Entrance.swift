internal import Synchronization

/// Where threads enter an environment and leave it: a count of those inside, and whether the entrance is closed.
///
/// Entering and leaving are one atomic addition each. So readers never wait for one another here: with a lock, eight
/// readers on two processors made a queue of sleeping threads, and a read took ten times as long.
///
/// Whoever wants the environment for itself, to renew the map or to end it, closes the entrance and then waits until
/// nobody is inside. Both happen under the lock of `Environment.lifecycle`.
struct Entrance: ~Copyable, Sendable {
  /// The count in the lower bits, and `closed`.
  private let state = Atomic<UInt64>(0)
  private static let closed: UInt64 = 1 << 63

  /// Counts the thread as inside, even if the entrance is closed. Balance with `leave`, also if it is closed.
  /// - Returns: Whether the entrance is open.
  @inline(__always)
  func enter() -> Bool {
    state.wrappingAdd(1, ordering: .acquiring).oldValue & Self.closed == 0
  }

  /// - Returns: Whether the entrance is closed: then somebody may wait for the thread to leave.
  @inline(__always)
  func leave() -> Bool {
    state.wrappingSubtract(1, ordering: .releasing).newValue & Self.closed != 0
  }

  func close() { state.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing) }

  func open() { state.bitwiseAnd(~Self.closed, ordering: .releasing) }

  /// How many threads are inside, those included that are about to find the entrance closed.
  var inside: Int { Int(state.load(ordering: .acquiring) & ~Self.closed) }
}

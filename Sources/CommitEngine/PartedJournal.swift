package import SatchelModel

/// The journal of the store's state has lost its name, and another process has it open. With the next write of that process, or a
/// second later if it reads, or when it closes the store, everything is in data.mdb: whoever meets this tries again for a while, and
/// lets others have their turn.
package struct PartedJournal: Error {
  /// What the caller is told.
  package let error: SatchelError

  /// Seconds to try again.
  package static let patience = 2.0
  /// Microseconds between two attempts.
  package static let pause: UInt32 = 5000
}

/// The limits of a streaming read: how long it may keep its snapshot, and how much the store may grow meanwhile.
///
/// As long as a snapshot is open, pages that are freed after it began cannot be used again: a reader that never ended
/// made a file grow by 83,000 pages in 2,000 commits. A streaming read calls `ReadTransaction.checkLease()` between its
/// batches.
package struct Lease: Sendable, Equatable {
  /// Seconds from the start of the read.
  package var seconds: Double
  /// Bytes by which the store may grow during the read.
  package var growth: Int

  package init(seconds: Double = 60, growth: Int = 256 << 20) {
    self.seconds = seconds
    self.growth = growth
  }
}

/// When a leased read expires, and how large the store was when it began.
struct LeaseStart {
  let lease: Lease
  let deadline: UInt64
  let bytes: Int
}

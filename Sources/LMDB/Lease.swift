/// How long a streaming read may keep its snapshot.
///
/// While a snapshot lives, no page freed after it can be used again: a reader that never ended made a file grow by
/// 83,000 pages in 2,000 commits. A read that streams asks `ReadTransaction.checkLease()` between its batches.
package struct Lease: Sendable, Equatable {
  /// Seconds from the begin of the read.
  package var seconds: Double
  /// Bytes by which the store may grow meanwhile.
  package var growth: Int

  package init(seconds: Double = 60, growth: Int = 256 << 20) {
    self.seconds = seconds
    self.growth = growth
  }
}

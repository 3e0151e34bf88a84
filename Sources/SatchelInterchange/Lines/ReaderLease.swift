internal import LMDB
internal import SatchelModel
package import SatchelReading

/// Limits how long a snapshot is held for the reader of an output that is written from it.
///
/// A reader that stops reading would hold the snapshot for ever, and the pages that it shows could not be used again.
/// A slow reader gets more time: each 16 KiB that it takes make the lease a second longer.
package struct ReaderLease {
  /// The limits of a lease.
  package struct Limits: Sendable {
    /// How many seconds the lease lasts if the reader takes nothing.
    package var seconds: Double
    /// By how many bytes the store may grow while the reader takes nothing.
    package var growth: Int

    package init(seconds: Double = 60, growth: Int = 64 << 20) {
      self.seconds = seconds
      self.growth = growth
    }
  }

  private let snapshot: Snapshot
  private let limits: Limits
  private let begin = ContinuousClock.now
  /// How many bytes were written when the reader last took some, and how large the store was then.
  private var written = 0
  private var bytes: Int
  private let first: Int

  /// - Parameter written: How many bytes were written before the snapshot was made.
  package init(_ snapshot: Snapshot, _ limits: Limits, written: Int = 0) {
    self.snapshot = snapshot
    self.limits = limits
    first = written
    self.written = written
    bytes = snapshot.transaction.environment.committedBytes()
  }

  /// Checks the limits. To be called while waiting for the reader.
  /// - Parameter written: How many bytes the reader has taken so far.
  /// - Throws: ``SatchelError`` `snapshotExpired` if the lease has ended.
  package mutating func check(written: Int) throws {
    let now = snapshot.transaction.environment.committedBytes()
    if written != self.written {
      self.written = written
      bytes = now
    }
    let seconds = limits.seconds + Double(written - first) / Double(Self.bytesASecond)
    let held = (ContinuousClock.now - begin) / .seconds(1)
    guard held > seconds || now - bytes > limits.growth else { return }
    throw SatchelError(
      .snapshotExpired,
      "The output was not read for so long that the snapshot was given up, because the store grows while one is held",
      [
        "store": snapshot.transaction.environment.path, "seconds": String(Int(held)),
        "grownBytes": String(max(0, now - bytes)), "commit": String(snapshot.seal.commit),
      ])
  }

  /// How many bytes that the reader takes make the lease a second longer.
  package static let bytesASecond = 16 << 10
}

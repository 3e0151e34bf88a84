internal import LMDB
internal import SatchelModel
package import SatchelStorage

/// For how long a snapshot is held for a reader of what is written from it.
///
/// A reader that does not read would hold it for ever, and pages that it shows could not be used again. One that takes its
/// time has more of it: the lease is longer by a second for each 16 KiB that were taken.
package struct ReaderLease {
  /// The limits.
  package struct Limits: Sendable {
    /// Seconds, from the begin of the snapshot.
    package var seconds: Double
    /// Bytes by which the file may grow while nothing at all is taken.
    package var growth: Int

    package init(seconds: Double = 60, growth: Int = 64 << 20) {
      self.seconds = seconds
      self.growth = growth
    }
  }

  private let snapshot: Snapshot
  private let limits: Limits
  private let begin = ContinuousClock.now
  /// What was written when the reader last took something, and how large the store was then.
  private var written = 0
  private var bytes: Int
  private let first: Int

  /// - Parameter written: What was written before the snapshot was made.
  package init(_ snapshot: Snapshot, _ limits: Limits, written: Int = 0) {
    self.snapshot = snapshot
    self.limits = limits
    first = written
    self.written = written
    bytes = snapshot.transaction.environment.committedBytes()
  }

  /// To be asked while the reader is waited for.
  /// - Throws: ``SatchelError`` `snapshotExpired`.
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

  /// Bytes that were taken for which the lease is a second longer.
  package static let bytesASecond = 16 << 10
}

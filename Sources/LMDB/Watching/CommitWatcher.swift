internal import CLMDB
package import StoreFiles

/// Wakes one thread when a commit, of this process or another, has become readable.
///
/// It sleeps until the system reports a change of the file (inotify, kqueue); commits of this process are announced
/// directly as well. A report is only a hint: the watcher compares the number of the last transaction before every
/// sleep, so it misses no commit and gives no false alarm. If the system has no watch left to give, it looks every
/// 25 milliseconds. It never opens the lock file.
package final class CommitWatcher: Sendable {
  /// Why a wait ended.
  package enum Event: Sendable, Equatable {
    /// A read that begins now sees this transaction as the file's last one.
    case committed(UInt64)
    /// `wake()` was called.
    case woken
    /// The time is over that the wait was given.
    case timedOut
    /// `cancel()` was called, the environment has ended, or this process was forked off since.
    case cancelled
  }

  private struct Requests {
    var isWoken = false
    var isCancelled = false

    mutating func takeWake() -> Bool {
      defer { isWoken = false }
      return isWoken
    }
  }

  private let environment: Environment
  private let bell: CommitBell
  private let requests = Monitor(Requests())

  /// Makes a watcher of the environment's file. It does not keep the environment from being closed.
  /// - Throws: `closed` or `forked`.
  package init(_ environment: Environment) throws(LMDBError) {
    self.environment = environment
    bell = try environment.addBell()
  }

  deinit { environment.removeBell(bell) }

  /// Whether the system reports changes by other processes, so that the watcher need not look at intervals.
  package var isNotified: Bool { bell.seesFile }

  /// Blocks until the number of the last readable transaction differs from `transaction`, or until `wake` or `cancel`
  /// is called, or the time is over. Returns which of these ended the wait.
  ///
  /// Only one thread at a time may wait, and not inside a transaction of the environment. A commit of the same process
  /// is noticed within microseconds, a commit of another process within some milliseconds.
  /// - Parameter limit: When the time is over, as `deadline(afterSeconds:)` gives it; nil for never.
  package func wait(after transaction: UInt64, until limit: UInt64? = nil) -> Event {
    var isSettling = false
    var looks = 0
    while !environment.isForeign {
      if requests.locked({ $0.isCancelled }) { return .cancelled }
      let isWritten: Bool
      do throws(LMDBError) {
        isWritten = try environment.lastTransaction != transaction
        if isWritten, let readable = try readable(), readable != transaction { return .committed(readable) }
      } catch {
        return .cancelled
      }
      if requests.locked({ $0.takeWake() }) { return .woken }
      let left = limit.map(Self.milliseconds(until:))
      if left == 0 { return .timedOut }
      if isWritten {
        // The commit has written its meta page, its last step in the file. It is about to announce itself to the
        // readers through the lock file, and no change of that is reported. If the writer died between these two steps,
        // only the next writer makes the announcement. A living writer is done in microseconds, or when it has a
        // processor again.
        looks += 1
        let lag = looks < Self.patience ? min(1 << min(looks - 1, 8), Self.interval) : Self.longestLag
        _ = bell.wait(milliseconds: lag)
      } else if isSettling {
        // A commit writes its pages before its meta page, and each of these writes is reported: one look a millisecond
        // is enough.
        isSettling = false
        _ = bell.wait(callsOnly: true, milliseconds: 1)
      } else {
        looks = 0
        let pause = min(left ?? .max, bell.seesFile ? Self.longestSleep : Self.interval)
        isSettling = bell.wait(milliseconds: pause) == .file
      }
    }
    return .cancelled
  }

  /// Ends the current wait, or else the next one, with `woken`. May be called from any thread.
  package func wake() {
    guard !environment.isForeign else { return }
    requests.locked { $0.isWoken = true }
    bell.ring()
  }

  /// Ends the current wait and all later ones with `cancelled`. May be called from any thread.
  package func cancel() {
    guard !environment.isForeign else { return }
    requests.locked { $0.isCancelled = true }
    bell.ring()
  }

  /// Returns the number of the transaction that a read would see. If no read can begin, returns the last transaction of
  /// the file, so that the caller reads and finds out why.
  /// - Throws: The error, if the environment has ended.
  private func readable() throws(LMDBError) -> UInt64? {
    do throws(LMDBError) {
      return try environment.readableTransaction
    } catch {
      if environment.hasEnded { throw error }
      return try environment.lastTransaction
    }
  }

  /// Returns the milliseconds that are left until a time, rounded up; 0 if it has come.
  private static func milliseconds(until limit: UInt64) -> Int {
    let now = monotonicNanoseconds()
    return limit > now ? Int(clamping: (limit - now + 999_999) / 1_000_000) : 0
  }

  /// Milliseconds between two looks if changes are not reported.
  private static let interval = 25
  /// Milliseconds between two looks if changes are reported: a writer may be killed between its commit and the report.
  private static let longestSleep = 10_000
  /// Milliseconds between two looks at a commit that its writer seems to have left unreadable for good.
  private static let longestLag = 250
  /// How many looks at such a commit come at shorter intervals: they take about two seconds.
  private static let patience = 100
}

internal import CLMDB

/// Wakes one thread when a commit, of this process or another, has become readable.
///
/// It sleeps until the system reports a change of the file (inotify, kqueue); commits of this process are announced
/// directly as well. What is reported is only a hint: the last transaction is compared each time, before every sleep, so
/// no commit is missed and no false alarm delivered. Where the system has no watch left to give, the watcher looks every
/// 25 milliseconds. It never opens the lock file.
package final class CommitWatcher: Sendable {
  /// What a wait ended with.
  package enum Event: Sendable, Equatable {
    /// The file's last transaction, as a read that begins now sees it, is this one.
    case committed(UInt64)
    /// `wake()` was called.
    case woken
    /// `cancel()` was called, or the environment has ended, or this process was forked off since.
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

  /// A watcher of the environment's file. It does not keep the environment from being closed.
  /// - Throws: `closed` or `forked`.
  package init(_ environment: Environment) throws(LMDBError) {
    self.environment = environment
    bell = try environment.addBell()
  }

  deinit { environment.removeBell(bell) }

  /// Whether the system reports changes of other processes, so that nothing has to be looked at in between.
  package var isNotified: Bool { bell.seesFile }

  /// Blocks until the last transaction that can be read differs from `transaction`, or somebody wakes or cancels;
  /// returns what it was.
  ///
  /// One thread at a time. Not inside a transaction of the environment. A commit is noticed microseconds after it in the
  /// same process, some milliseconds after it in another.
  package func wait(after transaction: UInt64) -> Event {
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
      if isWritten {
        // The commit has written its meta page, the last step in the file, and is about to tell the readers through
        // the lock file, of which nobody hears. A writer that died between the two leaves that to the next one.
        // A living one is done in microseconds, or when it has a processor again.
        looks += 1
        let lag = looks < Self.patience ? min(1 << min(looks - 1, 8), Self.interval) : Self.longestLag
        _ = bell.wait(milliseconds: lag)
      } else if isSettling {
        // The pages of a commit come before its meta page, one report each: one look a millisecond is enough.
        isSettling = false
        _ = bell.wait(callsOnly: true, milliseconds: 1)
      } else {
        looks = 0
        isSettling = bell.wait(milliseconds: bell.seesFile ? nil : Self.interval) == .file
      }
    }
    return .cancelled
  }

  /// Ends the wait, or else the next one, with `woken`. From any thread.
  package func wake() {
    guard !environment.isForeign else { return }
    requests.locked { $0.isWoken = true }
    bell.ring()
  }

  /// Ends the wait and all later ones with `cancelled`. From any thread.
  package func cancel() {
    guard !environment.isForeign else { return }
    requests.locked { $0.isCancelled = true }
    bell.ring()
  }

  /// The transaction that a read would see, or nil if that cannot be told: then the reader had better find out why.
  private func readable() throws(LMDBError) -> UInt64? {
    do throws(LMDBError) {
      return try environment.readableTransaction
    } catch {
      if environment.hasEnded { throw error }
      return try environment.lastTransaction
    }
  }

  /// Milliseconds between two looks where changes are not reported.
  private static let interval = 25
  /// Milliseconds between two looks at a commit that its writer has left unreadable, by all appearances for good.
  private static let longestLag = 250
  /// How many looks at such a commit come sooner after each other: some two seconds.
  private static let patience = 100
}

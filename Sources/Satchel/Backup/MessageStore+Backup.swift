import LMDB
import SatchelCare
import SatchelReading
import SatchelStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension MessageStore {
  /// A report of a finished backup.
  public struct Backup: Sendable, Hashable {
    /// The last commit that is in the backup: ``MessageStore/changes(since:)-47q1o`` of this number gives the later ones.
    public let sequence: UInt64
    /// The size of the backup's file, in bytes.
    public let bytes: Int
    /// The number of commits that were made while the backup held its snapshot. The pages that these commits gave up
    /// could not be used again meanwhile, so the store's file may have grown by them.
    public let commitsMeanwhile: UInt64
  }

  /// Copies one snapshot of the store into a new directory, while readers and writers of any process continue.
  ///
  /// The copy is itself a store. It appears at its path only when it is complete, synced and, unless `verifying` is
  /// false, verified; only its owner can access its directory and files. To restore it, open it instead of the store,
  /// or move its `data.mdb` into the store's directory, and the `journal` there away, while no process has the store open. Must
  /// not be called inside a
  /// read or write of this store.
  /// - Parameters:
  ///   - destination: A path at which nothing exists, or an empty directory.
  ///   - compacting: True to leave out free pages and to fill the others: the copy is smaller and takes longer.
  ///   - verifying: False to skip the verification of the copy.
  ///   - progress: Called with the number of bytes copied so far and the number to copy, which is an upper bound if
  ///     `compacting`. If it throws, the backup ends and leaves nothing behind.
  /// - Throws: ``SatchelError`` `io`, `storeFull`, `permissionDenied`, `nestedTransaction`, or `corrupted` if the copy
  ///   is damaged, and with it the store. What `progress` throws is passed on.
  /// - Complexity: O(size of the file), twice that with the verification.
  public func backup(
    to destination: URL, compacting: Bool = false, verifying: Bool = true,
    progress: (_ bytes: Int, _ totalBytes: Int) throws -> Void = { _, _ in }
  ) throws -> Backup {
    let summary = try base.backup(to: destination.path, compacting: compacting, verifying: verifying) {
      if $0.phase == .copying { try progress($0.bytes, $0.totalBytes) }
    }
    return Backup(
      sequence: summary.sequence, bytes: summary.bytes, commitsMeanwhile: summary.commitsMeanwhile)
  }

  /// Returns the commits after a given one that have happened so far, each with the objects that it changed.
  ///
  /// An application can bring a copy of the store up to date with them. `satchel export --since` writes the same
  /// changes as lines that an import accepts.
  /// - Parameter sequence: The last commit that is not wanted, such as ``Backup/sequence`` or
  ///   ``StoreSnapshot/sequence``.
  /// - Throws: ``SatchelError`` `logTrimmed` if the change log no longer goes back that far; `invalidValue` if that
  ///   commit has not happened.
  /// - Complexity: O(changes) in time and memory; ``MessageStore/commits(after:)`` gives the commits one by one.
  public func changes(since sequence: UInt64) throws -> [StoreCommit] {
    try base.read { try commits(since: sequence, $0) }
  }

  /// Reads the commits after a given one up to that of a snapshot.
  func commits(since sequence: UInt64, _ snapshot: Snapshot) throws -> [StoreCommit] {
    let last = snapshot.seal.commit
    guard sequence <= last else {
      throw SatchelError(
        .invalidValue, "The store has not come to that commit: it may be another store than the one meant",
        ["store": path, "since": String(sequence), "last": String(last)])
    }
    var commits: [StoreCommit] = []
    var position = sequence
    while position < last {
      guard let batch = try FeedReader.read(after: position, snapshot) else {
        throw SatchelError(
          .logTrimmed, "The change log no longer reaches back that far: read the store anew",
          ["store": path, "since": String(sequence), "last": String(last)])
      }
      commits += batch.commits
      position = batch.position
    }
    return commits
  }

  /// A read of any process that holds a snapshot of the store.
  public struct Reader: Sendable, Hashable {
    /// The number of the process that reads.
    public let process: Int32
    /// The number of transactions that have come to `data.mdb` since the read took its snapshot: all pages that they gave
    /// up are kept for it. Commits that are only in the journal give up none.
    public let commitsBehind: UInt64
  }

  /// Returns the reads of all processes that are open now, the one with the oldest snapshot first.
  ///
  /// A read that is far behind makes the file grow: it should end, and continue with a new snapshot.
  /// - Throws: ``SatchelError`` if the store cannot be read.
  public func readers() throws -> [Reader] {
    try base.readers().map { Reader(process: $0.process, commitsBehind: $0.lag) }
  }
}

extension MessageStore {
  /// Takes all commits that are only in the journal to `data.mdb`, which is then the whole store as of this call.
  ///
  /// The store does this by itself, after some thousands of commits and when its last process closes it. Call it before
  /// something copies `data.mdb` alone, or when there is time for it, so that a later commit need not. Must not be called inside
  /// a read or write of this store.
  /// - Throws: ``SatchelError`` `storeFull`, `permissionDenied`, `nestedTransaction`, `closed`, `outcomeUnknown` or `io`. No
  ///   commit is lost then.
  /// - Complexity: O(changes in the journal): about a millisecond for a few, half a second for 16,000 messages.
  public func checkpoint() throws { try base.checkpoint() }
}

extension StoreSnapshot {
  /// The number of commits that have happened since this snapshot: when there are many, a long read can end and
  /// continue with a newer snapshot. O(1).
  public var commitsBehind: UInt64 {
    get throws { try base.commitsBehind }
  }
}

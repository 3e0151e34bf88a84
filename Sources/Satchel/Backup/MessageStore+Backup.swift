import LMDB
import SatchelStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension MessageStore {
  /// What a backup has.
  public struct Backup: Sendable, Hashable {
    /// The last commit that is in it: what ``MessageStore/changes(since:)`` goes on from.
    public let sequence: UInt64
    /// The size of its file.
    public let bytes: Int
    /// Commits that writers made while its snapshot was held. Pages that they gave up could not be used again meanwhile, so
    /// that the store's file may have grown by them.
    public let commitsMeanwhile: UInt64
  }

  /// Copies one snapshot of the store into a directory of its own, while readers and writers of any process go on.
  ///
  /// The copy is a store. It appears at its path when it is complete, synced and, unless that is declined, verified; its
  /// directory and files are for their owner alone. To restore it, open it in the place of the store, or move its `data.mdb`
  /// there while no process has the store open. Not inside a read or write of this store.
  /// - Parameters:
  ///   - destination: A path where nothing is, or an empty directory.
  ///   - compacting: True to leave free pages out and fill the others: smaller, and takes longer.
  ///   - verifying: False to leave out the verification.
  ///   - progress: Told how many bytes are copied, and what they will come to at most. A throw of it ends the backup, and
  ///     nothing is left of it.
  /// - Throws: ``SatchelError`` `io`, `storeFull`, `permissionDenied`, `nestedTransaction`, or `corrupted` where the copy,
  ///   and then the store, is damaged; and what `progress` throws.
  /// - Complexity: O(size of the file), twice with the verification.
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

  /// The commits after one that have happened so far, each with the objects that it changed.
  ///
  /// What an application wants to bring a copy up to date by; `satchel export --since` writes the same as lines that an
  /// import takes.
  /// - Throws: ``SatchelError`` `logTrimmed` when the change log no longer reaches back that far, `invalidValue` for a commit
  ///   that has not happened.
  /// - Complexity: O(changes), in memory as well; ``MessageStore/commits(after:)`` gives them one by one.
  public func changes(since sequence: UInt64) throws -> [Commit] {
    try base.read { snapshot in
      let last = snapshot.seal.commit
      guard sequence <= last else {
        throw SatchelError(
          .invalidValue, "The store has not come to that commit: it may be another store than the one meant",
          ["store": path, "since": String(sequence), "last": String(last)])
      }
      var commits: [Commit] = []
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
  }

  /// A read that holds a snapshot of the store, in whatever process.
  public struct Reader: Sendable, Hashable {
    /// The number of its process.
    public let process: Int32
    /// Commits of the file since its snapshot: all pages that they gave up are kept for it.
    public let commitsBehind: UInt64
  }

  /// Who reads the store now, the oldest snapshot first: one that is far behind makes the file grow, and should end its read
  /// and begin another one.
  public func readers() throws -> [Reader] {
    try base.readers().map { Reader(process: $0.process, commitsBehind: $0.lag) }
  }
}

extension StoreSnapshot {
  /// Commits that have happened since this snapshot: a read that lasts can end for a newer one when they are many. O(1).
  public var commitsBehind: UInt64 {
    get throws { try base.commitsBehind }
  }
}

package import Journal

/// Which commits go to a journal first, and when they go on to LMDB.
package struct JournalOptions: Sendable, Hashable {
  /// Which stores have a journal.
  package enum Use: Sendable, Hashable {
    /// None, and what is in one is not looked at: for a copy of a file, to which its maker adds the journal's commits.
    case ignored
    /// None. This process appends to no journal; one that others have left is read.
    case never
    /// Those whose commits survive the end of the process.
    case wherePromised
    /// Also a store that is not relied on yet.
    case always
  }

  package var use = Use.wherePromised
  /// How many commits go to LMDB before the first one that goes there with the mark that the journal is in use. A program
  /// that writes once and ends would pay for the journal's files and get nothing.
  package var commitsBefore = 1
  /// The most bytes of a transaction's changes that go to the journal. More cost less in LMDB at once.
  package var maximumRecordBytes = 1000 << 10
  /// With so many bytes in memory, a checkpoint is begun, beside the commits that follow.
  package var checkpointBytes = 24 << 20
  /// With so many commits in memory, a checkpoint is begun, beside the commits that follow.
  package var checkpointCommits: UInt64 = 16_000
  /// With so many changes of records in memory, a checkpoint is begun, beside the commits that follow. A removed record has no bytes, and
  /// commits copy what is known of all of them now and then.
  package var checkpointChanges = 80_000
  /// With so many bytes in memory, the next commit takes all changes to LMDB itself: no checkpoint has kept up, or none succeeds.
  package var mostBytes = 96 << 20
  /// With so many commits in memory, the next commit takes all changes to LMDB itself.
  package var mostCommits: UInt64 = 64_000
  /// With so many changes of records in memory, the next commit takes all changes to LMDB itself.
  package var mostChanges = 320_000
  /// Whether the write that has a checkpoint begun waits for its end. For tests, which then give the disk the same each time.
  package var waitsForCheckpoint = false
  /// The sizes of the journal's file.
  package var limits = JournalLimits()

  package init() {}
}

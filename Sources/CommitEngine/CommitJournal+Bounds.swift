internal import Journal
internal import RecordStore

/// How much goes to the journal, and how much may be in it.
extension CommitJournal {
  /// Whether a transaction is small enough for the journal, as far as can be said before its changes are encoded.
  /// - Parameters:
  ///   - bytes: Those of its records.
  ///   - changes: The number of its changes of indexes. Each takes some ten bytes.
  package func mayTake(bytes: Int, changes: Int) -> Bool {
    isAppending && bytes + 8 * changes <= options.maximumRecordBytes
  }

  /// Whether a tail is too long for the journal to get more after it: the commit takes it to LMDB, and this notes the attempt. After one
  /// that failed, as on a full disk, commits go to the journal for a while: it has its space already.
  func isTooLong(_ tail: Tail) -> Bool {
    let commits = tail.seal.commit - tail.base.sequence
    guard
      tail.byteCount >= options.mostBytes || commits >= options.mostCommits
        || tail.changeCount >= options.mostChanges
    else { return false }
    if let last = writing.lastAttempt, tail.seal.commit < last + options.mostCommits / 4,
      tail.byteCount < 4 * options.mostBytes, tail.changeCount < 4 * options.mostChanges
    {
      return false
    }
    writing.lastAttempt = tail.seal.commit
    return true
  }

  /// Whether a checkpoint is to be begun after a commit.
  func isCheckpointDue(_ tail: Tail, _ writer: JournalWriter) -> Bool {
    let commits = tail.seal.commit - tail.base.sequence
    return commits >= options.checkpointCommits || tail.byteCount >= options.checkpointBytes
      || tail.changeCount >= options.checkpointChanges || writer.isCheckpointDue
  }
}

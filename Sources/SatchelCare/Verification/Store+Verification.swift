internal import CommitEngine
internal import Journal
package import SatchelStorage

extension Store {
  /// Checks the store against itself, as `Verifier` does for a snapshot, and what the journal still has of commits that went on to
  /// `data.mdb`: damage there costs nothing, and says that the disk loses what it has written.
  /// - Throws: ``SatchelError``: `corrupted` if the store cannot be read at all.
  package func verify() throws -> VerificationReport {
    var report = try read { try Verifier.verify($0) }
    for commits in try journal?.damagedCommits() ?? [] {
      report.addDerived(
        "journal", "commits \(commits.lowerBound) to \(commits.upperBound)",
        "their records cannot be read any more; the store has them all the same")
    }
    return report
  }
}

extension CommitJournal {
  /// Returns the commits of the journal that cannot be read, and that are proved to have been there.
  fileprivate func damagedCommits() throws -> [ClosedRange<UInt64>] {
    guard let file = try JournalFiles.openFile(place) else { return [] }
    let found = try JournalReader.damagedCommits(in: file, of: owner)
    guard !found.isEmpty else { return [] }
    // A writer may have used a segment again meanwhile.
    let again = try JournalReader.damagedCommits(in: file, of: owner)
    return found.filter(again.contains)
  }
}

internal import CommitEngine
internal import Journal
internal import LMDB
internal import RecordStore
internal import SatchelCoding
internal import SatchelModel
internal import SatchelWriting

/// Commits of the journal that cannot be read any more, and that somebody gives up.
package struct GivenUpCommits: Sendable, Hashable {
  /// The last commit that is left.
  package let whole: UInt64
  /// The path of the copy of the journal that was made before; nil if the journal is missing.
  package let copy: String?

  /// What a person is told.
  package var text: String {
    let state = copy.map { "damaged, and was copied to \($0)" } ?? "missing"
    return "the journal is \(state): what was committed after commit \(whole) is given up"
  }
}

extension Store {
  /// Gives up the commits of a journal that is missing or damaged. What is readable of it goes to LMDB; the file is copied before
  /// anything is changed, and emptied then.
  /// - Returns: Nil if all commits can be read.
  /// - Throws: What opening the store throws for any other reason; `io` if another process has it open and goes on to read from what
  ///   is damaged; `journalMissing` if another process has the journal open that is missing.
  package func giveUpLostCommits() throws -> GivenUpCommits? {
    do {
      try recover()
      return nil
    } catch  where error is PartedJournal || (error as? SatchelError)?.code == .journalMissing {
      return try giveUpUnreadableJournal()
    } catch let error as JournalError where error.isDamage {
      return try giveUpUnreadableJournal() ?? giveUpDamagedJournal()
    }
  }

  /// Gives up a journal that is missing, or damaged where it would go on from LMDB. Returns nil if it is not.
  private func giveUpUnreadableJournal() throws -> GivenUpCommits? {
    try environment.write(
      { transaction -> (given: GivenUpCommits, seal: Seal)? in
        var seal = try Self.readSeal(transaction, databases)
        // Another process may have closed the store meanwhile, or have begun another journal.
        guard let journal, seal.isJournalInUse else { return nil }
        guard try !journal.isHeldElsewhere() else { throw journal.parted(seal) }
        guard try journal.isUnreadable(after: seal) else { return nil }
        let copy = try journal.copyAside()
        seal.isJournalInUse = false
        seal.lastRecord = nil
        let tables = RecordTables(transaction, databases, seal: seal, pending: PendingTables())
        try tables.putSeal(trees: seal.trees)
        return (GivenUpCommits(whole: seal.commit, copy: copy), seal)
      },
      afterCommit: { done in
        // No other process can begin to use the journal now. If this fails, the file is refused until it is moved away.
        if let done, done.given.copy != nil { try? journal?.emptyUnreadable(after: done.seal) }
      })?.given
  }

  private func giveUpDamagedJournal() throws -> GivenUpCommits? {
    guard let journal else { return nil }
    let copy = try journal.copyAside()
    return try journal.acceptingDamage {
      try takeJournal(closing: true)
      try emptyJournal()
      return GivenUpCommits(whole: try sequence(), copy: copy)
    }
  }
}

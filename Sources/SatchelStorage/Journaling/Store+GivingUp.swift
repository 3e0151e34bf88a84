internal import Journal
internal import LMDB
internal import SatchelModel

/// Commits of the journal that cannot be read any more, and that somebody gives up.
package struct GivenUpCommits: Sendable, Hashable {
  /// The last commit that is left.
  package let whole: UInt64
  /// The path of the copy of the journal that was made before; nil if the journal is missing.
  package let copy: String?

  /// What a person is told.
  var text: String {
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
  func giveUpLostCommits() throws -> GivenUpCommits? {
    do {
      try checkJournal()
      return nil
    } catch let error as SatchelError where error.code == .journalMissing {
      return try giveUpMissingJournal().map { GivenUpCommits(whole: $0, copy: nil) }
    } catch let error as JournalError where error.isDamage {
      return try giveUpDamagedJournal()
    }
  }

  /// Returns the last commit that is left; nil if the journal is not missing any more.
  private func giveUpMissingJournal() throws -> UInt64? {
    try environment.write { transaction in
      var seal = try Self.readSeal(transaction, databases)
      // Another process may have closed the store meanwhile, or have begun another journal.
      guard let journal, seal.isJournalInUse else { return nil }
      guard try !journal.isHeldElsewhere() else { throw journal.parted(seal) }
      guard try journal.isMissing(after: seal) else { return nil }
      seal.isJournalInUse = false
      seal.lastRecord = nil
      let tables = RecordTables(transaction, databases, seal: seal, pending: PendingTables())
      try tables.putSeal(trees: seal.trees)
      return seal.commit
    }
  }

  private func giveUpDamagedJournal() throws -> GivenUpCommits? {
    guard let journal else { return nil }
    let copy = try journal.copyAside()
    return try journal.acceptingDamage {
      try writeAlone(.checkpoint(closing: true), isMending: true) { _ in }
      try emptyJournal()
      return GivenUpCommits(whole: try sequence(), copy: copy)
    }
  }
}

extension CommitJournal {
  /// Copies the journal's file, under a name that is free. Returns the path of the copy.
  fileprivate func copyAside() throws -> String {
    let path = "\(place.path(of: .journal)).damaged"
    for number in 1..<1000 {
      let name = number == 1 ? path : "\(path)-\(number)"
      guard !Directories.exists(name) else { continue }
      try JournalFiles.openFile(place)?.copy(to: name)
      return name
    }
    throw SatchelError(
      .io, "There are a thousand copies of damaged journals: move them away", ["store": place.path])
  }
}

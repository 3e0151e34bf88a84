package import Journal
package import SatchelCoding
internal import SatchelModel
package import StoreFiles

/// What becomes of a journal when its name, or that of its head, was taken away while this process has it open: somebody has removed,
/// renamed or replaced one of the files.
///
/// A state of LMDB whose seal says that the journal is in use goes with one journal and one head. What was acknowledged after it is
/// in these two, whatever their names lead to by now; who comes later and opens others is refused, because of the claim. So who has
/// them open reads on. The next one who writes, or closes the store, takes what is in them to LMDB, whose seal then says that no
/// journal is in use. One is begun anew after that, with a later state of LMDB.
extension CommitJournal {
  /// Whether the name of the journal, or of its head, leads to no file, or to another one.
  /// - Throws: `replaced` if that of another file of the store does.
  package func hasLostFiles() throws(LMDBError) -> Bool { try database?.checkFiles().hasLostJournal ?? false }

  /// Whether the open files are the ones that a state of LMDB goes with.
  func goes(with seal: Seal, _ state: State) -> Bool {
    guard let files = state.files else { return false }
    return state.known.tail(after: seal.point) != nil || goes(files, with: seal)
  }

  /// Whether a head shows that it, and the journal beside it, are the ones that a state of LMDB goes with: it is in the file in which
  /// it was made, for that journal, and knows of a commit that no earlier one had. It need not show that they are.
  func goes(_ files: JournalFiles, with seal: Seal) -> Bool {
    guard let head = files.head, head.owner == owner, head.isOriginal,
      let journal = try? files.file.identity(), head.speaks(of: journal),
      let published = head.read()?.state.point.sequence
    else { return false }
    let last = seal.lastPoint?.sequence ?? 0
    return published >= (last > 0 ? last : seal.commit)
  }

  /// Lets go of files that have lost their names and that a state of LMDB does not go with: the others are opened by their names
  /// then.
  func dropOthers(_ seal: Seal, _ state: inout State) throws {
    // What is known shows by itself that it goes with it. And of a state that a writer of this process has just brought about nothing
    // is known yet, and a head that has no commit of its journal does not show it.
    guard state.files != nil, state.known.tail(after: seal.point) == nil, state.commit == nil,
      try hasLostFiles(), !goes(with: seal, state)
    else { return }
    drop(&state)
  }

  /// Looks for the files once more after a record was appended, and synced if that is promised. If they have lost their names, takes
  /// it back: it goes to LMDB with all that is in the journal.
  /// - Throws: `replaced`: the record stays, and so does the mark in the head, so that whoever opens the store looks what is there;
  ///   `outcomeUnknown` if it cannot be taken back.
  func takeBackIfLost(_ writer: JournalWriter, _ head: JournalHead) throws -> Bool {
    do {
      guard try hasLostFiles() else { return false }
    } catch {
      writing.writer = nil
      throw error
    }
    do { try writer.withdraw() } catch {
      poison(head)
      guard case .system(let number) = error.code else { throw error }
      throw JournalError(.outcomeUnknown(number), operation: "append", path: error.path)
    }
    head.endCommit()
    writing.isParted = true
    return true
  }

  /// Goes on after a commit of LMDB that has everything of a journal that has lost its name.
  package func leaveFiles() {
    // Nothing else has the commits any more.
    if !isSynced { try? database?.syncAfterCommit() }
    writing.isParted = false
    writing.writer = nil
    state.withLock { drop(&$0) }
  }

  /// Whether another process has the store's journal open. Only for who has not.
  package func isHeldElsewhere() throws(JournalError) -> Bool {
    let claim = try place.openLock(.claim, .reading)
    defer { claim.release() }
    return try !claim.tryAcquirePatiently(.exclusive)
  }

  /// The error for a journal that is not there.
  func notThere(_ seal: Seal) throws(JournalError) -> any Error {
    try isHeldElsewhere() ? parted(seal) : missing(seal)
  }

  /// The error for a journal that only another process has.
  package func parted(_ seal: Seal) -> PartedJournal {
    PartedJournal(
      error: SatchelError(
        .journalMissing,
        "The store's journal or its head was removed or replaced, and a program has the last commits that has the store open: let it write once, or close the store",
        ["store": place.path, "wholeThrough": String(seal.commit)]))
  }
}

/// Stands for a transaction that a writer is about to commit to LMDB: the state that follows goes with the files that its process has
/// open. Belongs to the writer alone, so that it is gone if he fails.
final class CommitOnItsWay: Sendable {}

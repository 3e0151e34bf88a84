package import Journal
package import SatchelCoding

/// A state of the database that survives a power cut: its sync has returned. `CommitJournal.durable` alone makes one.
package struct DurableState: Sendable {
  /// The last commit in it.
  let commit: UInt64

  fileprivate init(_ seal: Seal) { commit = seal.commit }
}

/// The one rule of when space of the journal is used again: only after a state of the database is durable that has the commits in that
/// space. Otherwise a power cut would leave an older state, and its commits would have been written over. So whatever frees space is here,
/// and needs a `DurableState`.
extension CommitJournal {
  /// Who has committed a state of the database.
  package enum Committer { case thisProcess, anybody }

  /// Makes the database's state with this seal durable, unless it is.
  ///
  /// Before: that state is committed, and nobody can commit another one meanwhile that has less in the journal. After: it survives a
  /// power cut. If not, nothing is used again, and nobody knows what of it is on the disk.
  /// - Parameters:
  ///   - committer: A commit of this process at `.full` was durable when it returned. Another process may have ended before its own was.
  ///   - writer: One that uses space again behind the state already, if it does; only in a writer's turn.
  ///   - sync: How to sync the database; nil for a caller who is inside a write of it.
  package func durable(
    _ seal: Seal, by committer: Committer, unlessUsedBy writer: JournalWriter? = nil,
    sync: (() throws -> Void)? = nil
  ) throws -> DurableState {
    let isDurable = writer?.released == seal.commit || (committer == .thisProcess && isSynced)
    if !isDurable { if let sync { try sync() } else { try database?.syncAfterCommit() } }
    return DurableState(seal)
  }

  /// Uses the space of commits again that the database has: that of all that is in whole segments.
  func free(_ writer: JournalWriter, upon state: DurableState) { writer.release(through: state.commit) }

  /// Does the same after commits that have gone past the journal: the next record follows the point of the state.
  func free(_ writer: JournalWriter, upon state: DurableState, at point: JournalPoint) throws(JournalError) {
    if point == writer.end.point { free(writer, upon: state) } else { try writer.jump(to: point) }
  }

  /// Empties a journal's file, of which the database needs nothing.
  func empty(_ file: JournalFile, upon _: DurableState) throws(JournalError) { try file.empty() }
}

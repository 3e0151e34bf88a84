internal import CommitEngine
internal import LMDB
internal import RankedIndex
package import RecordStore
internal import SatchelCoding
internal import SatchelModel
internal import SatchelWriting

extension Store {
  /// Writes the changes of a tail to LMDB, in one commit: its rows into the trees, leaf by leaf, its records in the order
  /// in which they came, and its seal. The file is then at the tail's last commit, and whole without a journal.
  ///
  /// It is for a copy of the file that nobody else knows yet.
  /// - Throws: `RecordError` if the file is not at the commit that the tail begins after; nothing has changed then.
  package func checkpoint(_ tail: Tail) throws {
    do {
      try environment.write { transaction in
        let seal = try Self.readSeal(transaction, databases)
        guard seal.point == tail.base else { throw tail.misplaced(at: seal.commit) }
        guard !tail.isEmpty || seal.isJournalInUse else { return }
        _ = try write(tail, upon: seal, transaction) { $0.isJournalInUse = false }
      }
    } catch {
      throw SatchelError.translating(error, store: directory)
    }
  }

  /// Takes the commits that are in the journal to LMDB, while others go on with theirs. They wait for the last step only, in
  /// which the journal's space becomes free.
  ///
  /// An error leaves everything as it was: the journal has all commits.
  package func checkpointBeside() throws {
    guard let journal else { return }
    let taken = try environment.writeBeside { transaction -> Seal? in
      let seal = try Self.readSeal(transaction, databases)
      guard seal.isJournalInUse, let tail = try journal.tail(after: seal), !tail.isEmpty else {
        return nil
      }
      let taken = try write(tail, upon: seal, transaction) { $0.isJournalInUse = true }
      try journal.syncBeforeCheckpoint(of: tail)
      try journal.readAhead(of: taken)
      return taken
    }
    guard let taken else { return }
    let durable = try journal.durable(taken, by: .thisProcess, sync: environment.sync)
    // Not for long: whoever closes the store waits for this thread. If it does not come to that, the next writer does the same.
    try? environment.inTurn(waiting: 1) { try journal.checkpointed(taken, durable) }
  }

  /// Takes the commits that are in the journal to LMDB, in a turn among the writers: nobody else commits meanwhile.
  /// - Parameters:
  ///   - isClosing: Whether LMDB's seal then says that the journal is not in use. Such a checkpoint goes on after a sync that has failed.
  ///   - seconds: How long to wait for other processes, if the options do not say less.
  /// - Returns: What was done; nil for a store that has no journal.
  @discardableResult func takeJournal(
    closing isClosing: Bool, waiting seconds: Double = .infinity
  ) throws -> WriteTurn? {
    guard let journal else { return nil }
    return try environment.write(
      waiting: seconds,
      { try takeJournal(journal, closing: isClosing, in: $0) },
      afterCommit: { $0.committed() })
  }

  /// Does the same in a write transaction. Call `committed` of what is returned after its commit.
  func takeJournal(
    _ journal: CommitJournal, closing isClosing: Bool, in transaction: LMDBWriteTransaction
  ) throws -> WriteTurn {
    var write = try StoreWrite(self, transaction)
    let turn = try journal.begin(&write, .checkpoint(closing: isClosing))
    if turn.hasToWrite {
      turn.written = try self.write(turn.tail, upon: write.seal, transaction) { try turn.place(&$0) }
    }
    return turn
  }

  /// Writes the changes of a tail to LMDB, and its seal. Every checkpoint is this.
  ///
  /// Before: LMDB's state is the one that the tail begins after. After, once the transaction is committed: LMDB has the state after the tail's
  /// last commit. It makes no commit of its own: a point of the journal names one state.
  /// - Parameter place: Says in the seal whether the journal is in use, when everything else is written.
  /// - Returns: The seal.
  private func write(
    _ tail: Tail, upon seal: Seal, _ transaction: LMDBWriteTransaction, _ place: (inout Seal) throws -> Void
  ) throws -> Seal {
    let forest = try Forest(
      writing: transaction, nodes: databases.nodes, overflow: databases.texts, directory: seal.trees,
      pending: tail.isEmpty ? nil : tail.forest, sequence: tail.seal.commit, cache: nodes,
      pageSize: Int(header.pageSize))
    try forest.flush()
    let tables = RecordTables(
      transaction, databases, seal: tail.seal, pending: PendingTables(over: tail.tables))
    try tables.write()
    try tables.placeSeal(place)
    try tables.putSeal(trees: forest.encodeDirectory())
    return tables.seal
  }
}

extension Tail {
  /// The error for a file at another commit than the one that the tail begins after.
  func misplaced(at commit: UInt64) -> RecordError {
    RecordError("journal", "", "it goes on from commit \(base), and the file is at commit \(commit)")
  }
}

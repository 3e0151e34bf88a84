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
        _ = try write(tail, upon: seal, transaction, isJournalInUse: false)
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
    makePagesUsable()
    let taken = try environment.writeBeside { transaction -> Seal? in
      let seal = try Self.readSeal(transaction, databases)
      guard seal.isJournalInUse, let tail = try journal.tail(after: seal), !tail.isEmpty else {
        return nil
      }
      let taken = try write(tail, upon: seal, transaction, isJournalInUse: true)
      try journal.syncBeforeCheckpoint(of: tail)
      try journal.readAhead(of: taken)
      return taken
    }
    guard let taken else { return }
    // Space of the journal is used again only after that.
    if !journal.isSynced { try environment.sync() }
    // Not for long: whoever closes the store waits for this thread. If it does not come to that, the next writer does the same.
    try? environment.inTurn(waiting: 1) { try journal.checkpointed(taken) }
  }

  /// Makes a commit of LMDB that changes nothing, if the last one has given up many pages: LMDB uses pages again two transactions after
  /// the one that has given them up. Without it the file would have as many pages again as a checkpoint changes. If it fails, that
  /// is all.
  ///
  /// It takes a writer's turn. A write that has begun on a snapshot, and finds that LMDB has a later state, takes that for one with a
  /// shorter tail, in other memory: of the same tail it would give up the memory that its own changes are in.
  func makePagesUsable() {
    let given = try? environment.read { transaction in
      try transaction.pagesAside()?.freed.last { $0.transaction == transaction.id }?.pages
    }
    guard let pages = given ?? nil, pages >= Self.manyPages else { return }
    try? environment.write(waiting: 1, { try putSealAgain(in: $0) }, afterCommit: { _ in })
  }

  private static let manyPages = 64

  /// Writes the changes of a tail to LMDB, and its seal. Returns that.
  private func write(
    _ tail: Tail, upon seal: Seal, _ transaction: LMDBWriteTransaction, isJournalInUse: Bool
  ) throws -> Seal {
    let forest = try Forest(
      writing: transaction, nodes: databases.nodes, overflow: databases.texts, directory: seal.trees,
      pending: tail.isEmpty ? nil : tail.forest, sequence: tail.seal.commit, cache: nodes,
      pageSize: Int(header.pageSize))
    try forest.flush()
    var last = tail.seal
    last.isJournalInUse = isJournalInUse
    let tables = RecordTables(
      transaction, databases, seal: last, pending: PendingTables(over: tail.tables))
    try tables.write()
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

internal import LMDB
internal import RankedIndex
internal import SatchelCoding
internal import SatchelModel

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
        let forest = try Forest(
          writing: transaction, nodes: databases.nodes, overflow: databases.texts, directory: seal.trees,
          pending: tail.isEmpty ? nil : tail.forest, sequence: tail.seal.commit, cache: nodes,
          pageSize: Int(header.pageSize))
        try forest.flush()
        var last = tail.seal
        last.isJournalInUse = false
        let tables = RecordTables(
          transaction, databases, seal: last, pending: PendingTables(over: tail.tables))
        try tables.write()
        try tables.putSeal(trees: forest.encodeDirectory())
      }
    } catch {
      throw SatchelError.translating(error, store: directory)
    }
  }
}

extension Tail {
  /// The error for a file at another commit than the one that the tail begins after.
  func misplaced(at commit: UInt64) -> RecordError {
    RecordError("journal", "", "it goes on from commit \(base), and the file is at commit \(commit)")
  }
}

package import Journal
package import RankedIndex
package import SatchelCoding

/// The changes of commits that LMDB does not have yet, for readers: with a snapshot of LMDB they make the state of the
/// last of these commits. An immutable value: each commit makes the next one, and readers keep the one that they began
/// with.
@usableFromInline package struct Tail: Sendable {
  /// The point that the tail begins after: only a snapshot of LMDB at exactly this one goes with it.
  package let base: JournalPoint
  /// The state after the tail's last commit. It has no directory: the trees are those of the base.
  package let seal: Seal
  package let tables: TailTables
  package let forest: PendingForest
  /// The memory that the tail takes, in bytes, without what its records take beside their values. Counted when it was made: its arena may
  /// get more by then, from a thread that reads on.
  package let byteCount: Int

  /// Makes the tail without commits.
  /// - Parameter seal: The seal of the base.
  package init(after seal: Seal) {
    var state = seal
    state.trees = []
    self.init(base: seal.point, seal: state, tables: TailTables(), forest: PendingForest())
  }

  private init(base: JournalPoint, seal: Seal, tables: TailTables, forest: PendingForest) {
    self.base = base
    self.seal = seal
    self.tables = tables
    self.forest = forest
    byteCount = tables.arena.byteCount + forest.byteCount
  }

  /// Whether there are no commits in it.
  package var isEmpty: Bool { seal.commit == base.sequence }

  /// The point of its last commit; the base's if there is none.
  package var point: JournalPoint { seal.point }

  /// Has the values of the tail's records, and of those that are added.
  package var arena: RecordArena { tables.arena }

  /// The number of changes of records.
  package var changeCount: Int { tables.count }

  /// Returns the value that a key has in the tail; nil if the tail removes it, or does not change it.
  package func value(of key: KeyBytes, in database: RecordDatabase) -> [UInt8]? {
    guard let change = tables[database]?.find(RecordKey(key)) else { return nil }
    return unsafe change.value.map { unsafe [UInt8]($0) }
  }

  /// Returns the same tail with memory of its own for the values of what is added: nobody else adds to that.
  package func apart() -> Tail { Tail(base: base, seal: seal, tables: tables.apart(), forest: forest) }

  /// Returns the tail with the changes of one more transaction, whose values are in the tail's arena.
  /// - Throws: `RecordError` if the transaction does not follow the tail's last one, `outOfStep` if changes of indexes
  ///   contradict what is pending.
  /// - Parameter chain: The chain value of the last commit in the journal.
  package func adding(_ changes: CommitChanges, chain: UInt64 = 0) throws -> Tail {
    try followed(by: changes.seal, chain, tables.adding(changes)) { () throws(IndexError) in
      try forest.adding(changes.forest)
    }
  }

  /// Returns the tail with the changes of many transactions, whose values are in the tail's arena.
  /// - Throws: As for one transaction; `CodingError` if there is none.
  package func adding(_ commits: CommitBuffer, chain: UInt64) throws -> Tail {
    var tables = tables
    for database in RecordDatabase.allCases { tables.add(commits[database], to: database) }
    return try followed(by: try commits.seal(), chain, tables) { () throws(IndexError) in
      try forest.adding(commits.forest)
    }
  }

  private func followed(
    by seal: Seal, _ chain: UInt64, _ tables: TailTables, _ forest: () throws(IndexError) -> PendingForest
  ) throws -> Tail {
    guard seal.commit > self.seal.commit else {
      throw RecordError("journal", "", "commit \(seal.commit) follows commit \(self.seal.commit)")
    }
    var state = seal
    state.isJournalInUse = self.seal.isJournalInUse
    state.lastRecord = self.seal.lastRecord
    state.end(at: chain)
    // The nodes are those of the base.
    state[.nodes] = self.seal[.nodes]
    return Tail(base: base, seal: state, tables: tables, forest: try forest())
  }

  /// Returns the same tail with the chain value that its last commit has got in the journal.
  package func ending(with point: JournalPoint) -> Tail {
    var state = seal
    state.end(at: point.chain)
    return Tail(base: base, seal: state, tables: tables, forest: forest)
  }
}

extension TailTables {
  /// Returns these with the changes of one more transaction, whose values are in the arena.
  package func adding(_ changes: CommitChanges) -> TailTables {
    var tables = self
    for database in RecordDatabase.allCases { tables.add(changes[database], to: database) }
    return tables
  }
}

extension Seal {
  /// The point of the commit, by which it goes with a journal.
  package var point: JournalPoint { JournalPoint(sequence: commit, chain: chain) }

  /// The journal's last record, as far as the seal says it.
  package var lastPoint: JournalPoint? {
    lastRecord.map { JournalPoint(sequence: $0.commit, chain: $0.chain) }
  }

  /// Says that the commit is the last one of a record of the journal, with this chain value.
  fileprivate mutating func end(at chain: UInt64) {
    self.chain = chain
    if lastRecord != nil { lastRecord = RecordPoint(commit: commit, chain: chain) }
  }
}

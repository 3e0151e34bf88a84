package import RankedIndex
package import SatchelCoding

/// The changes of commits that LMDB does not have yet, for readers: with a snapshot of LMDB they make the state of the
/// last of these commits. An immutable value: each commit makes the next one, and readers keep the one that they began
/// with.
package struct Tail: Sendable {
  /// The commit that the tail begins after: only a snapshot of LMDB at exactly this one goes with it.
  package let base: UInt64
  /// The state after the tail's last commit. It has no directory: the trees are those of the base.
  package let seal: Seal
  let tables: TailTables
  package let forest: PendingForest

  /// Makes the tail without commits.
  /// - Parameter seal: The seal of the base.
  package init(after seal: Seal) {
    self.init(base: seal.commit, seal: seal, tables: TailTables(), forest: PendingForest())
  }

  private init(base: UInt64, seal: Seal, tables: TailTables, forest: PendingForest) {
    self.base = base
    self.seal = seal
    self.tables = tables
    self.forest = forest
  }

  /// Has the values of the tail's records. Only the thread whose turn it is to write adds to it.
  package var arena: RecordArena { tables.arena }

  /// The memory that the tail takes, in bytes, without what its records take beside their values.
  package var byteCount: Int { tables.arena.byteCount + forest.byteCount }

  /// Returns the tail with the changes of one more transaction, whose values are in the tail's arena.
  /// - Throws: `RecordError` if the transaction does not follow the tail's last one, `outOfStep` if changes of indexes
  ///   contradict what is pending.
  package func adding(_ changes: CommitChanges) throws -> Tail {
    guard changes.seal.commit > seal.commit else {
      throw RecordError("journal", "", "commit \(changes.seal.commit) follows commit \(seal.commit)")
    }
    var tables = tables
    for database in RecordDatabase.allCases { tables.add(changes[database], to: database) }
    return Tail(base: base, seal: changes.seal, tables: tables, forest: try forest.adding(changes.forest))
  }
}

package import RankedKeys

/// The pending rows of one numeric tree: rows that commits have inserted, removed or replaced and that are not in the
/// tree yet. An immutable value: each commit makes the next version, and readers keep the one they began with.
/// `MergedTree` reads it together with the tree.
///
/// The rows lie in two sorted runs. A commit copies the small run, which is bounded; when it is full, it is merged into
/// the large one, which all versions until then share. A commit so costs microseconds however many rows are pending,
/// and a reader never merges more than two runs. The trees' bounds differ, so that no commit merges the runs of all.
///
/// **What a row means.** A row of the large run is about the tree, a row of the small run about the tree with the large
/// run: an insert says that what lies below does not hold the key, a remove or a replacement that it does. Counts can so
/// be added up: entries before a bound are those of the tree, plus the sum of signs before it in either run.
///
/// **What is trusted.** Changes of one key are folded by what the first one says of the tree: insert and remove come to
/// nothing, remove and insert to a replacement. Changes that contradict a pending row, or each other, are refused when
/// they are added; of rows that came to nothing, nothing is known any more.
/// Whether the tree agrees is not looked up then, which would take a descent a row: a wrong row (the insert of what is
/// there, the removal of what is not) makes reads miscount or throw `outOfStep`, never trap; `MergedTree.verify` and the
/// merge into the tree (`write(into:)`, `Forest.flush`) name it.
///
/// **One base.** All versions that follow from one empty value belong to one state of the tree, of which the rows keep
/// their ranks. When the tree is about to be written with these rows, later commits go into a new value that begins
/// empty, and into this one for as long as readers use the old state: rows that cancel each other must not be folded
/// across that cut, because the earlier ones will be in the tree.
package struct PendingRuns: Sendable {
  package let tree: TreeSchema
  let large: PendingRun
  let small: PendingRun

  /// No pending rows.
  package init(_ tree: TreeSchema) {
    let none = PendingRun(tree)
    self.init(tree, large: none, small: none)
  }

  init(_ tree: TreeSchema, large: PendingRun, small: PendingRun) {
    self.tree = tree
    self.large = large
    self.small = small
  }

  package var isEmpty: Bool { count == 0 }

  /// The number of rows of both runs, of which two may have one key.
  package var count: Int { large.rows.count + small.rows.count }

  /// The memory that the rows take, in bytes.
  package var byteCount: Int { large.rows.byteCount + small.rows.byteCount }

  /// The numbers of rows of the two runs.
  package var runCounts: (large: Int, small: Int) { (large.rows.count, small.rows.count) }

  /// The greatest number of rows of a tree's small run. Trees that get a row from every commit fill it at different
  /// commits; ids are small and dense, and the bound stays one for a copy of a few pages whatever they are.
  package static func smallRunBound(_ tree: TreeSchema) -> Int { 128 + 4 * Int(tree.id & 63) }

  /// Returns the pending rows with a commit's changes. O(small run + changes x log(rows)), and for one commit in a
  /// hundred or so O(rows), copying.
  ///
  /// All sizes of batches take one way: the changes are sorted and merged into a copy of the small run in one pass.
  /// - Throws: `outOfStep` if a change contradicts a pending row or another change, `misuse` if the changes are those
  ///   of another tree.
  package func adding(_ changes: RowChanges) throws(IndexError) -> PendingRuns {
    guard changes.tree.id == tree.id, changes.tree.columns == tree.columns else {
      throw .misuse(tree: tree.id, what: "changes of \(changes.tree.name) for \(tree.name)")
    }
    return try adding(changes.operations)
  }

  /// Returns the pending rows with changes of this tree, in order of arrival.
  func adding(_ changes: [Operation]) throws(IndexError) -> PendingRuns {
    guard !changes.isEmpty else { return self }
    let operations = SortedOperations.sort(changes, keyColumns: tree.keyColumns)
    // Sums of signs and places are kept in 32 bits.
    guard count + operations.count <= Int(Int32.max) else { throw .overflow(tree: tree.id) }
    let small = try small.adding(operations, over: large, tree)
    guard small.rows.count > Self.smallRunBound(tree) else {
      return PendingRuns(tree, large: large, small: small)
    }
    return PendingRuns(tree, large: large.promoting(small, tree), small: PendingRun(tree))
  }

  /// Returns the rows of both runs, one change a key, sorted by key.
  func operations() -> [Operation] {
    let run = large.promoting(small, tree)
    defer { withExtendedLifetime(run) {} }
    var operations: [Operation] = []
    operations.reserveCapacity(run.rows.count)
    for row in 0..<run.rows.count {
      operations.append(Operation(run.rows.kind(row), run.rows.row(row), order: row))
    }
    return operations
  }

  /// Takes over the ranks that readers have filled in meanwhile, without descents. To be called before these rows are
  /// read with the tree into which `frozen` was written.
  /// - Parameters:
  ///   - current: The rows over the tree's old state, to which all changes since the cut were added too.
  ///   - frozen: The rows over the old state as they were at the cut. These rows began empty then.
  package func adoptRanks(of current: PendingRuns, over frozen: PendingRuns) {
    adoptRanks(small.rows, of: current, over: frozen)
    adoptRanks(large.rows, of: current, over: frozen)
  }

  private func adoptRanks(_ rows: RunRows, of current: PendingRuns, over frozen: PendingRuns) {
    for index in 0..<rows.count where rows.knownRank(index) == RunRows.unknownRank {
      let bound = Bound.before(rows.row(index), columns: tree.keyColumns)
      let old = Self.knownRank(current.small.rows, bound) ?? Self.knownRank(current.large.rows, bound)
      guard let old else { continue }
      let rank = Int(old) + frozen.pair.net(before: frozen.pair.place(of: bound))
      if let rank = UInt32(exactly: rank) { rows.keep(rank: rank, index) }
    }
  }

  /// Returns the rank that is known of the row with this bound's key; nil if there is none.
  private static func knownRank(_ rows: RunRows, _ bound: Bound) -> UInt32? {
    let index = rows.position(of: bound)
    guard index < rows.count, rows.hasKey(index, bound.words) else { return nil }
    let rank = rows.knownRank(index)
    return rank == RunRows.unknownRank ? nil : rank
  }

  /// The addresses of both runs, valid as long as this value.
  @inline(__always)
  var pair: RunPair { RunPair(large: large.rows, small: small.rows) }
}

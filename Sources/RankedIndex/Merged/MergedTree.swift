package import RankedKeys

/// A numeric tree with its pending rows, read like the tree alone.
///
/// Counts and ranks are the tree's plus sums of signs from memory; an entry by rank takes the tree's one descent;
/// cursors read the tree in batches up to the next pending row. Without pending rows each call goes straight to the
/// forest. The tree must be in the state that the rows belong to, for as long as this is used: see `PendingRuns`.
///
/// Errors are the tree's. `outOfStep` says that the tree does not hold what a pending row needs, or holds what it adds.
package struct MergedTree {
  let forest: Forest
  let tree: TreeSchema
  /// Nil if there are no pending rows.
  let runs: PendingRuns?

  /// - Parameter pending: The rows that are pending for this tree; nil if there are none.
  package init(_ forest: Forest, _ tree: TreeSchema, pending: PendingRuns?) {
    precondition(pending == nil || pending?.tree.id == tree.id, "pending rows of another tree")
    self.forest = forest
    self.tree = tree
    runs = pending.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the number of entries. O(1).
  package func count() throws(IndexError) -> Int {
    let count = try forest.baseCount(tree)
    guard let runs else { return count }
    return max(count &+ runs.pair.net(before: runs.pair.end), 0)
  }

  /// Returns the exact number of entries in a range. The tree's one or two descents, and a binary search in either run
  /// for each bound. Fills in no ranks.
  package func count(in range: KeyRange) throws(IndexError) -> Int {
    let count = try forest.baseCount(tree, in: range)
    guard let runs else { return count }
    defer { withExtendedLifetime(runs) {} }
    let lower = runs.pair.place(of: range.lower)
    let upper = runs.pair.place(of: range.upper)
    // Where the upper bound is before the lower one, the range is empty, whatever rows lie between them.
    guard upper.large > lower.large || upper.small > lower.small else { return count }
    let change = runs.pair.net(before: upper) &- runs.pair.net(before: lower)
    return max(count &+ change, 0)
  }

  /// Returns the number of entries before a bound. One descent, and a binary search in either run. Fills in no ranks.
  package func rank(of bound: Bound) throws(IndexError) -> Int {
    let rank = try forest.baseRank(tree, of: bound)
    guard let runs else { return rank }
    defer { withExtendedLifetime(runs) {} }
    return max(rank &+ runs.pair.net(before: runs.pair.place(of: bound)), 0)
  }

  /// Returns the entry at rank `index`, or nil if there is no such entry. At most one descent, once the ranks of the
  /// pending rows on the way are known.
  package func select(_ index: Int) throws(IndexError) -> Words? {
    guard let runs else { return try forest.baseSelect(tree, index) }
    guard index >= 0, index < (try count()) else { return nil }
    defer { withExtendedLifetime(runs) {} }
    let place = try runs.pair.place(ofRank: index, forest, tree)
    switch place.row {
    case .large:
      forest.store.counters.entriesRead &+= 1
      return runs.large.rows.row(place.runs.large)
    case .small:
      forest.store.counters.entriesRead &+= 1
      return runs.small.rows.row(place.runs.small)
    case nil:
      guard let row = try forest.baseSelect(tree, place.base) else { throw missing(place.base) }
      return row
    }
  }

  /// Returns the rows whose first column is `word`. For words that few rows share. If none of these is pending, one
  /// descent, and the leaf is not copied.
  package func rows(of word: UInt64) throws(IndexError) -> [Words] {
    guard let runs else { return try forest.baseRows(tree, of: word) }
    let range = KeyRange.prefix(Words(word), columns: 1)
    defer { withExtendedLifetime(runs) {} }
    let lower = runs.pair.place(of: range.lower)
    let upper = runs.pair.place(of: range.upper)
    if lower.large == upper.large, lower.small == upper.small { return try forest.baseRows(tree, of: word) }
    var rows: [Words] = []
    var cursor = try cursor()
    try cursor.seek(to: range.lower)
    _ = try cursor.read(into: &rows, upTo: range.upper, limit: .max)
    return rows
  }

  /// Returns a cursor at the start.
  package func cursor() throws(IndexError) -> MergedCursor {
    MergedCursor(try forest.baseCursor(tree), runs)
  }

  @inline(never)
  private func missing(_ rank: Int) -> IndexError {
    .outOfStep(
      tree: tree.id, key: [],
      what: "the pending rows of \(tree.name) need an entry at rank \(rank), which the tree does not have")
  }
}

package import RankedKeys

/// A string tree with its pending texts, read like the tree alone: what `MergedTree` is for a numeric tree.
///
/// Counts and ranks are the tree's plus sums of signs from memory; an entry by rank takes the tree's one descent;
/// cursors read the tree in batches up to the next pending text. Without pending texts each call goes straight to the
/// forest. The tree must be in the state that the texts belong to, for as long as this is used: see `PendingRuns`.
///
/// Errors are the tree's. `outOfStep` says that the tree does not hold what a pending row removes, or holds what it
/// inserts.
package struct MergedTextTree {
  let forest: Forest
  let tree: TextTreeSchema
  /// Nil if there are no pending texts.
  let runs: PendingTexts?

  /// - Parameter pending: The texts that are pending for this tree; nil if there are none.
  package init(_ forest: Forest, _ tree: TextTreeSchema, pending: PendingTexts?) {
    precondition(pending == nil || pending?.tree.id == tree.id, "pending texts of another tree")
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

  /// Returns the exact number of entries in a range. The tree's two descents, and a binary search in either run for each
  /// bound. Fills in no ranks.
  package func count(in range: TextRange) throws(IndexError) -> Int {
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
  package func rank(of bound: TextBound) throws(IndexError) -> Int {
    let rank = try forest.baseRank(tree, of: bound)
    guard let runs else { return rank }
    defer { withExtendedLifetime(runs) {} }
    return max(rank &+ runs.pair.net(before: runs.pair.place(of: bound)), 0)
  }

  /// Returns the entry at rank `index`, or nil if there is no such entry. At most one descent, once the ranks of the
  /// pending texts on the way are known.
  package func select(_ index: Int) throws(IndexError) -> TextKey? {
    guard let runs else { return try forest.baseSelect(tree, index) }
    guard index >= 0, index < (try count()) else { return nil }
    defer { withExtendedLifetime(runs) {} }
    let place = try runs.pair.place(ofRank: index, forest, tree)
    switch place.row {
    case .large:
      forest.store.counters.entriesRead &+= 1
      return runs.large.rows.key(place.runs.large)
    case .small:
      forest.store.counters.entriesRead &+= 1
      return runs.small.rows.key(place.runs.small)
    case nil:
      guard let key = try forest.baseSelect(tree, place.base) else { throw missing(place.base) }
      return key
    }
  }

  /// Returns the row of the first entry in a range, or nil if there is none. One descent, or two if the entry is in the
  /// leaf after the lower bound's.
  package func firstRow(in range: TextRange) throws(IndexError) -> UInt64? {
    guard runs != nil else { return try forest.baseFirstRow(tree, in: range) }
    var rows: [UInt64] = []
    var cursor = try cursor()
    try cursor.seek(to: range.lower)
    _ = try cursor.read(into: &rows, upTo: range.upper, limit: 1)
    return rows.first
  }

  /// Returns a cursor at the start.
  package func cursor() throws(IndexError) -> MergedTextCursor {
    MergedTextCursor(try forest.baseCursor(tree), runs)
  }

  @inline(never)
  private func missing(_ rank: Int) -> IndexError {
    .outOfStep(
      tree: tree.id, key: [],
      what: "the pending texts of \(tree.name) need an entry at rank \(rank), which the tree does not have")
  }
}

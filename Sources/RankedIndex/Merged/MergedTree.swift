package import RankedKeys

/// A tree with its pending rows, read like the tree alone.
///
/// Counts and ranks are the tree's plus sums of signs from memory; an entry by rank takes the tree's one descent;
/// cursors read the tree in batches up to the next pending row. Without pending rows each call goes straight to the
/// tree. The tree must be in the state that the rows belong to, for as long as this is used: see `Runs`.
///
/// Errors are the tree's. `outOfStep` says that the tree does not hold what a pending row needs, or holds what it adds.
package struct MergedTree<Tree: BaseTree> {
  let forest: Forest
  let tree: Tree
  /// Nil if there are no pending rows.
  let runs: Runs<Tree>?

  /// - Parameter pending: The rows that are pending for this tree; nil if there are none.
  package init(_ forest: Forest, _ tree: Tree, pending: Runs<Tree>?) {
    precondition(pending == nil || pending?.tree.id == tree.id, "pending rows of another tree")
    self.forest = forest
    self.tree = tree
    runs = pending.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the number of entries. O(1).
  package func count() throws(IndexError) -> Int {
    guard let runs else { return try tree.baseCount(in: forest) }
    return try runs.count(in: forest)
  }

  /// Returns the number of entries before a bound. One descent, and a binary search in either run. Fills in no ranks.
  package func rank(of bound: Tree.Keys.Bound) throws(IndexError) -> Int {
    guard let runs else { return try tree.baseRank(of: bound, in: forest) }
    return try runs.rank(of: bound, in: forest)
  }

  /// Returns the entry at rank `index`, or nil if there is no such entry. At most one descent, once the ranks of the
  /// pending rows on the way are known.
  package func select(_ index: Int) throws(IndexError) -> Tree.Keys.Entry? {
    guard let runs else { return try tree.baseSelect(index, in: forest) }
    return try runs.select(index, in: forest)
  }
}

/// The same of a tree that has pending rows.
extension Runs where Tree: BaseTree {
  func count(in forest: Forest) throws(IndexError) -> Int {
    defer { withExtendedLifetime(self) {} }
    return max(try tree.baseCount(in: forest) &+ pair.net, 0)
  }

  /// Returns the number of entries between two bounds, of which the tree alone has `base`. A binary search in either run
  /// for each bound. Fills in no ranks.
  func count(_ base: Int, from lower: Tree.Keys.Bound, to upper: Tree.Keys.Bound) -> Int {
    defer { withExtendedLifetime(self) {} }
    let pair = pair
    let (lower, upper) = (pair.place(of: lower), pair.place(of: upper))
    // Where the upper bound is before the lower one, the range is empty, whatever rows lie between them.
    guard upper.large > lower.large || upper.small > lower.small else { return base }
    return max(base &+ pair.net(before: upper) &- pair.net(before: lower), 0)
  }

  func rank(of bound: Tree.Keys.Bound, in forest: Forest) throws(IndexError) -> Int {
    defer { withExtendedLifetime(self) {} }
    let pair = pair
    return max(try tree.baseRank(of: bound, in: forest) &+ pair.net(before: pair.place(of: bound)), 0)
  }

  func select(_ index: Int, in forest: Forest) throws(IndexError) -> Tree.Keys.Entry? {
    defer { withExtendedLifetime(self) {} }
    let pair = pair
    guard index >= 0, index < (try tree.baseCount(in: forest)) &+ pair.net else { return nil }
    let place = try pair.place(ofRank: index, forest, tree)
    if let row = place.row {
      forest.store.counters.entriesRead &+= 1
      return pair.entry(row)
    }
    guard let entry = try tree.baseSelect(place.base, in: forest) else { throw missing(place.base) }
    return entry
  }

  @inline(never)
  private func missing(_ rank: Int) -> IndexError {
    .outOfStep(
      tree: tree.id, key: [],
      what: "the pending rows of \(tree.name) need an entry at rank \(rank), which the tree does not have")
  }
}

extension Runs<TreeSchema> {
  func rows(of word: UInt64, in forest: Forest) throws(IndexError) -> [Words] {
    let range = KeyRange.prefix(Words(word), columns: 1)
    defer { withExtendedLifetime(self) {} }
    let pair = pair
    let (lower, upper) = (pair.place(of: range.lower), pair.place(of: range.upper))
    if lower.large == upper.large, lower.small == upper.small { return try forest.baseRows(tree, of: word) }
    var rows: [Words] = []
    var cursor = MergedCursor(try forest.baseCursor(tree), self)
    try cursor.seek(to: range.lower)
    _ = try cursor.read(into: &rows, upTo: range.upper, limit: .max)
    return rows
  }
}

extension MergedTree<TreeSchema> {
  /// Returns the exact number of entries in a range. The tree's one or two descents, and a binary search in either run
  /// for each bound. Fills in no ranks.
  package func count(in range: KeyRange) throws(IndexError) -> Int {
    let count = try forest.baseCount(tree, in: range)
    return runs?.count(count, from: range.lower, to: range.upper) ?? count
  }

  /// Returns the rows whose first column is `word`. For words that few rows share. If none of these is pending, one
  /// descent, and the leaf is not copied.
  package func rows(of word: UInt64) throws(IndexError) -> [Words] {
    guard let runs else { return try forest.baseRows(tree, of: word) }
    return try runs.rows(of: word, in: forest)
  }

  /// Returns a cursor at the start.
  package func cursor() throws(IndexError) -> MergedCursor { MergedCursor(try forest.baseCursor(tree), runs) }
}

extension MergedTree<TextTreeSchema> {
  /// Returns the exact number of entries in a range. The tree's two descents, and a binary search in either run for each
  /// bound. Fills in no ranks.
  package func count(in range: TextRange) throws(IndexError) -> Int {
    let count = try forest.baseCount(tree, in: range)
    return runs?.count(count, from: range.lower, to: range.upper) ?? count
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
}

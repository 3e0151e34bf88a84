internal import RankedKeys

/// Reads of a tree that has pending rows, which must belong to the state that the tree is in.
///
/// Counts and ranks are the tree's plus sums of signs from memory; an entry by rank takes the tree's one descent; cursors
/// read the tree in batches up to the next pending row.
///
/// Errors are the tree's. `outOfStep` says that the tree does not hold what a pending row needs, or holds what it adds.
extension Runs where Tree: BaseTree {
  /// Returns the number of entries. O(1).
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

  /// Returns the number of entries before a bound. One descent, and a binary search in either run. Fills in no ranks.
  func rank(of bound: Tree.Keys.Bound, in forest: Forest) throws(IndexError) -> Int {
    defer { withExtendedLifetime(self) {} }
    let pair = pair
    return max(try tree.baseRank(of: bound, in: forest) &+ pair.net(before: pair.place(of: bound)), 0)
  }

  /// Returns the entry at rank `index`, or nil if there is no such entry. At most one descent, once the ranks of the
  /// pending rows on the way are known.
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
  /// Returns the entries whose first column is `word`. For words that few entries share.
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

extension Runs<TextTreeSchema> {
  /// Returns the row of the first entry in a range, or nil if there is none. One descent, or two if the entry is in the
  /// leaf after the lower bound's.
  func firstRow(in range: TextRange, of forest: Forest) throws(IndexError) -> UInt64? {
    var rows: [UInt64] = []
    var cursor = MergedTextCursor(try forest.baseCursor(tree), self)
    try cursor.seek(to: range.lower)
    _ = try cursor.read(into: &rows, upTo: range.upper, limit: 1)
    return rows.first
  }
}

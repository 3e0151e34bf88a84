package import RankedKeys

/// Reads of numeric trees, each with the changes that are buffered for it.
///
/// A tree without buffered changes costs what the tree alone costs.
extension Forest {
  /// Returns the number of entries of a tree. O(1).
  package func count(_ tree: TreeSchema) throws(IndexError) -> Int {
    guard let runs = try runs(tree) else { return try baseCount(tree) }
    return try runs.count(in: self)
  }

  /// Returns the exact number of entries in a range. Takes two descents, however many entries lie between the bounds,
  /// or one if both bounds lie in the same leaf.
  package func count(_ tree: TreeSchema, in range: KeyRange) throws(IndexError) -> Int {
    guard let runs = try runs(tree) else { return try baseCount(tree, in: range) }
    return runs.count(try baseCount(tree, in: range), from: range.lower, to: range.upper)
  }

  /// Returns the number of entries before a bound. One descent.
  package func rank(_ tree: TreeSchema, of bound: Bound) throws(IndexError) -> Int {
    guard let runs = try runs(tree) else { return try baseRank(tree, of: bound) }
    return try runs.rank(of: bound, in: self)
  }

  /// Returns the entry at rank `index`, or nil if the tree has no such entry. One descent.
  package func select(_ tree: TreeSchema, _ index: Int) throws(IndexError) -> Words? {
    guard let runs = try runs(tree) else { return try baseSelect(tree, index) }
    return try runs.select(index, in: self)
  }

  /// Returns the rows whose first column is `word`. For words that few rows share: if the rows lie in one leaf, this
  /// takes one descent and does not copy the leaf.
  package func rows(_ tree: TreeSchema, of word: UInt64) throws(IndexError) -> [Words] {
    guard let runs = try runs(tree) else { return try baseRows(tree, of: word) }
    return try runs.rows(of: word, in: self)
  }

  /// Returns a cursor at the start of the tree. It sees the changes made before it was created, or before its last
  /// seek.
  package func cursor(_ tree: TreeSchema) throws(IndexError) -> MergedCursor {
    MergedCursor(try baseCursor(tree), try runs(tree), isFollowing: isWriting)
  }

  /// Returns the number of nodes on the path from a tree's root to a leaf, including both; 0 for an empty tree. O(1).
  package func height(_ tree: TreeSchema) throws(IndexError) -> Int {
    Int(try directory.record(tree.id, kind: NodeKind.numeric).height)
  }
}

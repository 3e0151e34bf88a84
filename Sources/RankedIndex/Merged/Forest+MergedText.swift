package import RankedKeys

/// Reads of string trees, each with the changes that are buffered for it.
///
/// A tree without buffered changes costs what the tree alone costs.
extension Forest {
  /// Returns the number of entries of a tree. O(1).
  package func count(_ tree: TextTreeSchema) throws(IndexError) -> Int {
    guard let runs = try runs(tree) else { return try baseCount(tree) }
    return try runs.count(in: self)
  }

  /// Returns the exact number of entries in a range. Takes two descents, however many entries lie between the bounds.
  package func count(_ tree: TextTreeSchema, in range: TextRange) throws(IndexError) -> Int {
    guard let runs = try runs(tree) else { return try baseCount(tree, in: range) }
    return runs.count(try baseCount(tree, in: range), from: range.lower, to: range.upper)
  }

  /// Returns the number of entries before a bound. One descent.
  package func rank(_ tree: TextTreeSchema, of bound: TextBound) throws(IndexError) -> Int {
    guard let runs = try runs(tree) else { return try baseRank(tree, of: bound) }
    return try runs.rank(of: bound, in: self)
  }

  /// Returns the entry at rank `index`, or nil if the tree has no such entry. One descent.
  package func select(_ tree: TextTreeSchema, _ index: Int) throws(IndexError) -> TextKey? {
    guard let runs = try runs(tree) else { return try baseSelect(tree, index) }
    return try runs.select(index, in: self)
  }

  /// Returns the row of the first entry in a range, or nil if there is none. One descent.
  package func firstRow(_ tree: TextTreeSchema, in range: TextRange) throws(IndexError) -> UInt64? {
    guard let runs = try runs(tree) else { return try baseFirstRow(tree, in: range) }
    return try runs.firstRow(in: range, of: self)
  }

  /// Returns the row of the first entry in a range, or nil if there is none. May leave out entries that have been
  /// inserted since another read of the tree.
  ///
  /// It is for a caller that knows these entries itself: another read would first sort them into those that are buffered
  /// already, and a caller that reads before each new text would do so for each text.
  package func firstKnownRow(_ tree: TextTreeSchema, in range: TextRange) throws(IndexError) -> UInt64? {
    try check()
    guard let runs = pending.knownTextRuns(tree.id) else { return try baseFirstRow(tree, in: range) }
    return try runs.firstRow(in: range, of: self)
  }

  /// Returns a cursor at the start of the tree. It sees the changes made before it was created, or before its last
  /// seek.
  package func cursor(_ tree: TextTreeSchema) throws(IndexError) -> MergedTextCursor {
    MergedTextCursor(try baseCursor(tree), try runs(tree), isFollowing: isWriting)
  }
}

import SatchelBytes

extension Forest {
  /// The entries of a tree. O(1).
  package func count(_ tree: TextTreeSchema) throws(IndexError) -> Int {
    Int(try textStore(tree).root.count)
  }

  /// The entries in a range, exactly. Two descents, whatever lies between.
  package func count(_ tree: TextTreeSchema, in range: TextRange) throws(IndexError) -> Int {
    let store = try textStore(tree)
    return max(0, try store.rank(of: range.upper) - store.rank(of: range.lower))
  }

  /// The entries before a bound. One descent.
  package func rank(_ tree: TextTreeSchema, of bound: TextBound) throws(IndexError) -> Int {
    try textStore(tree).rank(of: bound)
  }

  /// The entry that `index` others stand before, or nil. One descent.
  package func select(_ tree: TextTreeSchema, _ index: Int) throws(IndexError) -> TextKey? {
    let store = try textStore(tree)
    guard index >= 0, index < Int(store.root.count) else { return nil }
    var leaf = TextPage.none
    var start = 0
    try store.descend(toRank: index, &leaf, leafStart: &start)
    self.store.counters.entriesRead &+= 1
    var reader = TextRunReader()
    do throws(TextFault) {
      return try store.key(leaf, at: index - start, &reader)
    } catch {
      throw store.error(error, node: leaf.number)
    }
  }

  /// The row of the first entry in a range, or nil; buffered changes are passed over. For a caller that knows those:
  /// nothing has to be merged, which a read of the tree would otherwise make of every new text one by one.
  package func firstMergedRow(_ tree: TextTreeSchema, in range: TextRange) throws(IndexError) -> UInt64? {
    try check()
    let store = try TextTreeStore(
      nodes: store, continuations: overflow, root: try directory.record(tree.id, kind: NodeKind.text))
    let rank = try store.rank(of: range.lower)
    guard try rank < store.rank(of: range.upper) else { return nil }
    var leaf = TextPage.none
    var start = 0
    try store.descend(toRank: rank, &leaf, leafStart: &start)
    self.store.counters.entriesRead &+= 1
    var reader = TextRunReader()
    do throws(TextFault) {
      return try store.key(leaf, at: rank - start, &reader).row
    } catch {
      throw store.error(error, node: leaf.number)
    }
  }

  /// A cursor, at the start of the tree.
  package func cursor(_ tree: TextTreeSchema) throws(IndexError) -> TextCursor {
    TextCursor(self, tree, try textStore(tree))
  }

  /// The tree with no changes outstanding.
  @inline(__always)
  func textStore(_ tree: TextTreeSchema) throws(IndexError) -> TextTreeStore {
    try TextTreeStore(
      nodes: store, continuations: overflow, root: try current(tree.id, kind: NodeKind.text))
  }
}

extension TextTreeStore {
  func rank(of bound: TextBound) throws(IndexError) -> Int {
    guard let bytes = bound.bytes else { return Int(root.count) }
    guard root.height > 0, !bytes.isEmpty else { return 0 }
    var leaf = TextPage.none
    var start = 0
    return try descend(to: bytes.span.bytes, row: bound.row, &leaf, leafStart: &start)
  }
}

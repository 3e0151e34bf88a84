internal import RankedKeys
import SatchelBytes

/// Reads of a string tree as it is in the file, without its pending texts. Everything above this module reads both
/// together: see `Forest+MergedText`.
extension Forest {
  /// Returns the number of entries of a tree. O(1).
  func baseCount(_ tree: TextTreeSchema) throws(IndexError) -> Int {
    Int(try textStore(tree).root.count)
  }

  /// Returns the exact number of entries in a range. Takes two descents, however many entries lie between the bounds.
  func baseCount(_ tree: TextTreeSchema, in range: TextRange) throws(IndexError) -> Int {
    let store = try textStore(tree)
    return max(0, try store.rank(of: range.upper) - store.rank(of: range.lower))
  }

  /// Returns the number of entries before a bound. One descent.
  func baseRank(_ tree: TextTreeSchema, of bound: TextBound) throws(IndexError) -> Int {
    try textStore(tree).rank(of: bound)
  }

  /// Returns the entry at rank `index`, or nil if the tree has no such entry. One descent.
  func baseSelect(_ tree: TextTreeSchema, _ index: Int) throws(IndexError) -> TextKey? {
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

  /// Returns the row of the first entry in a range, or nil if there is none. One descent, or two if the range begins at the end of a leaf.
  func baseFirstRow(_ tree: TextTreeSchema, in range: TextRange) throws(IndexError) -> UInt64? {
    let store = try textStore(tree)
    guard store.root.height > 0, let lower = range.lower.bytes else { return nil }
    var leaf = TextPage.none
    var start = 0
    let rank = unsafe try store.descend(to: lower.span.bytes, row: range.lower.row, &leaf, leafStart: &start)
    guard rank < Int(store.root.count) else { return nil }
    if rank - start >= leaf.node.keyCount { try store.descend(toRank: rank, &leaf, leafStart: &start) }
    do throws(TextFault) {
      // The first entry from the lower bound on is in the range if the upper bound is behind it.
      let bytes = unsafe leaf.buffer.bytes
      if let upper = range.upper.bytes {
        let end = unsafe try leaf.node.index(
          bytes, target: upper.span.bytes, row: range.upper.row, inclusive: false, continuations: store)
        guard rank - start < end else { return nil }
      }
      self.store.counters.entriesRead &+= 1
      return try leaf.node.row(bytes, at: rank - start)
    } catch {
      throw store.error(error, node: leaf.number)
    }
  }

  /// Returns a cursor at the start of the tree.
  func baseCursor(_ tree: TextTreeSchema) throws(IndexError) -> TextCursor {
    TextCursor(self, tree, try textStore(tree))
  }

  /// Returns the tree after its buffered changes have been merged into it.
  func flushedTextStore(_ tree: TextTreeSchema) throws(IndexError) -> TextTreeStore {
    try TextTreeStore(
      nodes: store, continuations: overflow, root: try flushed(tree.id, kind: NodeKind.text))
  }

  /// Returns the tree as it is in the file.
  @inline(__always)
  func textStore(_ tree: TextTreeSchema) throws(IndexError) -> TextTreeStore {
    try TextTreeStore(
      nodes: store, continuations: overflow, root: try directory.record(tree.id, kind: NodeKind.text))
  }
}

extension TextTreeStore {
  func rank(of bound: TextBound) throws(IndexError) -> Int {
    guard let bytes = bound.bytes else { return Int(root.count) }
    guard root.height > 0, !bytes.isEmpty else { return 0 }
    var leaf = TextPage.none
    var start = 0
    return unsafe try descend(to: bytes.span.bytes, row: bound.row, &leaf, leafStart: &start)
  }
}

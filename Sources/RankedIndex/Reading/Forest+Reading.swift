internal import RankedKeys
import SatchelBytes

/// Reads of a numeric tree as it is in the file, without its pending rows. Everything above this module reads both together: see
/// `Forest+Merged`.
extension Forest {
  /// Returns the number of entries of a tree. O(1).
  func baseCount(_ tree: TreeSchema) throws(IndexError) -> Int {
    Int(truncatingIfNeeded: try directory.record(tree.id, kind: NodeKind.numeric).count)
  }

  /// Returns the exact number of entries in a range. Takes two descents, however many entries lie between the bounds,
  /// or one if both bounds lie in the same leaf.
  func baseCount(_ tree: TreeSchema, in range: KeyRange) throws(IndexError) -> Int {
    let record = try directory.record(tree.id, kind: NodeKind.numeric)
    let lower: UInt64
    if range.lower.columns > 0, range.upper.columns > 0, record.height > 0 {
      let leaf = try leaf(tree, record, for: range.lower)
      let bytes = unsafe leaf.page.buffer.bytes
      let frame = try leafFrame(tree, leaf.number, bytes, leaf.count)
      let start = frame.index(bytes, of: range.lower, isAfter: range.lower.isAfter)
      let end = frame.index(bytes, of: range.upper, isAfter: range.upper.isAfter)
      // A row of this leaf follows the upper bound, so that the bound lies in this leaf too.
      if end < frame.rows { return max(0, end - start) }
      lower = leaf.rank &+ UInt64(start)
    } else {
      lower = try rank(tree, record, of: range.lower)
    }
    let upper = try rank(tree, record, of: range.upper)
    return upper > lower ? Int(truncatingIfNeeded: upper &- lower) : 0
  }

  /// Returns the number of entries before a bound. One descent.
  func baseRank(_ tree: TreeSchema, of bound: Bound) throws(IndexError) -> Int {
    let record = try directory.record(tree.id, kind: NodeKind.numeric)
    return Int(truncatingIfNeeded: try rank(tree, record, of: bound))
  }

  /// Returns the entry at rank `index`, or nil if the tree has no such entry. One descent.
  func baseSelect(_ tree: TreeSchema, _ index: Int) throws(IndexError) -> Words? {
    let record = try directory.record(tree.id, kind: NodeKind.numeric)
    guard index >= 0, UInt64(index) < record.count else { return nil }
    var rest = UInt64(index)
    var number = record.root
    var count = record.count
    var level = record.height - 1
    while level > 0 {
      let page = try node(tree, number, level, count)
      let bytes = unsafe page.buffer.bytes
      let frame = try innerFrame(tree, number, bytes)
      let row = frame.select(bytes, rest)
      rest &-= frame.before(bytes, row)
      number = frame.child(bytes, row)
      count = frame.entries(bytes, row, total: count)
      level &-= 1
    }
    let page = try node(tree, number, 0, count)
    let bytes = unsafe page.buffer.bytes
    let frame = try leafFrame(tree, number, bytes, count)
    guard rest < UInt64(frame.rows) else { throw damaged(tree, number) }
    store.counters.entriesRead &+= 1
    return frame.words(bytes, row: Int(rest))
  }

  /// Returns the rows whose first column is `word`. For words that few rows share: if the rows lie in one leaf, this
  /// takes one descent and does not copy the leaf.
  func baseRows(_ tree: TreeSchema, of word: UInt64) throws(IndexError) -> [Words] {
    let record = try directory.record(tree.id, kind: NodeKind.numeric)
    guard record.height > 0 else { return [] }
    let bound = Bound.before(Words(word), columns: 1)
    let leaf = try leaf(tree, record, for: bound)
    let bytes = unsafe leaf.page.buffer.bytes
    let frame = try leafFrame(tree, leaf.number, bytes, leaf.count)
    var rows: [Words] = []
    var index = frame.index(bytes, of: bound, isAfter: false)
    while index < frame.rows, frame.value(bytes, row: index, column: 0) == word {
      rows.append(frame.words(bytes, row: index))
      index &+= 1
    }
    store.counters.entriesRead &+= rows.count
    if index < frame.rows { return rows }
    // More rows may follow in the next leaf.
    let known = rows.count
    var cursor = TreeCursor(self, tree, record)
    try cursor.seek(to: bound)
    try cursor.skip(known)
    _ = try cursor.read(into: &rows, upTo: .after(Words(word), columns: 1), limit: .max)
    return rows
  }

  /// Returns a cursor at the start of the tree.
  func baseCursor(_ tree: TreeSchema) throws(IndexError) -> TreeCursor {
    TreeCursor(self, tree, try directory.record(tree.id, kind: NodeKind.numeric))
  }

  @inline(__always)
  func rank(_ tree: TreeSchema, _ record: DirectoryEntry, of bound: Bound) throws(IndexError) -> UInt64 {
    guard bound.columns > 0 else { return bound.isAfter ? record.count : 0 }
    guard record.height > 0 else { return 0 }
    let leaf = try leaf(tree, record, for: bound)
    let bytes = unsafe leaf.page.buffer.bytes
    let frame = try leafFrame(tree, leaf.number, bytes, leaf.count)
    return leaf.rank &+ UInt64(frame.index(bytes, of: bound, isAfter: bound.isAfter))
  }

  /// Returns the leaf that a bound lies in, and the number of entries before that leaf. The tree must have entries.
  @inline(__always)
  private func leaf(
    _ tree: TreeSchema, _ record: DirectoryEntry, for bound: Bound
  ) throws(IndexError) -> (page: NodePage, number: UInt64, count: UInt64, rank: UInt64) {
    var rank: UInt64 = 0
    var number = record.root
    var count = record.count
    var level = record.height - 1
    while level > 0 {
      let page = try node(tree, number, level, count)
      let bytes = unsafe page.buffer.bytes
      let frame = try innerFrame(tree, number, bytes)
      let row = frame.child(bytes, for: bound)
      rank &+= frame.before(bytes, row)
      number = frame.child(bytes, row)
      count = frame.entries(bytes, row, total: count)
      level &-= 1
    }
    return (try node(tree, number, 0, count), number, count, rank)
  }

  @inline(__always)
  func node(_ tree: TreeSchema, _ number: UInt64, _ level: Int, _ count: UInt64) throws(IndexError)
    -> NodePage
  {
    try store.node(
      number, word: NodeHeader.word(tree: tree.id, level: level, kind: NodeKind.numeric, count: count))
  }

  @inline(__always)
  func innerFrame(_ tree: TreeSchema, _ number: UInt64, _ bytes: RawSpan) throws(IndexError) -> Frame {
    guard let frame = Frame(bytes, columns: tree.keyColumns, isLeaf: false) else {
      throw damaged(tree, number)
    }
    return frame
  }

  @inline(__always)
  func leafFrame(
    _ tree: TreeSchema, _ number: UInt64, _ bytes: RawSpan, _ count: UInt64
  ) throws(IndexError) -> Frame {
    guard let frame = Frame(bytes, columns: tree.columns, isLeaf: true), UInt64(frame.rows) == count else {
      throw damaged(tree, number)
    }
    return frame
  }

  @inline(never)
  func damaged(_ tree: TreeSchema, _ number: UInt64) -> IndexError {
    .corrupt(tree: tree.id, node: number, what: "the node's columns or rows do not fit it or its tree")
  }
}

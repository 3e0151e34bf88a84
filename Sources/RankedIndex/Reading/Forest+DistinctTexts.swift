package import RankedKeys
import SatchelBytes

extension Forest {
  /// Calls `body` with the different texts of a range, until it returns false: those of the tree, ascending, and then those of entries
  /// that are pending.
  ///
  /// A text may be given twice, and one whose entries have all been removed may be given. Of a text that has a continuation, what nodes hold
  /// is given. The bytes are valid until `body` returns.
  /// - Complexity: O(texts), and two descents for each leaf in which a text ends. Leaves that have entries of one text alone are passed over.
  package func forEachText(
    of tree: TextTreeSchema, in range: TextRange, _ body: (borrowing RawSpan) throws -> Bool
  ) throws {
    guard try forEachBaseText(of: tree, in: range, { text, _, _ in try body(text) }) else { return }
    try forEachPendingText(of: tree, in: range, body)
  }

  /// The same of the entries that are pending.
  package func forEachPendingText(
    of tree: TextTreeSchema, in range: TextRange, _ body: (borrowing RawSpan) throws -> Bool
  ) throws {
    try runs(tree)?.forEachInsertedText(in: range, body)
  }

  /// The number of a tree's entries without those that are pending, and the sequence of the last commit that changed a tree: no other state
  /// of the file has the same.
  package func state(of tree: TextTreeSchema) throws -> (sequence: UInt64, count: UInt64) {
    (directory.sequence, UInt64(try baseCount(tree)))
  }

  /// The same of the tree without what is pending, with the least and the greatest row of each text in the range; nil in place of the latter if the text goes
  /// on in another leaf. Returns false when `body` has ended it.
  package func forEachBaseText(
    of tree: TextTreeSchema, in range: TextRange,
    _ body: (borrowing RawSpan, _ first: UInt64, _ last: UInt64?) throws -> Bool
  ) throws -> Bool {
    let store = try textStore(tree)
    var rank = try store.rank(of: range.lower)
    let end = try store.rank(of: range.upper)
    var leaf = TextPage.none
    var reader = TextRunReader()
    while rank < end {
      var start = 0
      try store.descend(toRank: rank, &leaf, leafStart: &start)
      let bytes = unsafe leaf.buffer.bytes
      reader.reset()
      while rank < end, rank - start < leaf.node.keyCount {
        let first: UInt64
        var last: UInt64?
        do throws(TextFault) {
          try reader.seek(leaf.node, bytes, to: rank - start)
          guard reader.head.count >= TextLimit.groupBytes else { throw .node }
          first = try leaf.node.row(bytes, at: rank - start)
          if reader.keys.upperBound < leaf.node.keyCount {
            last = try leaf.node.row(bytes, at: reader.keys.upperBound - 1)
          }
        } catch {
          throw store.error(error, node: leaf.number)
        }
        self.store.counters.entriesRead &+= 1
        let head = unsafe reader.head.span.bytes
        let text = head.extracting(droppingFirst: TextLimit.groupBytes)
        guard try body(text, first, last) else { return false }
        rank = start + reader.keys.upperBound
      }
      // The last text of a leaf may go on in many others.
      if rank < end { rank = max(rank, try store.rank(of: .after(entriesOf: reader.head))) }
    }
    return true
  }
}

extension Forest {
  /// Whether what is pending removes an entry that the tree has.
  /// - Complexity: O(log pending).
  package func isRemoved(_ key: TextKey, from tree: TextTreeSchema) throws -> Bool {
    try runs(tree)?.removes(key) ?? false
  }
}

extension Runs<TextTreeSchema> {
  fileprivate func removes(_ key: TextKey) -> Bool {
    defer { withExtendedLifetime(self) {} }
    let bounds = (before: TextBound.before(key), after: TextBound.after(key))
    // What the small run says comes later.
    for rows in [pair.small, pair.large] {
      let row = rows.position(of: bounds.before)
      if row < rows.position(of: bounds.after) { return rows.kind(row) == .remove }
    }
    return false
  }

  /// Calls `body` with the texts of inserted entries in a range, until it returns false.
  func forEachInsertedText(in range: TextRange, _ body: (borrowing RawSpan) throws -> Bool) throws {
    defer { withExtendedLifetime(self) {} }
    for rows in [pair.large, pair.small] {
      var last: UnsafeRawBufferPointer?
      let rest =
        rows.position(of: range.lower)..<max(rows.position(of: range.lower), rows.position(of: range.upper))
      for row in rest where rows.kind(row) != .remove {
        let key = unsafe rows.keys.bytes(row)
        if let last = unsafe last, unsafe last.bytes.compare(key.bytes) == 0 { continue }
        unsafe last = key
        guard unsafe try body(key.bytes.extracting(droppingFirst: TextLimit.groupBytes)) else { return }
      }
    }
  }
}

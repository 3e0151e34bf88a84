internal import RankedKeys
import SatchelBytes

/// Merges the sorted changes of one flush into a string tree, so that each node is read and written once.
///
/// A node passes its changes to its children, and gets the changed children back as unwritten pieces. It joins meagre
/// pieces with a neighbour and writes all pieces. Then it becomes pieces itself. A separator that continues in the
/// side table owns its continuation: the continuation moves with the separator and is removed with it.
struct TextMerge {
  let store: TextTreeStore
  let changes: RunRows<TextTreeSchema>

  init(store: TextTreeStore, changes: RunRows<TextTreeSchema>) {
    self.store = store
    self.changes = changes
  }

  /// Merges nothing: for a tree that is built.
  init(store: TextTreeStore) {
    self.init(store: store, changes: RunRows(TextTreeSchema(id: 0, name: ""), .empty))
  }

  /// Merges the changes of an index range into a node. Returns the pieces that replace the node; none if it is empty.
  func merge(
    _ range: Range<Int>, into number: UInt64, level: Int, entries: Int
  ) throws(IndexError) -> [TextPiece] {
    // The node is copied, because writes of its children may move the file's pages.
    let bytes = unsafe try store.page(number, level: level, entries: entries).buffer.bytes.array
    let pieces =
      level == 0
      ? try mergeLeaf(range, number: number, bytes: bytes)
      : try mergeInner(range, number: number, level: level, bytes: bytes)
    if pieces.isEmpty { try store.free(number) }
    return pieces
  }

  /// Builds the leaves of a tree that was empty.
  func build() throws(IndexError) -> [TextPiece] {
    var entries = TextEntries()
    do throws(TextFault) {
      for index in 0..<changes.count {
        let change = changes[index]
        guard change.isInsertion else { throw .change(index) }
        try append(change, to: &entries)
      }
      return try pack(entries, keepsFull: true, number: nil)
    } catch {
      throw failure(error, node: 0)
    }
  }

  /// Returns the error for a fault. If a change does not fit the tree, the error names the change's key.
  private func failure(_ fault: TextFault, node: UInt64) -> IndexError {
    guard case .change(let index) = fault else { return store.error(fault, node: node) }
    let isInsertion = changes[index].isInsertion
    return .outOfStep(
      tree: store.tree, key: changes.keys.words(index),
      what: isInsertion ? "a text to insert is there already" : "a text to remove is not there")
  }
}

extension TextMerge {
  // MARK: Leaves

  private func mergeLeaf(
    _ range: Range<Int>, number: UInt64, bytes: [UInt8]
  ) throws(IndexError) -> [TextPiece] {
    let span = unsafe bytes.span.bytes
    var merged = TextEntries()
    var reader = TextRunReader()
    var next = 0
    var firstInsert = Int.max
    // Freed after the loop: until then, searches of the node's old bytes still compare with these continuations.
    var unused: [UInt64] = []
    do throws(TextFault) {
      let node = try store.node(span, level: 0)
      for index in range {
        let change = changes[index]
        let keyIndex = unsafe try node.index(
          span, target: change.bytes.span.bytes, row: change.row, inclusive: false, continuations: store)
        guard keyIndex >= next else { throw .node }
        try merged.append(next..<keyIndex, of: node, span, reader: &reader)
        next = keyIndex
        let isPresent = try holds(change, at: keyIndex, node, span, reader: &reader)
        if isPresent == change.isInsertion { throw .change(index) }
        if change.isInsertion {
          firstInsert = min(firstInsert, keyIndex)
          try append(change, to: &merged)
        } else {
          if reader.continuation != 0 { unused.append(reader.continuation) }
          next += 1
        }
      }
      try merged.append(next..<node.keyCount, of: node, span, reader: &reader)
      for continuation in unused { try store.freeContinuation(continuation) }
      let isLess = merged.count < node.keyCount
      var pieces = try pack(merged, keepsFull: firstInsert == node.keyCount, number: number)
      if isLess, pieces.count == 1 { pieces[0].isMeagre = store.packer(0).isMeagre(pieces[0].bytes) }
      return pieces
    } catch {
      throw failure(error, node: number)
    }
  }

  /// Whether the entry at an index of the node is the entry of the change.
  private func holds(
    _ change: TextChange, at keyIndex: Int, _ node: TextNode, _ bytes: borrowing RawSpan,
    reader: inout TextRunReader
  ) throws(TextFault) -> Bool {
    guard keyIndex < node.keyCount, try node.row(bytes, at: keyIndex) == change.row else { return false }
    try reader.seek(node, bytes, to: keyIndex)
    guard reader.head.count == change.headCount, change.bytes.starts(with: reader.head) else { return false }
    if change.bytes.count <= TextLimit.headBytes { return reader.continuation == 0 }
    if reader.continuation == 0 { return false }
    return unsafe try store.compare(
      reader.continuation, with: change.bytes.span.bytes, from: TextLimit.headBytes) == 0
  }

  private func append(_ change: TextChange, to entries: inout TextEntries) throws(TextFault) {
    var continuation: UInt64 = 0
    if change.bytes.count > TextLimit.headBytes {
      continuation = try store.addContinuation(change.bytes[TextLimit.headBytes...])
    }
    unsafe entries.append(
      change.bytes.span.bytes.extracting(0..<change.headCount), continuation: continuation, row: change.row)
  }

  /// Distributes entries over leaves. The first leaf takes over `number`.
  func pack(
    _ entries: TextEntries, keepsFull: Bool, number: UInt64?
  ) throws(TextFault) -> [TextPiece] {
    try pieces(of: packed(entries, keepsFull: keepsFull), entries, number: number)
  }

  func packed(_ entries: TextEntries, keepsFull: Bool) -> [TextPacker.Packed] {
    store.packer(0).pack(entries.count, keepsFull: keepsFull) { builder, index, limit in
      let entry = entries.entries[index]
      return unsafe builder.append(
        entries.heads.span.bytes.extracting(entry.start..<entry.start + entry.length),
        continuation: entry.continuation, row: entry.row, limit: limit)
    }
  }

  /// Returns leaves with the separators between them.
  func pieces(
    of packed: [TextPacker.Packed], _ entries: TextEntries, number: UInt64?
  ) throws(TextFault) -> [TextPiece] {
    var pieces: [TextPiece] = []
    pieces.reserveCapacity(packed.count)
    for leaf in packed {
      let start = leaf.range.lowerBound
      var separator: TextHead?
      if start > 0 { separator = try store.separator(between: entries[start - 1], and: entries[start]) }
      pieces.append(
        TextPiece(
          separator: separator, number: start == 0 ? number : nil, level: 0, entries: leaf.entries,
          bytes: leaf.bytes))
    }
    return pieces
  }
}

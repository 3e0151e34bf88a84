internal import RankedKeys
import SatchelBytes

extension TextTreeStore {
  /// Merges changes into the tree and returns its new record. Each node is written once.
  func flush(_ changes: RunRows<TextTreeSchema>) throws(IndexError) -> DirectoryEntry {
    let merge = TextMerge(store: self, changes: changes)
    if root.height == 0 { return try record(of: merge.build(), merge) }
    return try record(
      of: merge.merge(0..<changes.count, into: root.root, level: root.height - 1, entries: Int(root.count)),
      merge)
  }

  /// Removes the entries in a range whose rows are some numbers, and returns the tree's new record. Each node is written once.
  func sweep(_ range: TextRange, of rows: NumberSet) throws(IndexError) -> DirectoryEntry {
    guard root.height > 0 else { return root }
    let merge = TextMerge(store: self)
    let pieces = try merge.sweep(
      range, of: rows, in: root.root, level: root.height - 1, entries: Int(root.count))
    return try pieces.map { (pieces) throws(IndexError) in try record(of: pieces, merge) } ?? root
  }

  /// Writes the pieces that replace the root, with the levels above them, and returns the tree's record.
  private func record(of pieces: [TextPiece], _ merge: TextMerge) throws(IndexError) -> DirectoryEntry {
    var pieces = pieces
    while pieces.count > 1 {
      let level = pieces[0].level + 1
      pieces = merge.pack(try write(pieces), level: level, keepsFull: true, number: nil)
    }
    guard let top = pieces.first else { return record(nil, level: 0) }
    // A root with a single child is replaced by that child.
    if top.level > 0 {
      let children = unsafe try children(top.bytes.span.bytes, number: top.number ?? 0, level: top.level)
      if children.count == 1 {
        if let number = top.number { try free(number) }
        return try collapse(children[0], level: top.level - 1)
      }
    }
    return record(try write(top), level: top.level)
  }

  /// Descends from a root and frees the nodes that have a single child. Returns the record of the tree below.
  private func collapse(_ root: TextChild, level: Int) throws(IndexError) -> DirectoryEntry {
    var root = root
    var level = level
    while level > 0 {
      let page = try page(root.number, level: level, entries: Int(root.entries))
      guard page.node.childCount == 1 else { break }
      let children = unsafe try children(page.buffer.bytes, number: root.number, level: level)
      try free(root.number)
      root = children[0]
      level -= 1
    }
    return record(root, level: level)
  }

  func write(_ pieces: [TextPiece]) throws(IndexError) -> [TextChild] {
    var children: [TextChild] = []
    children.reserveCapacity(pieces.count)
    for piece in pieces { children.append(try write(piece)) }
    return children
  }

  /// Returns the tree's record with this root, and with the nodes counted that were added and freed since the old
  /// record.
  func record(_ root: TextChild?, level: Int) -> DirectoryEntry {
    var record = self.root
    record.height = root == nil ? 0 : level + 1
    record.root = root?.number ?? 0
    record.count = root?.entries ?? 0
    record.innerNodes = UInt64(max(0, Int(clamping: record.innerNodes) + (tally?.inner ?? 0)))
    record.leafNodes = UInt64(max(0, Int(clamping: record.leafNodes) + (tally?.leaves ?? 0)))
    return record
  }

  /// Removes all nodes and continuations of the tree. O(nodes).
  func drop() throws(IndexError) -> DirectoryEntry {
    if root.height > 0 { try drop(root.root, level: root.height - 1, entries: Int(root.count)) }
    return record(nil, level: 0)
  }

  private func drop(_ number: UInt64, level: Int, entries: Int) throws(IndexError) {
    let bytes = unsafe try page(number, level: level, entries: entries).buffer.bytes.array
    for continuation in try continuations(of: bytes, number: number, level: level) {
      try attempt { () throws(TextFault) in try freeContinuation(continuation) }
    }
    if level > 0 {
      for child in unsafe try children(bytes.span.bytes, number: number, level: level) {
        try drop(child.number, level: level - 1, entries: Int(child.entries))
      }
    }
    try free(number)
  }

  /// Returns the numbers of the continuations that a node's keys refer to.
  func continuations(of bytes: [UInt8], number: UInt64, level: Int) throws(IndexError) -> [UInt64] {
    let span = unsafe bytes.span.bytes
    do throws(TextFault) {
      let node = try node(span, level: level)
      var numbers: [UInt64] = []
      var reader = TextRunReader()
      var key = 0
      while key < node.keyCount {
        try reader.seek(node, span, to: key)
        if reader.continuation != 0 { numbers.append(reader.continuation) }
        key = reader.keys.upperBound
      }
      return numbers
    } catch {
      throw self.error(error, node: number)
    }
  }

  /// Builds the tree again from its entries. The continuations of entries stay in the side table unchanged.
  func rebuild(spare: Double) throws(IndexError) -> DirectoryEntry {
    var builder = TextTreeBuilder(self, spare: spare)
    if root.height > 0 {
      try move(root.root, level: root.height - 1, entries: Int(root.count), to: &builder)
    }
    return try builder.finish()
  }

  /// Passes the entries below a node to a builder. Frees the node and the continuations of its separators.
  private func move(
    _ number: UInt64, level: Int, entries: Int, to builder: inout TextTreeBuilder
  ) throws(IndexError) {
    let bytes = unsafe try page(number, level: level, entries: entries).buffer.bytes.array
    if level > 0 {
      for child in unsafe try children(bytes.span.bytes, number: number, level: level) {
        if let separator = child.separator { try free(separator) }
        try move(child.number, level: level - 1, entries: Int(child.entries), to: &builder)
      }
    } else {
      var leaf = TextEntries()
      do throws(TextFault) {
        let node = unsafe try node(bytes.span.bytes, level: 0)
        var reader = TextRunReader()
        unsafe try leaf.append(0..<node.keyCount, of: node, bytes.span.bytes, reader: &reader)
      } catch {
        throw self.error(error, node: number)
      }
      for index in 0..<leaf.count { try builder.append(leaf[index]) }
    }
    try free(number)
  }
}

internal import RankedKeys
import SatchelBytes

/// Removes many rows that are spread over a tree, without their keys: of each leaf those that belong to something.
///
/// It costs a look at each row and a write of each leaf that has one of them, and no memory beside those leaves. Removals that are
/// buffered one by one cost a hundred times as much a row, and a leaf is written again for each flush.
extension TreeUpdate {
  /// Removes the rows whose word in a column is one of some numbers.
  mutating func sweep(_ column: Int, _ numbers: NumberSet) throws(IndexError) {
    guard record.height > 0 else { return }
    let level = record.height - 1
    let outcome = try sweep(
      record.root, level: level, count: record.count, separator: Words(), column, numbers)
    try end(outcome, level: level)
  }

  private mutating func sweep(
    _ number: UInt64, level: Int, count: UInt64, separator: Words, _ column: Int, _ numbers: NumberSet
  ) throws(IndexError) -> NodeOutcome {
    if level == 0 { return try sweepLeaf(number, count: count, separator: separator, column, numbers) }
    // The node is copied, because changes of its children may move the bytes that LMDB returned.
    let page = try node(number, level: level, count: count)
    let copy = unsafe [UInt8](page.buffer)
    let frame = unsafe try frame(copy.span.bytes, number, level: level, count: count)
    var edits: [Edit] = []
    for row in 0..<frame.rows {
      let entries = unsafe frame.entries(copy.span.bytes, row, total: count)
      let outcome = unsafe try sweep(
        frame.child(copy.span.bytes, row), level: level - 1, count: entries,
        separator: frame.words(copy.span.bytes, row: row), column, numbers)
      if case .same(let left) = outcome, left == entries { continue }
      edits.append(Edit(row: row, count: entries, outcome: outcome))
    }
    guard !edits.isEmpty else { return .same(count: count) }
    return try write(
      copy, frame, edits, of: number, level: level, count: count, separator: separator)
  }

  private mutating func sweepLeaf(
    _ number: UInt64, count: UInt64, separator: Words, _ column: Int, _ numbers: NumberSet
  ) throws(IndexError) -> NodeOutcome {
    let page = try node(number, level: 0, count: count)
    let bytes = unsafe page.buffer.bytes
    let frame = try frame(bytes, number, level: 0, count: count)
    var kept: [Range<Int>] = []
    var rows = 0
    var from = 0
    for row in 0..<frame.rows where numbers.contains(frame.value(bytes, row: row, column: column)) {
      if row > from { kept.append(from..<row) }
      rows &+= row &- from
      from = row &+ 1
    }
    guard from > 0 else { return .same(count: count) }
    if from < frame.rows { kept.append(from..<frame.rows) }
    rows &+= frame.rows &- from
    guard rows > 0 else {
      try free(number, level: 0)
      return .replaced([])
    }
    guard rows * frame.rowWidth >= rowBytes(level: 0) / 4 else {
      var block = RowBlock(stride: tree.columns)
      block.words.reserveCapacity(rows * tree.columns)
      for range in kept { block.append(bytes, frame, rows: range) }
      return .replaced([
        ChildEntry(separator: separator, number: number, count: UInt64(rows), pending: block)
      ])
    }
    var left = leaf(page, frame, kept, rows: rows)
    try store.write(
      &left, number: number, tree: tree.id, kind: NodeKind.numeric, level: 0, count: UInt64(rows))
    return .same(count: UInt64(rows))
  }

  /// Returns the bytes of a leaf with some of its rows, in the same frame.
  private func leaf(_ page: NodePage, _ frame: Frame, _ kept: [Range<Int>], rows: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: store.limit) { buffer, initialized in
      let target = UnsafeMutableRawPointer(buffer.baseAddress!)
      unsafe target.copyMemory(from: page.base, byteCount: frame.rowsAt)
      unsafe target.storeBytes(
        of: UInt16(rows).littleEndian, toByteOffset: NodeHeader.byteCount, as: UInt16.self)
      var offset = frame.rowsAt
      for range in kept {
        let length = range.count &* frame.rowWidth
        unsafe (target + offset).copyMemory(from: page.base + frame.row(range.lowerBound), byteCount: length)
        offset &+= length
      }
      initialized = offset
    }
  }
}

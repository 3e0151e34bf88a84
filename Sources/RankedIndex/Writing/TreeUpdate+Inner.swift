internal import RankedKeys
import SatchelBytes

extension TreeUpdate {
  /// Merges changes into the children of an inner node, then into the node itself.
  mutating func changeInner(
    _ number: UInt64, level: Int, count: UInt64, separator: Words, _ changes: RunRows<TreeSchema>,
    _ range: Range<Int>
  ) throws(IndexError) -> NodeOutcome {
    // The node is copied, because changes of its children may move the bytes that LMDB returned.
    let page = try node(number, level: level, count: count)
    let copy = unsafe [UInt8](page.buffer)
    let (frame, edits) = unsafe try changeChildren(
      copy.span.bytes, number, level: level, count: count, changes, range)
    return try write(
      copy, frame, edits, of: number, level: level, count: count, separator: separator)
  }

  /// Writes an inner node with what has become of its children.
  mutating func write(
    _ bytes: consuming [UInt8], _ frame: Frame, _ edits: [Edit], of number: UInt64, level: Int, count: UInt64,
    separator: Words
  ) throws(IndexError) -> NodeOutcome {
    var copy = bytes
    var total = count
    var isSame = true
    for edit in edits {
      guard case .same(let after) = edit.outcome else {
        isSame = false
        break
      }
      total = total &+ after &- edit.count
    }
    if isSame, Self.patch(&copy, frame, edits) {
      copy.removeSubrange((frame.rowsAt + frame.rows * frame.rowWidth)...)
      try store.write(
        &copy, number: number, tree: tree.id, kind: NodeKind.numeric, level: level, count: total)
      return .same(count: total)
    }
    return unsafe try rebuild(
      number, level: level, separator: separator,
      try children(copy.span.bytes, frame, number, count), edits)
  }

  /// A child that changed, identified by its row in the parent.
  struct Edit {
    var row: Int
    /// The number of entries before the change.
    var count: UInt64
    var outcome: NodeOutcome
  }

  private mutating func changeChildren(
    _ bytes: RawSpan, _ number: UInt64, level: Int, count: UInt64, _ changes: RunRows<TreeSchema>,
    _ range: Range<Int>
  ) throws(IndexError) -> (Frame, [Edit]) {
    let frame = try frame(bytes, number, level: level, count: count)
    var edits: [Edit] = []
    var at = range.lowerBound
    while at < range.upperBound {
      let row = frame.child(bytes, for: .before(changes[at].row, columns: tree.keyColumns))
      var end = range.upperBound
      if row + 1 < frame.rows {
        end = Self.end(changes, at..<end, before: frame.words(bytes, row: row + 1))
      }
      // The index advances unless the node was damaged in a way that the checksum missed, or after the checksum was
      // verified.
      guard end > at else {
        throw .corrupt(tree: tree.id, node: number, what: "separators are out of order")
      }
      let entries = frame.entries(bytes, row, total: count)
      let outcome = try change(
        frame.child(bytes, row), level: level - 1, count: entries, separator: frame.words(bytes, row: row),
        changes, at..<end)
      edits.append(Edit(row: row, count: entries, outcome: outcome))
      at = end
    }
    return (frame, edits)
  }

  /// Returns the end of the changes, from the start of `range`, whose keys are below a separator. The end is near in
  /// most cases, so that the search doubles its steps.
  private static func end(
    _ changes: RunRows<TreeSchema>, _ range: Range<Int>, before separator: Words
  ) -> Int {
    var low = range.lowerBound
    var step = 1
    while low + step < range.upperBound, changes.keys.compare(low + step, separator) < 0 {
      low += step
      step *= 2
    }
    var high = min(low + step, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if changes.keys.compare(middle, separator) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Adds the entries that children gained to the counts of the rows after them. Returns false if a count does not
  /// fit its column.
  private static func patch(_ bytes: inout [UInt8], _ frame: Frame, _ edits: [Edit]) -> Bool {
    let width = frame.beforeWidth
    var gained: UInt64 = 0
    for edit in edits {
      guard case .same(let count) = edit.outcome else { return false }
      if edit.row + 1 < frame.rows { gained = gained &+ count &- edit.count }
    }
    let last = unsafe frame.before(bytes.span.bytes, frame.rows - 1) &+ gained
    guard RowBlock.width(last) <= width else { return false }
    gained = 0
    var next = 0
    for row in edits[0].row..<frame.rows {
      if gained != 0 {
        let value = unsafe frame.before(bytes.span.bytes, row) &+ gained
        let end = frame.row(row) + frame.rowWidth
        for index in 0..<width {
          bytes[end - 1 - index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
        }
      }
      if next < edits.count, edits[next].row == row {
        if case .same(let count) = edits[next].outcome { gained = gained &+ count &- edits[next].count }
        next += 1
      }
    }
    return true
  }

  /// Writes the node again with all its rows, because children were added or removed, or the counts outgrew their
  /// columns.
  private mutating func rebuild(
    _ number: UInt64, level: Int, separator: Words, _ before: [ChildEntry], _ edits: [Edit]
  ) throws(IndexError) -> NodeOutcome {
    var children: [ChildEntry] = []
    children.reserveCapacity(before.count + edits.count)
    var next = 0
    var firstSplit: Int?
    for (row, child) in before.enumerated() {
      guard next < edits.count, edits[next].row == row else {
        children.append(child)
        continue
      }
      switch edits[next].outcome {
      case .same(let count):
        children.append(ChildEntry(separator: child.separator, number: child.number, count: count))
      case .replaced(let entries):
        if firstSplit == nil, entries.count > 1 { firstSplit = row }
        children.append(contentsOf: entries)
      }
      next += 1
    }
    children = try joinPending(children, level: level - 1)
    if children.isEmpty {
      try free(number, level: level)
      return .replaced([])
    }
    let block = block(of: children)
    if children.count < before.count, children.count * 4 < rowBytes(level: level) / (block.stride * 4) {
      return .replaced([
        ChildEntry(separator: separator, number: number, count: block.total, pending: block)
      ])
    }
    let entries = try writeNodes(
      block, level: level, reusing: [number], firstSplit == before.count - 1 ? .full : .even,
      separator: separator)
    if entries.count == 1 { return .same(count: entries[0].count) }
    return .replaced(entries)
  }
}

internal import RankedKeys
import SatchelBytes

extension TreeUpdate {
  /// Merges changes into a leaf.
  mutating func changeLeaf(
    _ number: UInt64, count: UInt64, separator: Words, _ changes: RunRows<TreeSchema>, _ range: Range<Int>
  ) throws(IndexError) -> NodeOutcome {
    let page = try node(number, level: 0, count: count)
    let bytes = unsafe page.buffer.bytes
    let frame = try frame(bytes, number, level: 0, count: count)
    var added = 0
    var removed = 0
    for index in range {
      switch changes.kind(index) {
      case .insert: added += 1
      case .remove: removed += 1
      case .replace: break
      }
    }
    let rows = frame.rows + added - removed
    let rowBytes = rowBytes(level: 0)
    let isShort = removed > added && rows * frame.rowWidth < rowBytes / 4
    // A single row has no width in its frame, and none that is another one fits that: they may be more than a leaf can count.
    if rows > 0, !isShort, rows * max(frame.rowWidth, 1) <= rowBytes,
      var patched = try patch(page, frame, changes, range, rows: rows)
    {
      try store.write(
        &patched, number: number, tree: tree.id, kind: NodeKind.numeric, level: 0, count: UInt64(rows))
      return .same(count: UInt64(rows))
    }
    let first = changes[range.lowerBound]
    let isTail =
      first.kind == .insert
      && first.row.compare(frame.words(bytes, row: frame.rows - 1), columns: tree.keyColumns) > 0
    let block = try merge(bytes, frame, changes, range)
    if rows == 0 {
      try free(number, level: 0)
      return .replaced([])
    }
    // A full leaf is joined with a neighbour as a short one is, and the two become two or three: halves of it, where new rows come
    // at one place, would stay half empty for ever.
    if isShort || !isTail && !block.fits(rowBytes) {
      return .replaced([
        ChildEntry(separator: separator, number: number, count: UInt64(rows), pending: block)
      ])
    }
    let entries = try writeNodes(
      block, level: 0, reusing: [number], isTail ? .full : .even, separator: separator)
    if entries.count == 1 { return .same(count: entries[0].count) }
    return .replaced(entries)
  }

  /// Returns the leaf with the changes made between its packed rows, or nil if a row does not fit the frame. The
  /// bytes between two changes are copied as they are.
  private func patch(
    _ page: NodePage, _ frame: Frame, _ changes: RunRows<TreeSchema>, _ range: Range<Int>, rows: Int
  ) throws(IndexError) -> [UInt8]? {
    let bytes = unsafe page.buffer.bytes
    let columns = tree.columns
    let keyColumns = tree.keyColumns
    let rowWidth = frame.rowWidth
    let end = frame.rowsAt + rows * rowWidth
    var failure: IndexError?
    var fits = true
    let patched = unsafe [UInt8](unsafeUninitializedCapacity: store.limit) { buffer, initialized in
      let target = UnsafeMutableRawPointer(buffer.baseAddress!)
      unsafe target.copyMemory(from: page.base, byteCount: frame.rowsAt)
      unsafe target.storeBytes(
        of: UInt16(rows).littleEndian, toByteOffset: NodeHeader.byteCount, as: UInt16.self)
      var offset = frame.rowsAt
      var from = 0
      // Every row is copied once and every change counted in `rows`, so that the last copy ends at `end`.
      func copy(to row: Int) {
        let length = (row &- from) &* rowWidth
        unsafe (target + offset).copyMemory(from: page.base + frame.row(from), byteCount: length)
        offset &+= length
        from = row
      }
      for index in range {
        let row = changes[index].row
        let kind = changes[index].kind
        let bound = Bound.before(row, columns: keyColumns)
        let rowIndex = frame.index(bytes, of: bound, isAfter: false, from: from)
        var exists = rowIndex < frame.rows
        var column = 0
        while exists, column < keyColumns {
          exists = frame.value(bytes, row: rowIndex, column: column) == row[column]
          column &+= 1
        }
        guard exists == (kind != .insert) else {
          failure = IndexError.outOfStep(tree, row, exists ? "inserted but present" : "changed but absent")
          return
        }
        copy(to: rowIndex)
        if kind != .insert { from &+= 1 }
        guard kind != .remove else { continue }
        for column in 0..<columns {
          let least = frame.minimum(bytes, column)
          let width = frame.width(column)
          let word = row[column]
          guard word >= least, width == 8 || (word &- least) >> UInt64(8 &* width) == 0 else {
            fits = false
            return
          }
          // The next column overwrites the bytes that this store writes after its own; the buffer has spare bytes for
          // the last one.
          if width > 0 {
            unsafe target.storeBytes(
              of: ((word &- least) &<< UInt64(64 &- 8 &* width)).bigEndian, toByteOffset: offset,
              as: UInt64.self)
            offset &+= width
          }
        }
      }
      copy(to: frame.rows)
      initialized = end
    }
    if let failure { throw failure }
    return fits ? patched : nil
  }

  /// Returns the rows of a leaf after the changes.
  private func merge(
    _ bytes: RawSpan, _ frame: Frame, _ changes: RunRows<TreeSchema>, _ range: Range<Int>
  ) throws(IndexError) -> RowBlock {
    let columns = tree.columns
    var block = RowBlock(stride: columns)
    block.words.reserveCapacity((frame.rows + range.count) * columns)
    var from = 0
    for index in range {
      let change = changes[index]
      let bound = Bound.before(change.row, columns: tree.keyColumns)
      let rowIndex = frame.index(bytes, of: bound, isAfter: false, from: from)
      let exists =
        rowIndex < frame.rows
        && frame.words(bytes, row: rowIndex).compare(change.row, columns: tree.keyColumns) == 0
      guard exists == (change.kind != .insert) else {
        throw IndexError.outOfStep(
          tree, change.row, exists ? "inserted but present" : "changed but absent")
      }
      block.append(bytes, frame, rows: from..<rowIndex)
      from = exists ? rowIndex + 1 : rowIndex
      if change.kind != .remove { block.append(change.row, columns: columns) }
    }
    block.append(bytes, frame, rows: from..<frame.rows)
    return block
  }
}

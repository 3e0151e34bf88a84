package import RankedKeys
import SatchelBytes

extension TreeCursor {
  /// Appends the next entries before `bound` to `rows`, at most `limit`. Returns false if there were fewer than
  /// `limit`.
  package mutating func read(
    into rows: inout [Words], upTo bound: Bound = .end, limit: Int
  ) throws(IndexError) -> Bool {
    var rest = limit
    while rest > 0 {
      guard let range = try run(upTo: bound, limit: rest) else { return false }
      append(range, to: &rows, isReversed: false)
      rest -= range.count
    }
    return true
  }

  /// Appends the entries between `bound` and the cursor to `rows`, those nearest the cursor first, at most `limit`.
  /// Returns false if there were fewer than `limit`.
  package mutating func readBack(
    into rows: inout [Words], downTo bound: Bound = .start, limit: Int
  ) throws(IndexError) -> Bool {
    var rest = limit
    while rest > 0 {
      guard let range = try run(downTo: bound, limit: rest) else { return false }
      append(range, to: &rows, isReversed: true)
      rest -= range.count
    }
    return true
  }

  /// Reads a single column like `read(into:upTo:limit:)`.
  package mutating func read(
    column: Int, into values: inout [UInt64], upTo bound: Bound = .end, limit: Int
  ) throws(IndexError) -> Bool {
    precondition(column < tree.columns)
    var rest = limit
    while rest > 0 {
      guard let range = try run(upTo: bound, limit: rest) else { return false }
      append(column, range, to: &values)
      rest -= range.count
    }
    return true
  }

  /// Reads a single column like `readBack(into:downTo:limit:)`.
  package mutating func readBack(
    column: Int, into values: inout [UInt64], downTo bound: Bound = .start, limit: Int
  ) throws(IndexError) -> Bool {
    precondition(column < tree.columns)
    var rest = limit
    while rest > 0 {
      guard let range = try run(downTo: bound, limit: rest) else { return false }
      let first = values.count
      append(column, range, to: &values)
      values[first...].reverse()
      rest -= range.count
    }
    return true
  }

  /// Unpacks rows column by column, so that a column's minimum and width are loaded once per leaf.
  private func append(_ range: Range<Int>, to rows: inout [Words], isReversed: Bool) {
    let first = rows.count
    rows.append(contentsOf: repeatElement(Words(), count: range.count))
    let bytes = unsafe leaf.bytes
    unsafe rows.withUnsafeMutableBytes { target in
      let step = isReversed ? -MemoryLayout<Words>.stride : MemoryLayout<Words>.stride
      let start = (isReversed ? first &+ range.count &- 1 : first) &* MemoryLayout<Words>.stride
      for column in 0..<frame.columns {
        let least = frame.minimum(bytes, column)
        let width = frame.width(column)
        var offset = frame.row(range.lowerBound) &+ frame.offset(column)
        var out = start &+ 8 &* column
        for _ in range {
          unsafe target.storeBytes(
            of: least &+ Frame.load(bytes, offset, width), toByteOffset: out, as: UInt64.self)
          offset &+= frame.rowWidth
          out &+= step
        }
      }
    }
  }

  private func append(_ column: Int, _ range: Range<Int>, to values: inout [UInt64]) {
    let bytes = unsafe leaf.bytes
    let least = frame.minimum(bytes, column)
    let width = frame.width(column)
    var offset = frame.row(range.lowerBound) &+ frame.offset(column)
    for _ in range {
      values.append(least &+ Frame.load(bytes, offset, width))
      offset &+= frame.rowWidth
    }
  }

  /// Moves over the rows of the current or the next leaf before the bound, at most `limit`, and returns them. Returns
  /// nil at the bound, never an empty range.
  private mutating func run(upTo bound: Bound, limit: Int) throws(IndexError) -> Range<Int>? {
    if index == rows, try !advance() { return nil }
    var end = rows
    if bound.columns > 0 {
      end = unsafe frame.index(leaf.bytes, of: bound, isAfter: bound.isAfter)
    } else if !bound.isAfter {
      return nil
    }
    guard end > index else { return nil }
    end = limit < end &- index ? index &+ limit : end
    defer { index = end }
    forest.store.counters.entriesRead &+= end &- index
    return index..<end
  }

  /// Moves back over the rows of the current or the previous leaf after the bound, at most `limit`, and returns them.
  /// Returns nil at the bound, never an empty range.
  private mutating func run(downTo bound: Bound, limit: Int) throws(IndexError) -> Range<Int>? {
    if index == 0, try !retreat() { return nil }
    var start = 0
    if bound.columns > 0 {
      start = unsafe frame.index(leaf.bytes, of: bound, isAfter: bound.isAfter)
    } else if bound.isAfter {
      return nil
    }
    guard start < index else { return nil }
    start = limit < index &- start ? index &- limit : start
    defer { index = start }
    forest.store.counters.entriesRead &+= index &- start
    return start..<index
  }
}

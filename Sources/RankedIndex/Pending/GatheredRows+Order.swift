internal import RankedKeys

extension GatheredRows {
  /// Returns the indices of the changes in the order of their keys and, for one key, of their arrival. Empty if that is the
  /// order of arrival.
  ///
  /// Much of the order is there already: the last columns of most keys are times and numbers that grow with each commit. So
  /// only the columns before the first one from which on the rows are in order have to be sorted by, with a sort that leaves
  /// equal ones as they came: for a tree that begins with the conversation these are a few bits. O(changes).
  package func order() -> [UInt32] {
    let sorted = unsortedColumns()
    guard sorted > 0 else { return [] }
    // For few, comparing costs less than counting.
    if count < 64 {
      return (0..<UInt32(count)).sorted { left, right in
        let (first, second) = unsafe (row(Int(left)), row(Int(right)))
        for column in 0..<keyColumns where unsafe first[column] != second[column] {
          return unsafe first[column] < second[column]
        }
        return left < right
      }
    }
    let extents = (0..<sorted).map { Extent($0, self) }
    var order = RadixOrder(count: count)
    var end = sorted
    // The last columns first; as many at once as fit a word.
    while end > 0 {
      var begin = end - 1
      var width = extents[begin].width
      while begin > 0, width + extents[begin - 1].width <= 64 {
        begin -= 1
        width += extents[begin].width
      }
      if width > 0 { order.sort(by: keys(extents[begin..<end])) }
      end = begin
    }
    return order.indices
  }

  /// The values of a column.
  private struct Extent {
    let column: Int
    let least: UInt64
    /// The bits of the greatest value, less the least one.
    let width: Int

    init(_ column: Int, _ rows: GatheredRows) {
      var least = UInt64.max
      var greatest: UInt64 = 0
      for index in 0..<rows.count {
        let word = unsafe rows.row(index)[column]
        least = min(least, word)
        greatest = max(greatest, word)
      }
      self.column = column
      self.least = least
      width = 64 - (greatest &- least).leadingZeroBitCount
    }
  }

  /// Returns for each change a word of some neighbouring columns, which orders as they do.
  private func keys(_ extents: ArraySlice<Extent>) -> [UInt64] {
    unsafe [UInt64](unsafeUninitializedCapacity: count) { keys, filled in
      unsafe keys.initialize(repeating: 0)
      for extent in extents {
        let (column, least, width) = (extent.column, extent.least, UInt64(extent.width))
        for index in 0..<count {
          // A shift by all 64 bits gives zero.
          unsafe keys[index] = keys[index] << width | (row(index)[column] &- least)
        }
      }
      filled = count
    }
  }

  /// Returns the number of columns, as few as possible, behind which the rows are in the order of their keys: 0 if they are
  /// sorted.
  private func unsortedColumns() -> Int {
    // A bit for each column: that rows are out of order by the columns from this one on.
    var outOfOrder: UInt64 = 0
    let all = UInt64.max >> UInt64(64 - keyColumns)
    for index in 1..<max(1, count) {
      let (before, row) = unsafe (row(index &- 1), row(index))
      var isAfter = false
      var column = keyColumns
      while column > 0 {
        column &-= 1
        let (left, right) = unsafe (before[column], row[column])
        isAfter = left > right || (left == right && isAfter)
        outOfOrder |= (isAfter ? 1 : 0) << UInt64(column)
      }
      if outOfOrder == all { return keyColumns }
    }
    return (~outOfOrder).trailingZeroBitCount
  }
}

/// The changes of many commits as they join a run.
struct SortedRows: SortedChanges {
  typealias Tree = TreeSchema

  private let rows: GatheredRows
  /// The indices of the changes in their order; empty if that is how they came.
  private let order: [UInt32]

  init(_ rows: GatheredRows) {
    self.rows = rows
    order = rows.order()
  }

  var count: Int { rows.count }
  var textBytes: Int { 0 }

  @inline(__always)
  private func index(_ change: Int) -> Int { order.isEmpty ? change : Int(order[change]) }

  @inline(__always)
  func kind(_ change: Int) -> Operation.Kind { rows.kind(index(change)) }

  @inline(__always)
  func haveSameKey(_ left: Int, _ right: Int) -> Bool { rows.haveSameKey(index(left), index(right)) }

  @inline(__always)
  func compare(_ row: Int, of keys: WordKeys, with change: Int) -> Int {
    unsafe keys.compare(row, rows.row(index(change)))
  }

  @inline(__always)
  func append(_ change: Int, to keys: WordKeys, behind count: Int) {
    unsafe keys.append(rows.row(index(change)), behind: count)
  }

  func words(_ change: Int) -> [UInt64] {
    (0..<rows.keyColumns).map { unsafe rows.row(index(change))[$0] }
  }
}

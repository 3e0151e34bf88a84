internal import RankedKeys

extension RowChanges {
  /// Returns the indices of the changes from `first` on, less `first`, in the order of their keys and, for one key, of their
  /// arrival. Empty if that is the order of arrival.
  ///
  /// Much of the order is there already: the last columns of most keys are times and numbers that grow with each commit. So
  /// only the columns before the first one from which on the rows are in order have to be sorted by, with a sort that leaves
  /// equal ones as they came: for a tree that begins with the conversation these are a few bits. O(changes).
  package func order(from first: Int = 0) -> [UInt32] {
    let changes = first..<count
    // More changes are refused when they are merged, in whatever order.
    guard changes.count > 1, changes.count <= Int(Int32.max) else { return [] }
    let sorted = unsortedColumns(changes)
    guard sorted > 0 else { return [] }
    // For few, comparing costs less than counting.
    if changes.count < 64 {
      return (0..<UInt32(changes.count)).sorted { left, right in
        let order = compare(first &+ Int(left), first &+ Int(right))
        return order == 0 ? left < right : order < 0
      }
    }
    let extents = (0..<sorted).map { Extent($0, self, changes) }
    var order = RadixOrder(count: changes.count)
    var end = sorted
    // The last columns first; as many at once as fit a word.
    while end > 0 {
      var begin = end - 1
      var width = extents[begin].width
      while begin > 0, width + extents[begin - 1].width <= 64 {
        begin -= 1
        width += extents[begin].width
      }
      if width > 0 { order.sort(by: keys(extents[begin..<end], changes)) }
      end = begin
    }
    return order.indices
  }

  /// Compares the keys of two changes. The result is negative, 0 or positive.
  @inline(__always)
  func compare(_ left: Int, _ right: Int) -> Int {
    for column in 0..<keyColumns {
      let (first, second) = (word(left, column), word(right, column))
      if first != second { return first < second ? -1 : 1 }
    }
    return 0
  }

  /// The values of a column.
  private struct Extent {
    let column: Int
    let least: UInt64
    /// The bits of the greatest value, less the least one.
    let width: Int

    init(_ column: Int, _ rows: RowChanges, _ changes: Range<Int>) {
      var least = UInt64.max
      var greatest: UInt64 = 0
      for change in changes {
        let word = rows.word(change, column)
        least = min(least, word)
        greatest = max(greatest, word)
      }
      self.column = column
      self.least = least
      width = 64 - (greatest &- least).leadingZeroBitCount
    }
  }

  /// Returns for each change a word of some neighbouring columns, which orders as they do.
  private func keys(_ extents: ArraySlice<Extent>, _ changes: Range<Int>) -> [UInt64] {
    var keys = [UInt64](repeating: 0, count: changes.count)
    for extent in extents {
      let (column, least, width) = (extent.column, extent.least, UInt64(extent.width))
      for index in keys.indices {
        // A shift by all 64 bits gives zero.
        keys[index] = keys[index] << width | (word(changes.lowerBound &+ index, column) &- least)
      }
    }
    return keys
  }

  /// Returns the number of columns, as few as possible, behind which the rows are in the order of their keys: 0 if they are
  /// sorted.
  private func unsortedColumns(_ changes: Range<Int>) -> Int {
    // A bit for each column: that rows are out of order by the columns from this one on.
    var outOfOrder: UInt64 = 0
    let all = UInt64.max >> UInt64(64 - keyColumns)
    for change in changes.dropFirst() {
      var isAfter = false
      var column = keyColumns
      while column > 0 {
        column &-= 1
        let (left, right) = (word(change &- 1, column), word(change, column))
        isAfter = left > right || (left == right && isAfter)
        outOfOrder |= (isAfter ? 1 : 0) << UInt64(column)
      }
      if outOfOrder == all { return keyColumns }
    }
    return (~outOfOrder).trailingZeroBitCount
  }
}

/// The changes of one numeric tree, sorted by key and, for one key, by arrival. They stay where they are: the order is that of
/// their indices.
struct SortedRows: SortedChanges {
  typealias Tree = TreeSchema

  private let changes: RowChanges
  /// The number of changes that are left out.
  private let first: Int
  /// The indices of the others in their order, less `first`; empty if that is how they came.
  private let order: [UInt32]

  init(_ changes: RowChanges, from first: Int = 0) {
    self.changes = changes
    self.first = first
    order = changes.order(from: first)
  }

  var count: Int { changes.count &- first }
  var textBytes: Int { 0 }

  @inline(__always)
  private func index(_ change: Int) -> Int { first &+ (order.isEmpty ? change : Int(order[change])) }

  @inline(__always)
  func kind(_ change: Int) -> ChangeKind { changes.kind(index(change)) }

  @inline(__always)
  func haveSameKey(_ left: Int, _ right: Int) -> Bool { changes.compare(index(left), index(right)) == 0 }

  @inline(__always)
  func compare(_ row: Int, of keys: WordKeys, with change: Int) -> Int {
    let index = index(change)
    return keys.compare(row) { changes.word(index, $0) }
  }

  @inline(__always)
  func append(_ change: Int, to keys: WordKeys, behind count: Int) {
    let index = index(change)
    keys.append(behind: count) { changes.word(index, $0) }
  }

  func words(_ change: Int) -> [UInt64] {
    (0..<changes.keyColumns).map { changes.word(index(change), $0) }
  }
}

import RankedKeys

/// What a tree should hold: rows in an array, in key order.
struct SortedRows {
  let keyColumns: Int
  private(set) var rows: [Words] = []

  init(keyColumns: Int) {
    self.keyColumns = keyColumns
  }

  /// The rows before a bound.
  func rank(_ bound: Bound) -> Int {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if bound.isPast(rows[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func index(of row: Words) -> Int? {
    let index = rank(.before(row, columns: keyColumns))
    guard index < rows.count, rows[index].compare(row, columns: keyColumns) == 0 else { return nil }
    return index
  }

  mutating func insert(_ row: Words) { rows.insert(row, at: rank(.before(row, columns: keyColumns))) }

  mutating func remove(at index: Int) { rows.remove(at: index) }

  mutating func removeAll(where isGone: (Words) -> Bool) { rows.removeAll(where: isGone) }

  mutating func replace(at index: Int, _ row: Words) { rows[index] = row }

  /// The rows of a range.
  func slice(_ range: KeyRange) -> ArraySlice<Words> {
    let lower = rank(range.lower)
    let upper = rank(range.upper)
    return upper > lower ? rows[lower..<upper] : []
  }
}

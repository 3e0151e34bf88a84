/// How often each of some objects has each word and phrase that is wanted.
struct FrequencyTable {
  /// The rows of the objects, ascending.
  let rows: ArraySlice<UInt64>
  /// How many words and phrases there are.
  let columns: Int
  /// Of each object one behind the other: more than 255 makes no difference.
  private var frequencies: [UInt8]
  /// Where the last row was found: the next one is often near.
  private var place: Int

  init(_ rows: ArraySlice<UInt64>, columns: Int) {
    self.rows = rows
    self.columns = columns
    frequencies = [UInt8](repeating: 0, count: rows.count * columns)
    place = rows.startIndex
  }

  /// Adds to what an object has in a column, if it is one of the objects.
  mutating func add(_ count: Int, to row: UInt64, column: Int) {
    guard find(row) else { return }
    let index = (place - rows.startIndex) * columns + column
    frequencies[index] = UInt8(clamping: Int(frequencies[index]) + count)
  }

  /// Returns what an object has in each column, by its place among the rows.
  func frequencies(at place: Int) -> ArraySlice<UInt8> {
    let start = (place - rows.startIndex) * columns
    return frequencies[start..<start + columns]
  }

  /// Moves to a row; returns false if there is none. Steps that grow, and then a binary search.
  private mutating func find(_ row: UInt64) -> Bool {
    // The rows of another term begin again.
    var low = place < rows.endIndex && rows[place] <= row ? place : rows.startIndex
    var step = 1
    while low + step < rows.endIndex, rows[low + step] <= row {
      low += step
      step *= 2
    }
    var high = min(low + step, rows.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    place = low
    return low < rows.endIndex && rows[low] == row
  }
}

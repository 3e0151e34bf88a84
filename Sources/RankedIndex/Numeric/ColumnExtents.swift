/// The least and the greatest value of each column of some rows, from which their frame follows.
struct ColumnExtents {
  /// Of each column the least, then the greatest; all 0 if there are no rows.
  private var words: [UInt64]
  let columns: Int

  init(_ block: RowBlock, _ range: Range<Int>) {
    let stride = block.stride
    columns = stride
    words = [UInt64](repeating: 0, count: 2 * stride)
    guard !range.isEmpty else { return }
    precondition(range.lowerBound >= 0 && range.upperBound <= block.rows)
    unsafe block.words.withUnsafeBufferPointer { rows in
      for column in 0..<stride {
        var least = UInt64.max
        var greatest: UInt64 = 0
        var index = range.lowerBound &* stride &+ column
        for _ in range {
          let word = unsafe rows[index]
          least = min(least, word)
          greatest = max(greatest, word)
          index &+= stride
        }
        words[2 * column] = least
        words[2 * column + 1] = greatest
      }
    }
  }

  func least(_ column: Int) -> UInt64 { words[2 * column] }

  /// Returns the bytes that the values of a column take.
  func width(_ column: Int) -> Int { RowBlock.width(words[2 * column + 1] &- words[2 * column]) }

  /// The bytes of a row.
  var rowWidth: Int { (0..<columns).reduce(0) { $0 + width($1) } }

  /// Takes the rows of others in, of which there must be some on both sides.
  mutating func join(_ other: ColumnExtents) {
    for column in 0..<columns {
      words[2 * column] = min(words[2 * column], other.words[2 * column])
      words[2 * column + 1] = max(words[2 * column + 1], other.words[2 * column + 1])
    }
  }
}

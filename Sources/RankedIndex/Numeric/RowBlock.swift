internal import RankedKeys
import SatchelBytes

/// Unpacked rows, one after another in one array. They are the rows of a leaf, or the rows of an inner node with two
/// more columns: the child, and the entries before it.
struct RowBlock {
  let stride: Int
  var words: [UInt64] = []
  /// In a block of an inner node: the number of entries in all children.
  var total: UInt64 = 0

  init(stride: Int) {
    self.stride = stride
  }

  var rows: Int { words.count / stride }

  @inline(__always)
  mutating func append(_ row: Words, columns: Int) {
    for column in 0..<columns { words.append(row[column]) }
  }

  @inline(__always)
  func row(_ index: Int, columns: Int) -> Words {
    var row = Words()
    let start = index &* stride
    for column in 0..<columns { row[column] = words[start &+ column] }
    return row
  }

  /// Returns the number of entries before the child in an inner node's row.
  @inline(__always)
  func before(_ index: Int) -> UInt64 { words[index &* stride &+ stride &- 1] }

  /// Appends rows of a leaf.
  mutating func append(_ bytes: RawSpan, _ frame: Frame, rows range: Range<Int>) {
    guard !range.isEmpty else { return }
    let start = words.count
    let stride = stride
    words.append(contentsOf: repeatElement(0, count: range.count * stride))
    unsafe words.withUnsafeMutableBufferPointer { words in
      // Column by column: what is known of a column is looked up once.
      for column in 0..<frame.columns {
        let least = frame.minimum(bytes, column)
        let width = frame.width(column)
        var from = frame.row(range.lowerBound) &+ frame.offset(column)
        var index = start &+ column
        for _ in range {
          unsafe words[index] = least &+ Frame.load(bytes, from, width)
          from &+= frame.rowWidth
          index &+= stride
        }
      }
    }
  }

  /// Returns the number of bytes of a value less the least of its column.
  @inline(__always)
  static func width(_ delta: UInt64) -> Int { (71 &- delta.leadingZeroBitCount) &>> 3 }
}

/// The minimums and the row width of the frame that a growing run of rows needs.
struct FrameMeasure {
  private(set) var least: [UInt64]
  private(set) var greatest: [UInt64]
  private(set) var rows = 0
  private(set) var rowWidth = 0
  private let stride: Int
  /// Where rows are measured that may not fit.
  private var leastTried: [UInt64]
  private var greatestTried: [UInt64]

  init(stride: Int) {
    self.stride = stride
    least = [UInt64](repeating: .max, count: stride)
    greatest = [UInt64](repeating: 0, count: stride)
    leastTried = least
    greatestTried = greatest
  }

  mutating func reset() {
    for column in 0..<stride {
      least[column] = .max
      greatest[column] = 0
    }
    rows = 0
    rowWidth = 0
  }

  /// Adds the row at `start`, and returns whether it was added: all rows together must take at most `limit` bytes.
  @inline(__always)
  mutating func extend(_ words: [UInt64], at start: Int, limit: Int) -> Bool {
    var changed = false
    for column in 0..<stride {
      let word = words[start &+ column]
      if word < least[column] || word > greatest[column] { changed = true }
    }
    if !changed {
      guard (rows &+ 1) &* rowWidth <= limit else { return false }
      rows &+= 1
      return true
    }
    var width = 0
    for column in 0..<stride {
      let word = words[start &+ column]
      width &+= RowBlock.width(max(greatest[column], word) &- min(least[column], word))
    }
    guard (rows &+ 1) &* width <= limit else { return false }
    for column in 0..<stride {
      let word = words[start &+ column]
      least[column] = min(least[column], word)
      greatest[column] = max(greatest[column], word)
    }
    rowWidth = width
    rows &+= 1
    return true
  }

  /// Adds the rows of a range of a block, at least one, and returns whether they were added: all of them or none.
  mutating func extend(_ words: [UInt64], rows range: Range<Int>, limit: Int) -> Bool {
    precondition(range.lowerBound >= 0 && range.upperBound &* stride <= words.count)
    var width = 0
    for column in 0..<stride {
      var (low, high) = (least[column], greatest[column])
      unsafe words.withUnsafeBufferPointer { words in
        var index = range.lowerBound &* stride &+ column
        for _ in range {
          let word = unsafe words[index]
          low = min(low, word)
          high = max(high, word)
          index &+= stride
        }
      }
      (leastTried[column], greatestTried[column]) = (low, high)
      width &+= RowBlock.width(high &- low)
    }
    guard (rows &+ range.count) &* width <= limit else { return false }
    swap(&least, &leastTried)
    swap(&greatest, &greatestTried)
    rowWidth = width
    rows &+= range.count
    return true
  }
}

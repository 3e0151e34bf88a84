package import RankedKeys

/// Rows of one tree in the order of their arrival, of which the tree is built once.
///
/// They take the memory of their columns. The keys are sorted as words: after the least value of each column is subtracted,
/// the columns mostly fit one word together. What does not is compared where words are equal.
package struct UnsortedRows {
  let tree: TreeSchema
  /// How many columns of the key decide on the order: rows that are equal in these arrive in the order of the others.
  private let deciding: Int
  private var words: [UInt64] = []
  private var least = Words(repeating: .max)
  private var greatest = Words()
  private var isSorted = true

  /// - Parameter ties: How many of the key's last columns ascend from row to row, as creation sequences do.
  package init(_ tree: TreeSchema, ties: Int) {
    precondition(ties >= 0 && ties <= tree.keyColumns)
    self.tree = tree
    deciding = tree.keyColumns - ties
  }

  /// The number of rows.
  package var count: Int { words.count / tree.columns }

  /// Reserves memory for `count` rows in all.
  package mutating func reserve(_ count: Int) { words.reserveCapacity(count * tree.columns) }

  /// Adds a row.
  package mutating func append(_ row: Words) {
    let start = words.count
    let columns = tree.columns
    var isKnown = start == 0 || !isSorted
    unsafe withUnsafeBytes(of: row) { row in
      for column in 0..<columns {
        let word = unsafe row.loadUnaligned(fromByteOffset: 8 &* column, as: UInt64.self)
        words.append(word)
        guard column < deciding else { continue }
        if word < least[column] { least[column] = word }
        if word > greatest[column] { greatest[column] = word }
        guard !isKnown else { continue }
        let earlier = words[start &- columns &+ column]
        if word != earlier {
          isKnown = true
          isSorted = word > earlier
        }
      }
    }
  }

  /// Returns the numbers of the rows in the order of their keys.
  func order() -> [UInt32] {
    guard !isSorted else { return (0..<UInt32(truncatingIfNeeded: count)).map { $0 } }
    let (keys, isExact) = packedKeys()
    var order = RadixOrder.indices(of: keys)
    guard !isExact else { return order }
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, keys[Int(order[end])] == keys[Int(order[start])] { end += 1 }
      if end - start > 1 {
        order[start..<end].sort { precedes(Int($0), Int($1)) }
      }
      start = end
    }
    return order
  }

  /// Appends the words of a row.
  @inline(__always)
  func append(_ index: UInt32, to target: inout [UInt64]) {
    let start = Int(index) &* tree.columns
    for column in 0..<tree.columns { target.append(words[start &+ column]) }
  }

  /// Whether a row comes before a row of the tree.
  func precedes(_ index: UInt32, _ row: Words) -> Bool {
    for column in 0..<tree.keyColumns {
      let word = words[Int(index) &* tree.columns &+ column]
      if word != row[column] { return word < row[column] }
    }
    return false
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    for column in 0..<tree.keyColumns {
      let (a, b) = (words[left * tree.columns + column], words[right * tree.columns + column])
      if a != b { return a < b }
    }
    return false
  }

  /// Returns a word for each row, of which a lesser key has a lesser or equal one, and whether equal words mean equal
  /// deciding columns.
  private func packedKeys() -> (keys: [UInt64], isExact: Bool) {
    var room: UInt64 = 64
    var isExact = true
    /// For each column: its least value, its bits in the word, and how many of its lowest bits are left out.
    var layout: [(column: Int, least: UInt64, width: UInt64, dropped: UInt64)] = []
    for column in 0..<deciding {
      let width = UInt64(64 - (greatest[column] &- least[column]).leadingZeroBitCount)
      guard width > 0 else { continue }
      let taken = min(width, room)
      if taken < width { isExact = false }
      guard taken > 0 else { break }
      layout.append((column, least[column], taken, width - taken))
      room -= taken
    }
    var keys: [UInt64] = []
    keys.reserveCapacity(count)
    for start in stride(from: 0, to: words.count, by: tree.columns) {
      var key: UInt64 = 0
      // A shift by all 64 bits gives zero.
      for part in layout {
        key = key << part.width | (words[start &+ part.column] &- part.least) >> part.dropped
      }
      keys.append(key)
    }
    return (keys, isExact)
  }
}

package import RankedKeys

/// Rows of one tree in the order of their arrival, of which the tree is built once. They take the memory of their columns.
package struct UnsortedRows {
  private let tree: TreeSchema
  /// How many columns of the key decide on the order: rows that are equal in these arrive in the order of the others.
  private let deciding: Int
  private var words: [UInt64] = []
  private var isSorted = true

  /// - Parameter ties: How many of the key's last columns ascend from row to row, as creation sequences do.
  package init(_ tree: TreeSchema, ties: Int) {
    precondition(ties >= 0 && ties <= tree.keyColumns)
    self.tree = tree
    deciding = tree.keyColumns - ties
  }

  /// Adds a row.
  package mutating func append(_ row: Words) {
    let start = words.count
    let columns = tree.columns
    var isKnown = start == 0 || !isSorted
    unsafe withUnsafeBytes(of: row) { row in
      for column in 0..<columns {
        let word = unsafe row.loadUnaligned(fromByteOffset: 8 &* column, as: UInt64.self)
        words.append(word)
        guard !isKnown, column < deciding else { continue }
        let earlier = words[start &- columns &+ column]
        if word != earlier {
          isKnown = true
          isSorted = word > earlier
        }
      }
    }
  }

  /// Returns the rows in the order of their keys. O(n) if the deciding columns differ in at most 64 bits together.
  package consuming func sorted() -> ArrangedRows {
    guard !isSorted else { return ArrangedRows(tree: tree, words: words) }
    let columns = tree.columns
    let order = self.order()
    let words = self.words
    return ArrangedRows(
      tree: tree,
      words: unsafe [UInt64](unsafeUninitializedCapacity: words.count) { target, count in
        for index in order {
          let start = Int(index) &* columns
          for column in 0..<columns {
            unsafe target.initializeElement(at: count + column, to: words[start &+ column])
          }
          count += columns
        }
      })
  }

  private func order() -> [UInt32] {
    let (keys, isExact) = packedKeys()
    var order = RadixOrder.indices(of: keys)
    guard !isExact else { return order }
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, keys[Int(order[end])] == keys[Int(order[start])] { end += 1 }
      if end - start > 1 { order[start..<end].sort { precedes(Int($0), Int($1)) } }
      start = end
    }
    return order
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    for column in 0..<tree.keyColumns {
      let (a, b) = (words[left * tree.columns + column], words[right * tree.columns + column])
      if a != b { return a < b }
    }
    return false
  }

  /// How a column becomes part of a word.
  private struct Packing {
    let column: Int
    /// The least value other than 0, which stands for a missing value and may be far from all others.
    let least: UInt64
    /// Its bits in the word, and how many of its lowest bits are left out.
    let width: UInt64
    let dropped: UInt64

    @inline(__always)
    func apply(_ word: UInt64) -> UInt64 { word == 0 ? 0 : (word &- least &+ 1) >> dropped }
  }

  /// Returns a word for each row, of which a lesser key has a lesser or equal one, and whether equal words mean equal
  /// deciding columns.
  private func packedKeys() -> (keys: [UInt64], isExact: Bool) {
    var room: UInt64 = 64
    var isExact = true
    var layout: [Packing] = []
    for column in 0..<deciding {
      let (least, greatest) = extent(of: column)
      guard greatest > 0 else { continue }
      // From 1 on, because 0 stays 0; the least value is at least 1, so that this fits a word.
      let width = UInt64(64 - (greatest &- least &+ 1).leadingZeroBitCount)
      let taken = min(width, room)
      if taken < width { isExact = false }
      guard taken > 0 else { break }
      layout.append(Packing(column: column, least: least, width: taken, dropped: width - taken))
      room -= taken
    }
    var keys: [UInt64] = []
    keys.reserveCapacity(words.count / tree.columns)
    for start in stride(from: 0, to: words.count, by: tree.columns) {
      var key: UInt64 = 0
      // A shift by all 64 bits gives zero.
      for part in layout { key = key << part.width | part.apply(words[start &+ part.column]) }
      keys.append(key)
    }
    return (keys, isExact)
  }

  /// Returns the least value of a column other than 0, and the greatest value.
  private func extent(of column: Int) -> (least: UInt64, greatest: UInt64) {
    var least = UInt64.max
    var greatest: UInt64 = 0
    for index in stride(from: column, to: words.count, by: tree.columns) {
      let word = words[index]
      if word != 0 { least = min(least, word) }
      greatest = max(greatest, word)
    }
    return (least, greatest)
  }
}

/// Rows of one tree in the order of their keys.
package struct ArrangedRows: Sendable {
  let tree: TreeSchema
  fileprivate let words: [UInt64]

  /// The number of rows.
  package var count: Int { words.count / tree.columns }

  /// Appends the words of a row.
  @inline(__always)
  func append(_ index: Int, to target: inout [UInt64]) {
    let start = index &* tree.columns
    for column in 0..<tree.columns { target.append(words[start &+ column]) }
  }

  /// Whether a row comes before a row of the tree.
  func precedes(_ index: Int, _ row: Words) -> Bool {
    for column in 0..<tree.keyColumns {
      let word = words[index &* tree.columns &+ column]
      if word != row[column] { return word < row[column] }
    }
    return false
  }
}

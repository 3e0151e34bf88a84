package import RankedKeys

/// The keys of a numeric tree's rows, with what else a row has: all words of the rows, side by side.
@safe
package struct WordKeys: RunKeys {
  let columns: Int
  let keyColumns: Int
  private let words: UnsafeMutablePointer<UInt64>

  package static var havePayload: Bool { true }

  package static func byteCount(_ tree: TreeSchema, _ rows: Int) -> Int { 8 * tree.columns * rows }

  @inline(__always)
  package init(_ tree: TreeSchema, at base: UnsafeMutableRawPointer, capacity: Int) {
    columns = tree.keyColumns &+ tree.payloadColumns
    keyColumns = tree.keyColumns
    unsafe words = base.assumingMemoryBound(to: UInt64.self)
  }

  package func clear() {}

  package func textBytes(_ count: Int) -> Int { 0 }

  @inline(__always)
  func word(_ row: Int, _ column: Int) -> UInt64 {
    assert(column < columns)
    return unsafe words[row &* columns &+ column]
  }

  /// Returns all columns of a row.
  @inline(__always)
  package func value(_ row: Int) -> Words {
    var result = Words()
    for column in 0..<columns { result[column] = unsafe words[row &* columns &+ column] }
    return result
  }

  @inline(__always)
  package func entry(_ row: Int) -> Words { value(row) }

  @inline(__always)
  package func isBefore(_ row: Int, _ bound: Bound) -> Bool {
    for column in 0..<min(bound.columns, columns) {
      let word = word(row, column)
      let other = bound.words[column]
      if word != other { return word < other }
    }
    return bound.isAfter
  }

  @inline(__always)
  package func compare(_ row: Int, _ other: WordKeys, _ otherRow: Int) -> Int {
    unsafe compare(row, other.words + otherRow &* columns)
  }

  /// Compares a row's key with the first words of another row. The result is negative, 0 or positive.
  @inline(__always)
  func compare(_ row: Int, _ words: UnsafePointer<UInt64>) -> Int {
    for column in 0..<keyColumns {
      let (left, right) = unsafe (word(row, column), words[column])
      if left != right { return left < right ? -1 : 1 }
    }
    return 0
  }

  @inline(__always)
  func compare(_ row: Int, _ words: borrowing Words) -> Int {
    for column in 0..<keyColumns {
      let (left, right) = (word(row, column), words[column])
      if left != right { return left < right ? -1 : 1 }
    }
    return 0
  }

  package func bounds(_ row: Int) -> (before: Bound, after: Bound) {
    let row = value(row)
    return (.before(row, columns: keyColumns), .after(row, columns: keyColumns))
  }

  package func words(_ row: Int) -> [UInt64] { (0..<keyColumns).map { word(row, $0) } }

  /// Writes a row behind the first `count` rows, for which there must be room.
  @inline(__always)
  func append(_ row: Words, behind count: Int) {
    for column in 0..<columns { unsafe words[count &* columns &+ column] = row[column] }
  }

  /// Writes a row behind the first `count` rows, for which there must be room.
  @inline(__always)
  func append(_ row: UnsafePointer<UInt64>, behind count: Int) {
    unsafe (words + count &* columns).update(from: row, count: columns)
  }

  @inline(__always)
  package func copy(_ other: WordKeys, _ range: Range<Int>, behind count: Int) {
    unsafe (words + count &* columns)
      .update(from: other.words + range.lowerBound &* columns, count: range.count &* columns)
  }
}

extension TreeSchema: RunTree {
  package typealias Keys = WordKeys

  package func runs(in forest: Forest) throws(IndexError) -> Runs<TreeSchema>? { try forest.runs(self) }

  package func baseCount(in forest: Forest) throws(IndexError) -> Int { try forest.baseCount(self) }

  package func baseRank(of bound: Bound, in forest: Forest) throws(IndexError) -> Int {
    try forest.baseRank(self, of: bound)
  }

  package func baseRank(ofRow row: Int, _ keys: WordKeys, in forest: Forest) throws(IndexError) -> Int {
    try forest.baseRank(self, of: .before(keys.value(row), columns: keyColumns))
  }

  package func baseSelect(_ rank: Int, in forest: Forest) throws(IndexError) -> Words? {
    try forest.baseSelect(self, rank)
  }
}

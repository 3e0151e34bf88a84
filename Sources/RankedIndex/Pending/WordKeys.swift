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
    compare(row) { other.word(otherRow, $0) }
  }

  /// Compares a row's key with the first words of another row.
  @inline(__always)
  func compare(_ row: Int, _ words: Words) -> Int { compare(row) { words[$0] } }

  /// Writes the words that `word` returns for the columns behind the first `count` rows, for which there must be room.
  @inline(__always)
  func append(behind count: Int, _ word: (Int) -> UInt64) {
    for column in 0..<columns { unsafe words[count &* columns &+ column] = word(column) }
  }

  /// Compares a row's key with the words that `other` returns for the columns. The result is negative, 0 or positive.
  @inline(__always)
  func compare(_ row: Int, _ other: (Int) -> UInt64) -> Int {
    for column in 0..<keyColumns {
      let (left, right) = (word(row, column), other(column))
      if left != right { return left < right ? -1 : 1 }
    }
    return 0
  }

  package func bounds(_ row: Int) -> (before: Bound, after: Bound) {
    let row = value(row)
    return (.before(row, columns: keyColumns), .after(row, columns: keyColumns))
  }

  package func words(_ row: Int) -> [UInt64] { (0..<keyColumns).map { word(row, $0) } }

  @inline(__always)
  package func copy(_ other: WordKeys, _ range: Range<Int>, behind count: Int) {
    unsafe (words + count &* columns)
      .update(from: other.words + range.lowerBound &* columns, count: range.count &* columns)
  }
}

extension TreeSchema: RunTree {
  package typealias Keys = WordKeys
}

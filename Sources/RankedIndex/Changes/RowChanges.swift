package import RankedKeys
package import SatchelBytes

/// The changes of one numeric tree, in the order of arrival, in which changes of one key follow each other: what one write
/// makes, or what many commits have made.
///
/// They lie side by side: there is neither an object nor an array for each, and no word for a column that the tree does not
/// have.
package struct RowChanges: Sendable {
  package let tree: TreeSchema
  package private(set) var count = 0
  let columns: Int
  let keyColumns: Int
  /// For each change its kind, then all columns.
  private var words: [UInt64] = []

  package init(_ tree: TreeSchema) {
    self.tree = tree
    columns = tree.columns
    keyColumns = tree.keyColumns
  }

  mutating func append(_ kind: ChangeKind, _ row: Words) {
    // A small commit changes an entry or two of a tree.
    if count == 0 { reserve(4) }
    words.append(UInt64(kind.rawValue))
    unsafe withUnsafeBytes(of: row) {
      unsafe words.append(contentsOf: $0.assumingMemoryBound(to: UInt64.self)[..<columns])
    }
    count &+= 1
  }

  /// Reserves memory for `count` changes, if there are none yet: these are then taken to be most of all changes.
  mutating func reserve(_ count: Int) {
    if words.isEmpty { words.reserveCapacity(max(words.capacity, count * stride)) }
  }

  @inline(__always)
  private var stride: Int { columns &+ 1 }

  @inline(__always)
  func kind(_ change: Int) -> ChangeKind {
    switch words[change &* stride] {
    case 0: .insert
    case 1: .remove
    default: .replace
    }
  }

  @inline(__always)
  func word(_ change: Int, _ column: Int) -> UInt64 { words[change &* stride &+ 1 &+ column] }

  /// Reads one more change: see `ForestChanges.encode`.
  /// - Throws: `ByteError` if the bytes are not a change of this tree.
  package mutating func read(_ bytes: RawSpan, _ reader: inout ByteReader) throws(ByteError) {
    let start = reader.offset
    guard let kind = ChangeKind(rawValue: try reader.u8(bytes)) else { throw ByteError(offset: start) }
    words.append(UInt64(kind.rawValue))
    do throws(ByteError) {
      // A removal names the key only.
      try readColumns(kind == .remove ? keyColumns : columns, bytes, &reader)
    } catch {
      words.removeLast(words.count - count * stride)
      throw error
    }
    count &+= 1
  }

  private mutating func readColumns(
    _ named: Int, _ bytes: RawSpan, _ reader: inout ByteReader
  ) throws(ByteError) {
    var column = 0
    while column < named {
      let start = reader.offset
      let widths = try reader.u8(bytes)
      let (first, second) = (Int(widths & 15), Int(widths >> 4))
      let isPair = column &+ 1 < named
      guard first <= 8, second <= 8, isPair || second == 0 else { throw ByteError(offset: start) }
      words.append(try Self.word(bytes, &reader, first))
      if isPair { words.append(try Self.word(bytes, &reader, second)) }
      column &+= 2
    }
    for _ in named..<columns { words.append(0) }
  }

  @inline(__always)
  private static func word(
    _ bytes: RawSpan, _ reader: inout ByteReader, _ width: Int
  ) throws(ByteError) -> UInt64 {
    // With eight bytes left, as almost always, one load has them all. A shift by all 64 bits gives zero.
    if bytes.contains(reader.offset, count: 8) {
      let word = bytes.u64(reader.offset) & (.max >> UInt64(64 &- 8 &* width))
      reader.offset &+= width
      return word
    }
    var word: UInt64 = 0
    for index in 0..<width { word |= UInt64(try reader.u8(bytes)) << UInt64(8 * index) }
    return word
  }
}

extension RowChanges: TreeChanges {
  func sorted(from index: Int) -> SortedRows { SortedRows(self, from: index) }
}

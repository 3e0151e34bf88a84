package import RankedKeys
package import SatchelBytes

/// The changes of one numeric tree that many commits make, in the order in which they come: rows side by side, and their
/// kinds. There is neither an object nor an array for each commit, and no word for a column that the tree does not have.
///
/// This type is the addresses of one allocation, not its owner: `GatheredChanges` is.
@safe
package struct GatheredRows {
  let tree: TreeSchema
  let columns: Int
  let keyColumns: Int
  /// The number of changes.
  package private(set) var count = 0
  private var capacity = 0
  private var words: UnsafeMutablePointer<UInt64>
  private var kinds: UnsafeMutablePointer<UInt8>

  /// No changes. Whoever makes this frees it.
  package init(_ tree: TreeSchema) {
    self.tree = tree
    columns = tree.columns
    keyColumns = tree.keyColumns
    (unsafe words, unsafe kinds) = unsafe Self.allocate(0, columns: columns)
  }

  /// Frees the memory: nothing of this may be used afterwards.
  package func deallocate() { unsafe words.deallocate() }

  private static func allocate(
    _ capacity: Int, columns: Int
  ) -> (UnsafeMutablePointer<UInt64>, UnsafeMutablePointer<UInt8>) {
    let wordBytes = 8 * columns * capacity
    let base = UnsafeMutableRawPointer.allocate(byteCount: wordBytes + capacity, alignment: 8)
    return unsafe (
      base.bindMemory(to: UInt64.self, capacity: columns * capacity),
      (base + wordBytes).bindMemory(to: UInt8.self, capacity: capacity)
    )
  }

  @inline(never)
  private mutating func grow() {
    // Memory that is not written to costs nothing, and few steps copy little.
    let larger = max(16, capacity * 4)
    let (words, kinds) = unsafe Self.allocate(larger, columns: columns)
    unsafe words.update(from: self.words, count: count * columns)
    unsafe kinds.update(from: self.kinds, count: count)
    deallocate()
    unsafe self.words = unsafe words
    unsafe self.kinds = unsafe kinds
    capacity = larger
  }

  /// The words of a row; those of a removal are 0 behind the key.
  @inline(__always)
  func row(_ index: Int) -> UnsafePointer<UInt64> {
    assert(index < count)
    return unsafe UnsafePointer(words + index &* columns)
  }

  @inline(__always)
  func kind(_ index: Int) -> Operation.Kind {
    assert(index < count)
    return switch unsafe kinds[index] {
    case 0: .insert
    case 1: .remove
    default: .replace
    }
  }

  /// Whether two changes are of the same key.
  @inline(__always)
  func haveSameKey(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = unsafe (row(left), row(right))
    for column in 0..<keyColumns where unsafe left[column] != right[column] { return false }
    return true
  }

  /// Reads one more change: see `ForestChanges.encode`.
  /// - Throws: `ByteError` if the bytes are not a change of this tree.
  package mutating func read(_ bytes: RawSpan, _ reader: inout ByteReader) throws(ByteError) {
    let start = reader.offset
    let kind = try reader.u8(bytes)
    guard kind <= 2 else { throw ByteError(offset: start) }
    if count == capacity { grow() }
    let row = unsafe words + count &* columns
    // A removal names the key only.
    let named = kind == 1 ? keyColumns : columns
    var column = 0
    while column < named {
      let start = reader.offset
      let widths = try reader.u8(bytes)
      let (first, second) = (Int(widths & 15), Int(widths >> 4))
      let isPair = column &+ 1 < named
      guard first <= 8, second <= 8, isPair || second == 0 else { throw ByteError(offset: start) }
      unsafe row[column] = try Self.word(bytes, &reader, first)
      if isPair { unsafe row[column &+ 1] = try Self.word(bytes, &reader, second) }
      column &+= 2
    }
    for column in named..<max(named, columns) { unsafe row[column] = 0 }
    unsafe kinds[count] = kind
    count &+= 1
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

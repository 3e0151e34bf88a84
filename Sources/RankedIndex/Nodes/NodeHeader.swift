import SatchelBytes

/// The kind of a node: how its bytes after the header are laid out.
enum NodeKind {
  /// Rows of fixed columns: `Frame`.
  static let numeric: UInt8 = 1
  /// Keys of text, in string trees: `TextNode`.
  static let text: UInt8 = 2
}

/// The first 32 bytes of every node.
///
///     offset | size | all numbers little-endian
///     0      | 2    | tree
///     2      | 1    | level: 0 in a leaf, one more in each parent
///     3      | 1    | kind: 1 rows of numbers, 2 texts
///     4      | 4    | entries in the leaves below (in a leaf: its own)
///     8      | 8    | number of the node
///     16     | 8    | sequence of the commit that wrote it
///     24     | 8    | checksum: hash of bytes 32 to the end, seeded with the hash (seed 0) of bytes 0 to 23
///
/// The first eight bytes are one word. A parent knows the whole word of a child in advance, so that one comparison
/// checks it.
enum NodeHeader {
  static let byteCount = 32
  static let numberOffset = 8
  static let sequenceOffset = 16
  static let checksumOffset = 24
  /// The number of zero bytes that end every node, so that an eight-byte load at the last byte before them stays
  /// inside the node.
  static let spare = 16

  /// Returns the first eight bytes of a node.
  @inline(__always)
  static func word(tree: UInt16, level: Int, kind: UInt8, count: UInt64) -> UInt64 {
    UInt64(tree) | UInt64(truncatingIfNeeded: level) << 16 | UInt64(kind) << 24 | count << 32
  }

  static func checksum(_ bytes: RawSpan) -> UInt64 {
    let head = Checksum.hash(bytes.extracting(0..<checksumOffset))
    return Checksum.hash(bytes.extracting(byteCount..<bytes.byteCount), seed: head)
  }

  /// Returns the size below which a node is stored at its true length.
  static func shortLimit(_ limit: Int) -> Int { limit / 2 - 40 }

  /// Completes a node: fills in the header, for which `bytes` has room at its start, and appends the spare bytes.
  static func finish(_ bytes: inout [UInt8], word: UInt64, number: UInt64, sequence: UInt64, limit: Int) {
    let length = bytes.count + spare
    let stored = length < shortLimit(limit) ? length : limit
    bytes.append(contentsOf: repeatElement(0, count: stored - bytes.count))
    bytes.store(word, at: 0)
    bytes.store(number, at: numberOffset)
    bytes.store(sequence, at: sequenceOffset)
    unsafe bytes.store(checksum(bytes.span.bytes), at: checksumOffset)
  }
}

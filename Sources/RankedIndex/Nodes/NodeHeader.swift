import SatchelBytes

/// What the bytes of a node after its header are.
enum NodeKind {
  /// Rows of fixed columns: `Frame`.
  static let numeric: UInt8 = 1
  /// Keys of text: the string trees.
  static let text: UInt8 = 2
}

/// How every node begins.
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
/// The first eight bytes are one word, which a parent foretells completely, so that one comparison checks them.
enum NodeHeader {
  static let byteCount = 32
  static let numberOffset = 8
  static let sequenceOffset = 16
  static let checksumOffset = 24
  /// Zero bytes that end every node, so that an eight-byte load at its last byte stays inside it.
  static let spare = 16

  /// The first eight bytes of a node.
  @inline(__always)
  static func word(tree: UInt16, level: Int, kind: UInt8, count: UInt64) -> UInt64 {
    UInt64(tree) | UInt64(truncatingIfNeeded: level) << 16 | UInt64(kind) << 24 | count << 32
  }

  static func checksum(_ bytes: RawSpan) -> UInt64 {
    let head = Checksum.hash(bytes.extracting(0..<checksumOffset))
    return Checksum.hash(bytes.extracting(byteCount..<bytes.byteCount), seed: head)
  }

  /// A node of fewer bytes is stored at its true length.
  static func shortLimit(_ limit: Int) -> Int { limit / 2 - 40 }

  /// Adds the spare bytes to a node that has room for its header at its start, and fills the header in.
  static func finish(_ bytes: inout [UInt8], word: UInt64, number: UInt64, sequence: UInt64, limit: Int) {
    let length = bytes.count + spare
    let stored = length < shortLimit(limit) ? length : limit
    bytes.append(contentsOf: repeatElement(0, count: stored - bytes.count))
    bytes.store(word, at: 0)
    bytes.store(number, at: numberOffset)
    bytes.store(sequence, at: sequenceOffset)
    bytes.store(checksum(bytes.span.bytes), at: checksumOffset)
  }
}

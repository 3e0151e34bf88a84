internal import RankedKeys
import SatchelBytes

/// A node, decoded for display.
package struct NodeDescription: Sendable {
  package var tree: UInt16 = 0
  package var level = 0
  /// 1 for rows of numbers, 2 for texts.
  package var kind: UInt8 = 0
  package var number: UInt64 = 0
  /// The number of entries in the leaves below; in a leaf, its own.
  package var entries = 0
  /// The sequence of the commit that wrote the node.
  package var sequence: UInt64 = 0
  package var checksum: UInt64 = 0
  package var isChecksumRight = false
  /// The node's bytes as they are stored.
  package var bytes: [UInt8] = []
  /// In a node of numbers: the least value and the byte width of each column.
  package var columns: [(least: UInt64, width: Int)] = []
  /// In a leaf of numbers: its rows. In an inner node of numbers: separator, child and entries before the child.
  package var rows: [[UInt64]] = []
  /// In a node of texts: the entries of a leaf, or the separators of an inner node.
  package var keys: [TextHead] = []
  /// In an inner node of texts: its children, each with the number of entries in that child and the children before
  /// it. Child `i + 1` begins at key `i`.
  package var children: [(number: UInt64, through: Int)] = []

  package init() {}

  /// Decodes the value that is stored under a number, as far as its bytes allow: some parts of a damaged node are
  /// missing.
  package init(number: UInt64, value: UnsafeRawBufferPointer) {
    self.number = number
    bytes = unsafe [UInt8](value)
    guard bytes.count >= NodeHeader.byteCount + NodeHeader.spare else { return }
    readHeader()
    switch kind {
    case NodeKind.numeric: readRows()
    case NodeKind.text: readTexts()
    default: break
    }
  }

  private mutating func readHeader() {
    let bytes = bytes
    let span = unsafe bytes.span.bytes
    tree = span.u16(0)
    level = Int(span.u8(2))
    kind = span.u8(3)
    entries = Int(span.u32(4))
    sequence = span.u64(NodeHeader.sequenceOffset)
    checksum = span.u64(NodeHeader.checksumOffset)
    isChecksumRight =
      checksum == NodeHeader.checksum(span) && span.u64(NodeHeader.numberOffset) == number
  }

  private mutating func readRows() {
    let bytes = bytes
    let span = unsafe bytes.span.bytes
    let count = Int(span.u8(NodeHeader.byteCount + 4))
    let isLeaf = level == 0
    guard count >= 1, count <= Words.count, let frame = Frame(span, columns: count, isLeaf: isLeaf) else {
      return
    }
    var columns: [(least: UInt64, width: Int)] = []
    var rows: [[UInt64]] = []
    for column in 0..<count {
      columns.append((least: frame.minimum(span, column), width: frame.width(column)))
    }
    for row in 0..<frame.rows {
      var words = (0..<count).map { unsafe frame.value(bytes.span.bytes, row: row, column: $0) }
      if !isLeaf { words += [frame.child(span, row), frame.before(span, row)] }
      rows.append(words)
    }
    self.columns = columns
    self.rows = rows
  }

  private mutating func readTexts() {
    let bytes = bytes
    let span = unsafe bytes.span.bytes
    var keys: [TextHead] = []
    var children: [(number: UInt64, through: Int)] = []
    do throws(TextFault) {
      let node = try TextNode(span, level: level, bodyAt: NodeHeader.byteCount)
      var reader = TextRunReader()
      for index in 0..<node.keyCount {
        try reader.seek(node, span, to: index)
        keys.append(
          TextHead(
            bytes: reader.head, continuation: reader.continuation, row: try node.row(span, at: index)))
      }
      if level > 0 {
        for index in 0..<node.childCount {
          children.append((try node.child(span, at: index), try node.entries(span, before: index + 1)))
        }
      }
    } catch {
      return
    }
    self.keys = keys
    self.children = children
  }
}

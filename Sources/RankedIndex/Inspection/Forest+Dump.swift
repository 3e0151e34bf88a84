internal import LMDB
import SatchelBytes

/// A node, taken apart to be shown.
package struct NodeDescription: Sendable {
  package var tree: UInt16 = 0
  package var level = 0
  /// 1 rows of numbers, 2 texts.
  package var kind: UInt8 = 0
  package var number: UInt64 = 0
  /// Entries below.
  package var entries = 0
  /// The sequence of the commit that wrote it.
  package var sequence: UInt64 = 0
  package var checksum: UInt64 = 0
  package var isChecksumRight = false
  /// The bytes as they are stored.
  package var bytes: [UInt8] = []
  /// Of a node of numbers: the least value and the byte width of each column.
  package var columns: [(least: UInt64, width: Int)] = []
  /// Of a leaf of numbers: its rows. Of an inner node: separator, child, entries before the child.
  package var rows: [[UInt64]] = []

  package init() {}
}

extension Forest {
  /// Visits every node of the file, of whatever tree, by number.
  package func forEachNode(_ body: (NodeDescription) throws -> Void) throws {
    try flush()
    var cursor: LMDB.Cursor
    do { cursor = try store.transaction.cursor(store.database) } catch { throw IndexError.lmdb(error) }
    while let (key, value) = try Self.next(&cursor) {
      guard key.count == 8 else {
        throw IndexError.corrupt(tree: 0, node: 0, what: "a node's key has \(key.count) bytes")
      }
      try body(Self.describe(key.bytes.be64(0), value))
    }
  }

  /// One node, taken apart as far as its bytes allow, or nil when there is none.
  package func decodeNode(_ number: UInt64) throws(IndexError) -> NodeDescription? {
    try flush()
    do {
      guard let value = try store.transaction.get(store.database, number: number) else { return nil }
      return Self.describe(number, value)
    } catch {
      throw .lmdb(error)
    }
  }

  private static func next(
    _ cursor: inout LMDB.Cursor
  ) throws(IndexError) -> (UnsafeRawBufferPointer, UnsafeRawBufferPointer)? {
    do {
      guard let entry = try cursor.next() else { return nil }
      return (entry.key, entry.value)
    } catch {
      throw .lmdb(error)
    }
  }

  private static func describe(_ number: UInt64, _ value: UnsafeRawBufferPointer) -> NodeDescription {
    var node = NodeDescription()
    node.number = number
    node.bytes = [UInt8](value)
    let bytes = value.bytes
    guard bytes.byteCount >= NodeHeader.byteCount + NodeHeader.spare else { return node }
    node.tree = bytes.u16(0)
    node.level = Int(bytes.u8(2))
    node.kind = bytes.u8(3)
    node.entries = Int(bytes.u32(4))
    node.sequence = bytes.u64(NodeHeader.sequenceOffset)
    node.checksum = bytes.u64(NodeHeader.checksumOffset)
    node.isChecksumRight =
      node.checksum == NodeHeader.checksum(bytes) && bytes.u64(NodeHeader.numberOffset) == number
    guard node.kind == NodeKind.numeric else { return node }
    let columns = Int(bytes.u8(NodeHeader.byteCount + 4))
    let isLeaf = node.level == 0
    guard columns >= 1, columns <= Words.count,
      let frame = Frame(bytes, columns: columns, isLeaf: isLeaf)
    else { return node }
    for column in 0..<columns {
      node.columns.append((least: frame.minimum(bytes, column), width: frame.width(column)))
    }
    for row in 0..<frame.rows {
      var words = (0..<columns).map { frame.value(value.bytes, row: row, column: $0) }
      if !isLeaf { words += [frame.child(bytes, row), frame.before(bytes, row)] }
      node.rows.append(words)
    }
    return node
  }
}

package import RankedKeys
package import SatchelBytes

/// The bytes of a commit's changes:
///
///     varint: number of numeric trees
///     each, by ascending id: id (2), varint: number of changes, at least one, the changes
///       a change: 1 byte: kind (0 insert, 1 remove, 2 replace); then the columns of the row, of a removal those of the key
///       columns, two by two: 1 byte with the number of bytes of the first (low half) and second, then their bytes,
///       little-endian without the zeros at the end
///     varint: number of string trees
///     each, by ascending id: id (2), varint: number of changes, at least one, the changes
///       a change: 1 byte: 1 insert, 0 remove; group (8); row (8); varint: bytes of the text, the text
extension ForestChanges {
  package func encode(to writer: inout ByteWriter) {
    writer.varint(UInt64(rows.count))
    for (tree, operations) in rows {
      writer.u16(tree.id)
      writer.varint(UInt64(operations.count))
      for operation in operations {
        Self.encode(operation, columns: Self.columns(of: operation.kind, tree), to: &writer)
      }
    }
    writer.varint(UInt64(texts.count))
    for texts in texts {
      writer.u16(texts.tree.id)
      writer.varint(UInt64(texts.count))
      for change in texts.changes {
        writer.u8(change.isInsertion ? 1 : 0)
        writer.u64(change.group)
        writer.u64(change.row)
        // The first eight bytes are the group.
        let text = change.bytes.lowerBound + 8..<change.bytes.upperBound
        writer.counted(unsafe texts.bytes.span.bytes.extracting(text))
      }
    }
  }

  /// Reads the changes at `reader`.
  /// - Parameters:
  ///   - numeric: Returns the schema of a numeric tree; nil if there is no such tree.
  ///   - text: The same for string trees.
  /// - Throws: `ByteError` if the bytes are not such changes.
  package init(
    _ bytes: RawSpan, _ reader: inout ByteReader, numeric: (UInt16) -> TreeSchema?,
    text: (UInt16) -> TextTreeSchema?
  ) throws(ByteError) {
    for _ in 0..<(try reader.varint(bytes)) {
      let start = reader.offset
      guard let tree = numeric(try reader.u16(bytes)), rows.last.map({ $0.tree.id < tree.id }) ?? true else {
        throw ByteError(offset: start)
      }
      var operations: [Operation] = []
      for _ in 0..<(try reader.varint(bytes)) {
        let at = reader.offset
        guard let kind = Operation.Kind(rawValue: UInt64(try reader.u8(bytes))) else {
          throw ByteError(offset: at)
        }
        let row = try Self.row(bytes, &reader, columns: Self.columns(of: kind, tree))
        operations.append(Operation(kind, row, order: operations.count))
      }
      guard !operations.isEmpty else { throw ByteError(offset: start) }
      rows.append((tree, operations))
    }
    for _ in 0..<(try reader.varint(bytes)) {
      let start = reader.offset
      guard let tree = text(try reader.u16(bytes)), texts.last.map({ $0.tree.id < tree.id }) ?? true else {
        throw ByteError(offset: start)
      }
      var changes = TextChanges(tree)
      for _ in 0..<(try reader.varint(bytes)) {
        let at = reader.offset
        let kind = try reader.u8(bytes)
        guard kind <= 1 else { throw ByteError(offset: at) }
        let group = try reader.u64(bytes)
        let row = try reader.u64(bytes)
        let range = try reader.counted(bytes)
        let key = TextKey(group: group, text: range.map { bytes.u8($0) }, row: row)
        changes.append(key, isInsertion: kind == 1)
      }
      guard changes.count > 0 else { throw ByteError(offset: start) }
      texts.append(changes)
    }
  }

  /// A removal names the key only.
  private static func columns(of kind: Operation.Kind, _ tree: TreeSchema) -> Int {
    kind == .remove ? tree.keyColumns : tree.columns
  }

  private static func encode(_ operation: Operation, columns: Int, to writer: inout ByteWriter) {
    // The longest change has 69 bytes. Each word is stored whole, and the next one begins where its zeros do.
    var bytes: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
      (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    unsafe withUnsafeMutableBytes(of: &bytes) { buffer in
      unsafe buffer[0] = UInt8(truncatingIfNeeded: operation.kind.rawValue)
      var end = 1
      for column in stride(from: 0, to: columns, by: 2) {
        let (first, second) = (operation.row[column], column + 1 < columns ? operation.row[column + 1] : 0)
        let (width, secondWidth) = (width(first), width(second))
        unsafe buffer[end] = UInt8(truncatingIfNeeded: width | secondWidth << 4)
        unsafe buffer.storeBytes(of: first.littleEndian, toByteOffset: end + 1, as: UInt64.self)
        end += 1 + width
        unsafe buffer.storeBytes(of: second.littleEndian, toByteOffset: end, as: UInt64.self)
        end += secondWidth
      }
      unsafe writer.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
    }
  }

  private static func width(_ word: UInt64) -> Int { (64 - word.leadingZeroBitCount + 7) / 8 }

  private static func row(
    _ bytes: RawSpan, _ reader: inout ByteReader, columns: Int
  ) throws(ByteError) -> Words {
    var row = Words()
    for column in stride(from: 0, to: columns, by: 2) {
      let start = reader.offset
      let widths = try reader.u8(bytes)
      guard widths & 15 <= 8, widths >> 4 <= 8, column + 1 < columns || widths >> 4 == 0 else {
        throw ByteError(offset: start)
      }
      row[column] = try word(bytes, &reader, Int(widths & 15))
      if column + 1 < columns { row[column + 1] = try word(bytes, &reader, Int(widths >> 4)) }
    }
    return row
  }

  private static func word(
    _ bytes: RawSpan, _ reader: inout ByteReader, _ width: Int
  ) throws(ByteError) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<width { word |= UInt64(try reader.u8(bytes)) << UInt64(8 * index) }
    return word
  }
}

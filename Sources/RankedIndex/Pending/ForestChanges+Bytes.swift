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

  /// Reads the changes of one more commit at `reader`, behind those that are here.
  /// - Parameters:
  ///   - numeric: Returns the schema of a numeric tree; nil if there is no such tree.
  ///   - text: The same for string trees.
  /// - Throws: `ByteError` if the bytes are not such changes. What was read of them stays.
  package mutating func read(
    _ bytes: RawSpan, _ reader: inout ByteReader, numeric: (UInt16) -> TreeSchema?,
    text: (UInt16) -> TextTreeSchema?
  ) throws(ByteError) {
    var place = 0
    var last = -1
    for _ in 0..<(try reader.varint(bytes)) {
      let start = reader.offset
      let id = try reader.u16(bytes)
      while place < rows.count, rows[place].tree.id < id { place += 1 }
      if place == rows.count || rows[place].tree.id != id {
        guard let tree = numeric(id) else { throw ByteError(offset: start) }
        rows.insert((tree, []), at: place)
      }
      let count = try reader.varint(bytes)
      guard last < id, count > 0 else { throw ByteError(offset: start) }
      last = Int(id)
      for _ in 0..<count { try readRow(bytes, &reader, at: place) }
    }
    place = 0
    last = -1
    for _ in 0..<(try reader.varint(bytes)) {
      let start = reader.offset
      let id = try reader.u16(bytes)
      while place < texts.count, texts[place].tree.id < id { place += 1 }
      if place == texts.count || texts[place].tree.id != id {
        guard let tree = text(id) else { throw ByteError(offset: start) }
        texts.insert(TextChanges(tree), at: place)
      }
      let count = try reader.varint(bytes)
      guard last < id, count > 0 else { throw ByteError(offset: start) }
      last = Int(id)
      for _ in 0..<count { try readText(bytes, &reader, at: place) }
    }
  }

  private mutating func readRow(
    _ bytes: RawSpan, _ reader: inout ByteReader, at place: Int
  ) throws(ByteError) {
    let start = reader.offset
    guard let kind = Operation.Kind(rawValue: UInt64(try reader.u8(bytes))) else {
      throw ByteError(offset: start)
    }
    let row = try Self.row(bytes, &reader, columns: Self.columns(of: kind, rows[place].tree))
    rows[place].operations.append(Operation(kind, row, order: rows[place].operations.count))
  }

  private mutating func readText(
    _ bytes: RawSpan, _ reader: inout ByteReader, at place: Int
  ) throws(ByteError) {
    let start = reader.offset
    let kind = try reader.u8(bytes)
    guard kind <= 1 else { throw ByteError(offset: start) }
    let group = try reader.u64(bytes)
    let row = try reader.u64(bytes)
    let range = try reader.counted(bytes)
    let key = TextKey(group: group, text: range.map { bytes.u8($0) }, row: row)
    texts[place].append(key, isInsertion: kind == 1)
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
    // With eight bytes left, as almost always, one load has them all.
    if width > 0, bytes.contains(reader.offset, count: 8) {
      let word = bytes.u64(reader.offset) & (.max >> UInt64(64 - 8 * width))
      reader.offset += width
      return word
    }
    var word: UInt64 = 0
    for index in 0..<width { word |= UInt64(try reader.u8(bytes)) << UInt64(8 * index) }
    return word
  }
}

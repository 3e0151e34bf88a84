internal import RankedKeys
package import SatchelBytes

/// The bytes of a commit's changes, which `ForestBuffer` reads:
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
    for changes in rows {
      writer.u16(changes.tree.id)
      writer.varint(UInt64(changes.count))
      for index in 0..<changes.count { Self.encode(changes.rows, index, to: &writer) }
    }
    writer.varint(UInt64(texts.count))
    for texts in texts {
      writer.u16(texts.tree.id)
      writer.varint(UInt64(texts.count))
      let rows = texts.rows
      for index in 0..<rows.count {
        // The group, then the text.
        let key = unsafe rows.keys.bytes(index).bytes
        writer.u8(rows.kind(index) == .insert ? 1 : 0)
        writer.u64(key.be64(0))
        writer.u64(rows.keys.value(index))
        writer.counted(key.extracting(8..<key.byteCount))
      }
    }
    withExtendedLifetime(self) {}
  }

  private static func encode(_ rows: RunRows<TreeSchema>, _ index: Int, to writer: inout ByteWriter) {
    let (kind, keys) = (rows.kind(index), rows.keys)
    // A removal names the key only.
    let columns = kind == .remove ? keys.keyColumns : keys.columns
    // The longest change has 69 bytes. Each word is stored whole, and the next one begins where its zeros do.
    var bytes: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
      (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    unsafe withUnsafeMutableBytes(of: &bytes) { buffer in
      unsafe buffer[0] = kind.rawValue
      var end = 1
      for column in stride(from: 0, to: columns, by: 2) {
        let first = keys.word(index, column)
        let second = column + 1 < columns ? keys.word(index, column + 1) : 0
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
}

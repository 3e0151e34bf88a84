import SatchelBytes

extension RowBlock {
  /// Returns the bytes of a leaf with the rows of `range`. The bytes of the header are zero, and the spare bytes are
  /// missing.
  func encodeLeaf(_ range: Range<Int>, _ extents: ColumnExtents? = nil) -> [UInt8] {
    encode(range, extents, columns: stride, isLeaf: true)
  }

  /// Returns the bytes of an inner node, as for a leaf. The last two columns are the child and the entries before it;
  /// the entries before are stored relative to those of the first row.
  func encodeInner(_ range: Range<Int>, _ extents: ColumnExtents? = nil) -> [UInt8] {
    encode(range, extents, columns: stride - 2, isLeaf: false)
  }

  private func encode(
    _ range: Range<Int>, _ extents: ColumnExtents?, columns: Int, isLeaf: Bool
  ) -> [UInt8] {
    let extents = extents ?? ColumnExtents(self, range)
    let rowWidth = extents.rowWidth
    let headerBytes = Frame.headerBytes(columns: columns, isLeaf: isLeaf)
    let count = headerBytes + range.count * rowWidth
    let stride = stride
    // The capacity includes the spare bytes: an eight-byte store runs over into bytes behind its column.
    return unsafe [UInt8](unsafeUninitializedCapacity: count + NodeHeader.spare) { buffer, initialized in
      let target = UnsafeMutableRawPointer(buffer.baseAddress!)
      func store(_ value: UInt64, _ offset: Int) {
        unsafe target.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
      }
      unsafe target.initializeMemory(as: UInt8.self, repeating: 0, count: headerBytes)
      var fixed = UInt64(range.count) | UInt64(rowWidth) << 16 | UInt64(columns) << 32
      if !isLeaf { fixed |= UInt64(extents.width(columns)) << 40 | UInt64(extents.width(columns + 1)) << 48 }
      store(fixed.littleEndian, NodeHeader.byteCount)
      for column in 0..<columns {
        store(extents.least(column).littleEndian, Frame.fixedBytes + 8 * column)
        unsafe buffer[Frame.fixedBytes + 8 * columns + column] = UInt8(extents.width(column))
      }
      if !isLeaf { store(extents.least(columns).littleEndian, Frame.fixedBytes + 9 * columns) }
      // A row at a time, so that what a store writes behind its column is written again.
      let stored = (0..<stride).filter { extents.width($0) > 0 }
        .map { (column: $0, least: extents.least($0), width: extents.width($0)) }
      var offset = headerBytes
      unsafe words.withUnsafeBufferPointer { words in
        unsafe stored.withUnsafeBufferPointer { stored in
          for row in range {
            for index in 0..<stored.count {
              let (column, least, width) = unsafe stored[index]
              let word = unsafe words[row &* stride &+ column] &- least
              store((word &<< UInt64(64 &- 8 &* width)).bigEndian, offset)
              offset &+= width
            }
          }
        }
      }
      initialized = count
    }
  }
}

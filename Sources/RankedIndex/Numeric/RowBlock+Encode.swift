import SatchelBytes

extension RowBlock {
  /// Returns the bytes of a leaf with the rows of `range`. The bytes of the header are zero, and the spare bytes are
  /// missing.
  func encodeLeaf(_ range: Range<Int>) -> [UInt8] {
    encode(range, columns: stride, isLeaf: true)
  }

  /// Returns the bytes of an inner node, as for a leaf. The last two columns are the child and the entries before it;
  /// the entries before are stored relative to those of the first row.
  func encodeInner(_ range: Range<Int>) -> [UInt8] {
    encode(range, columns: stride - 2, isLeaf: false)
  }

  private func encode(_ range: Range<Int>, columns: Int, isLeaf: Bool) -> [UInt8] {
    var least = [UInt64](repeating: .max, count: stride)
    var widths = [Int](repeating: 0, count: stride)
    var rowWidth = 0
    for column in 0..<stride {
      let (low, high) = extent(of: column, range)
      least[column] = low
      widths[column] = Self.width(high &- low)
      rowWidth += widths[column]
    }
    let headerBytes = Frame.headerBytes(columns: columns, isLeaf: isLeaf)
    let count = headerBytes + range.count * rowWidth
    // The capacity includes the spare bytes. A column's eight-byte store runs over into bytes that the next column
    // then writes.
    return unsafe [UInt8](unsafeUninitializedCapacity: count + NodeHeader.spare) { buffer, initialized in
      unsafe buffer.initialize(repeating: 0)
      let target = UnsafeMutableRawBufferPointer(buffer)
      func store(_ value: UInt64, _ offset: Int) {
        unsafe target.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
      }
      var fixed = UInt64(range.count) | UInt64(rowWidth) << 16 | UInt64(columns) << 32
      if !isLeaf { fixed |= UInt64(widths[columns]) << 40 | UInt64(widths[columns + 1]) << 48 }
      store(fixed.littleEndian, NodeHeader.byteCount)
      for column in 0..<columns {
        store(least[column].littleEndian, Frame.fixedBytes + 8 * column)
        unsafe buffer[Frame.fixedBytes + 8 * columns + column] = UInt8(widths[column])
      }
      if !isLeaf { store(least[columns].littleEndian, Frame.fixedBytes + 9 * columns) }
      var offset = headerBytes
      var index = range.lowerBound &* stride
      for _ in range {
        for column in 0..<stride {
          let width = widths[column]
          if width > 0 {
            store(((words[index] &- least[column]) &<< UInt64(64 &- 8 &* width)).bigEndian, offset)
            offset &+= width
          }
          index &+= 1
        }
      }
      for index in offset..<count + NodeHeader.spare { unsafe buffer[index] = 0 }
      initialized = count
    }
  }
}

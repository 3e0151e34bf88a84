extension String {
  /// Creates a string from UTF-8 bytes; nil if the bytes are not UTF-8.
  ///
  /// `String(validating:as:)` is generic over its bytes and takes several times as long.
  package init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard unsafe bytes.isUTF8 else { return nil }
    self = unsafe String(decoding: bytes, as: UTF8.self)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are UTF-8 (Unicode 16, table 3-7). Skips up to eight ASCII bytes at once.
  package var isUTF8: Bool {
    let span = unsafe bytes
    var offset = 0
    while offset < count {
      if offset &+ 8 <= count {
        let high = span.u64(offset) & 0x8080_8080_8080_8080
        if high == 0 {
          offset &+= 8
          continue
        }
        // Skips to the first byte that is not ASCII.
        offset &+= high.trailingZeroBitCount / 8
      }
      let first = span.u8(offset)
      if first < 0x80 {
        offset += 1
        continue
      }
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch first {
      case 0xC2...0xDF: length = 2
      case 0xE0:
        length = 3
        second = 0xA0...0xBF
      case 0xED:
        length = 3
        second = 0x80...0x9F
      case 0xE1...0xEF: length = 3
      case 0xF0:
        length = 4
        second = 0x90...0xBF
      case 0xF1...0xF3: length = 4
      case 0xF4:
        length = 4
        second = 0x80...0x8F
      default: return false
      }
      guard offset + length <= count, second.contains(span.u8(offset + 1)) else { return false }
      for index in 2..<Swift.max(2, length) where span.u8(offset + index) & 0xC0 != 0x80 { return false }
      offset += length
    }
    return true
  }
}

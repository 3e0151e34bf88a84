extension String {
  /// The text of some bytes, or nil where they are not UTF-8.
  ///
  /// `String(validating:as:)` is generic over its bytes and takes several times as long.
  package init?(utf8 bytes: UnsafeRawBufferPointer) {
    var text = unsafe String(decoding: bytes, as: UTF8.self)
    // What was not UTF-8 has been replaced by other bytes.
    let isSame = text.withUTF8 { other in
      unsafe other.count == bytes.count && UnsafeRawBufferPointer(other).elementsEqualBytes(bytes)
    }
    guard isSame else { return nil }
    self = text
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are UTF-8. Most texts are ASCII, of which eight bytes are tested at once.
  package var isUTF8: Bool {
    let span = unsafe bytes
    var offset = 0
    while offset + 8 <= count {
      if span.u64(offset) & 0x8080_8080_8080_8080 != 0 { return unsafe String(utf8: self) != nil }
      offset += 8
    }
    while offset < count {
      if span.u8(offset) & 0x80 != 0 { return unsafe String(utf8: self) != nil }
      offset += 1
    }
    return true
  }

  /// Whether both, of the same length, hold the same bytes; eight at a time.
  fileprivate func elementsEqualBytes(_ other: UnsafeRawBufferPointer) -> Bool {
    let left = unsafe bytes
    let right = unsafe other.bytes
    var offset = 0
    while offset + 8 <= count {
      if left.u64(offset) != right.u64(offset) { return false }
      offset += 8
    }
    while offset < count {
      if left.u8(offset) != right.u8(offset) { return false }
      offset += 1
    }
    return true
  }
}

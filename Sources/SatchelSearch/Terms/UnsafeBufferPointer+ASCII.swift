internal import SatchelText

extension UnsafeBufferPointer<UInt8> {
  /// Returns the scalar that ends at a place of a folded text, and where it begins; nil if it is of ASCII, or if there is none.
  func scalarBeyondASCII(endingAt end: Int) -> (scalar: UInt32, start: Int)? {
    var start = end - 1
    while start > 0, unsafe self[start] & 0xC0 == 0x80 { start -= 1 }
    guard start >= 0, unsafe self[start] >= 0x80 else { return nil }
    return (unsafe scalarBeyondASCII(at: start, self[start]).scalar, start)
  }

  /// Returns the offset of the first byte beyond ASCII from a place on; the count if there is none.
  func endOfASCII(from start: Int) -> Int {
    var end = start
    let bytes = UnsafeRawBufferPointer(self)
    while count - end >= 8,
      unsafe bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      end += 8
    }
    while end < count, unsafe self[end] < 0x80 { end += 1 }
    return end
  }
}

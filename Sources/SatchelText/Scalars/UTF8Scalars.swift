extension UnsafeBufferPointer<UInt8> {
  /// Returns the scalar that begins at an offset with a byte beyond ASCII, and the offset of the next one. A byte that does not begin a
  /// valid scalar is read as 0x110000, a value that no scalar has.
  package func scalarBeyondASCII(at index: Int, _ first: UInt8) -> (scalar: UInt32, next: Int) {
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard first >= 0xC2, first < 0xF5, length <= count - index else { return (0x11_0000, index + 1) }
    var scalar = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = unsafe self[index + offset]
      guard byte & 0xC0 == 0x80 else { return (0x11_0000, index + 1) }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    return (scalar, index + length)
  }
}

extension UnsafeBufferPointer<UInt8> {
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

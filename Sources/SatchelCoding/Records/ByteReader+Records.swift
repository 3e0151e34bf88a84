internal import SatchelBytes

extension ByteReader {
  /// Reads a length or count in varint form. Each counted item takes at least one byte, so a count greater than the
  /// number of remaining bytes is refused before any work is done for it.
  mutating func length(_ span: RawSpan) throws(ByteError) -> Int {
    let start = offset
    guard let count = Int(exactly: try varint(span)), count <= span.byteCount - offset else {
      throw ByteError(offset: start)
    }
    return count
  }

  /// Reads a number of at most 32 bits in varint form.
  mutating func number(_ span: RawSpan) throws(ByteError) -> UInt32 {
    let start = offset
    guard let number = UInt32(exactly: try varint(span)) else { throw ByteError(offset: start) }
    return number
  }
}

internal import SatchelBytes

extension ByteReader {
  /// A length or count in varint form. Whatever it counts takes at least a byte each, so more than the bytes left are
  /// refused before anything is done as often.
  mutating func length(_ span: RawSpan) throws(ByteError) -> Int {
    let start = offset
    guard let count = Int(exactly: try varint(span)), count <= span.byteCount - offset else {
      throw ByteError(offset: start)
    }
    return count
  }

  /// A number of at most 32 bits in varint form.
  mutating func number(_ span: RawSpan) throws(ByteError) -> UInt32 {
    let start = offset
    guard let number = UInt32(exactly: try varint(span)) else { throw ByteError(offset: start) }
    return number
  }
}

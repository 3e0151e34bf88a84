import SatchelBytes

/// Bytes in memory of exactly their length: what the address sanitizer needs to see a read behind their end. An array has
/// more room than that.
func withExactCopy<R>(
  of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> R
) rethrows -> R {
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  defer { copy.deallocate() }
  copy.copyBytes(from: bytes)
  return try body(UnsafeRawBufferPointer(copy))
}

extension [UInt8] {
  /// Puts a little-endian number over eight bytes that exist.
  mutating func set(_ value: UInt64, at offset: Int) {
    for index in 0..<8 { self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
  }
}

extension String {
  /// A short text of bytes, for a message.
  init(hex bytes: some Sequence<UInt8>) {
    self = bytes.prefix(200).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

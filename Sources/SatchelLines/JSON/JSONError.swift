/// Why a text is not JSON, and where.
package struct JSONError: Error, Hashable, Sendable {
  /// The offset of the fault, in bytes.
  package let offset: Int
  /// What would be valid at that offset.
  package let expected: String
  /// What was found instead.
  package let found: String

  /// The column of the fault, counted in bytes from 1, as editors and compilers do.
  package var column: Int { offset + 1 }

  init(offset: Int, expected: String, found: String) {
    self.offset = offset
    self.expected = expected
    self.found = found
  }

  /// Creates an error that shows the byte at `offset`.
  init(offset: Int, expected: String, in bytes: RawSpan) {
    self.init(offset: offset, expected: expected, found: Self.describe(offset, in: bytes))
  }

  private static func describe(_ offset: Int, in bytes: RawSpan) -> String {
    guard offset < bytes.byteCount else { return "the end" }
    let byte = bytes[offset]
    if (0x20...0x7E).contains(byte) { return "'\(Character(Unicode.Scalar(byte)))'" }
    let digits = String(byte, radix: 16, uppercase: true)
    return "byte 0x" + (digits.utf8.count == 1 ? "0" + digits : digits)
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String { "column \(column): expected \(expected), found \(found)" }
}

extension RawSpan {
  /// The byte at `offset`. The offset is checked.
  @inline(__always)
  subscript(offset: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// Returns the eight bytes from `offset` as a number. On every platform the first byte is the lowest. The offset is
  /// checked.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

/// The bytes end before an expected value, or the value is not one that the format allows.
@usableFromInline package struct ByteError: Error, Sendable, Hashable {
  /// The offset at which the value was expected to start.
  @usableFromInline package let offset: Int

  @inlinable
  package init(offset: Int) {
    self.offset = offset
  }
}

/// Reads values one after another from untrusted bytes. Every load is checked, and throws `ByteError` if the bytes
/// end too early.
///
/// A reader holds only an offset, and the bytes are passed to each call. It can therefore be stored in any value and
/// needs no lifetime of its own.
@usableFromInline package struct ByteReader: Sendable {
  /// The offset at which the next value starts.
  @usableFromInline package var offset: Int

  @inlinable
  package init(offset: Int = 0) {
    self.offset = offset
  }

  @inlinable @inline(__always)
  package mutating func u8(_ bytes: RawSpan) throws(ByteError) -> UInt8 {
    bytes.u8(try take(1, bytes))
  }

  @inlinable
  package mutating func u16(_ bytes: RawSpan) throws(ByteError) -> UInt16 {
    bytes.u16(try take(2, bytes))
  }

  @inlinable
  package mutating func u32(_ bytes: RawSpan) throws(ByteError) -> UInt32 {
    bytes.u32(try take(4, bytes))
  }

  @inlinable
  package mutating func u64(_ bytes: RawSpan) throws(ByteError) -> UInt64 {
    bytes.u64(try take(8, bytes))
  }

  @inlinable
  package mutating func be64(_ bytes: RawSpan) throws(ByteError) -> UInt64 {
    bytes.be64(try take(8, bytes))
  }

  /// Reads a number in groups of seven bits, the lowest group first, at most ten bytes. Only the shortest form is
  /// accepted: a number has one encoding, so that equal values have equal bytes.
  @inlinable @inline(__always)
  package mutating func varint(_ bytes: RawSpan) throws(ByteError) -> UInt64 {
    // Nearly all numbers take one byte.
    if bytes.contains(offset, count: 1), case let byte = bytes.u8(offset), byte < 0x80 {
      offset &+= 1
      return UInt64(byte)
    }
    return try longVarint(bytes)
  }

  @usableFromInline @inline(never)
  mutating func longVarint(_ bytes: RawSpan) throws(ByteError) -> UInt64 {
    let start = offset
    // Nearly all others take two.
    if bytes.contains(start, count: 2), case let second = UInt64(bytes.u8(start &+ 1)), 1..<0x80 ~= second {
      offset = start &+ 2
      return UInt64(bytes.u8(start) & 0x7F) | second << 7
    }
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try u8(bytes)
      if shift == 63 && byte > 1 || byte == 0 && shift > 0 { throw ByteError(offset: start) }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// Moves over `count` bytes and returns the offset of the first.
  @inlinable @inline(__always)
  package mutating func take(_ count: Int, _ bytes: RawSpan) throws(ByteError) -> Int {
    guard bytes.contains(offset, count: count) else { throw ByteError(offset: offset) }
    defer { offset &+= count }
    return offset
  }

  /// Reads a length in varint form, moves over that many bytes, and returns their range.
  @inlinable
  package mutating func counted(_ bytes: RawSpan) throws(ByteError) -> Range<Int> {
    let start = offset
    guard let count = Int(exactly: try varint(bytes)) else { throw ByteError(offset: start) }
    let first = try take(count, bytes)
    return first..<first + count
  }

  /// Throws unless every byte has been read.
  @inlinable
  package func end(_ bytes: RawSpan) throws(ByteError) {
    if offset != bytes.byteCount { throw ByteError(offset: offset) }
  }
}

/// Appends values to bytes that it owns; the counterpart of `ByteReader`.
@usableFromInline package struct ByteWriter: Sendable {
  /// The bytes written so far.
  @usableFromInline package var bytes: [UInt8]

  @inlinable
  package init(capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// The number of bytes written so far.
  @inlinable
  package var count: Int { bytes.count }

  /// Removes the bytes and keeps their memory.
  @inlinable
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  @inlinable
  package mutating func u8(_ value: UInt8) {
    bytes.append(value)
  }

  @inlinable
  package mutating func u16(_ value: UInt16) {
    raw(value.littleEndian)
  }

  @inlinable
  package mutating func u32(_ value: UInt32) {
    raw(value.littleEndian)
  }

  @inlinable
  package mutating func u64(_ value: UInt64) {
    raw(value.littleEndian)
  }

  @inlinable
  package mutating func be16(_ value: UInt16) {
    raw(value.bigEndian)
  }

  @inlinable
  package mutating func be32(_ value: UInt32) {
    raw(value.bigEndian)
  }

  @inlinable
  package mutating func be64(_ value: UInt64) {
    raw(value.bigEndian)
  }

  /// Appends a number in groups of seven bits, the lowest group first: 1 to 10 bytes, always as few as possible.
  @inlinable
  package mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  @inlinable
  package mutating func append(_ other: [UInt8]) {
    bytes.append(contentsOf: other)
  }

  @inlinable
  package mutating func append(_ other: RawSpan) {
    unsafe other.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends a length in varint form, then the bytes.
  @inlinable
  package mutating func counted(_ other: [UInt8]) {
    varint(UInt64(other.count))
    append(other)
  }

  /// Appends a length in varint form, then the bytes.
  @inlinable
  package mutating func counted(_ other: RawSpan) {
    varint(UInt64(other.byteCount))
    append(other)
  }

  /// Appends the string's length in UTF-8 bytes in varint form, then these bytes.
  @inlinable
  package mutating func counted(_ string: String) {
    varint(UInt64(string.utf8.count))
    bytes.append(contentsOf: string.utf8)
  }

  /// Overwrites existing bytes with a number: for lengths and checksums that are known only afterwards.
  @inlinable
  package mutating func set(u64 value: UInt64, at offset: Int) {
    precondition(offset >= 0 && offset <= bytes.count - 8)
    for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
  }

  /// Overwrites existing bytes with a number.
  @inlinable
  package mutating func set(u32 value: UInt32, at offset: Int) {
    precondition(offset >= 0 && offset <= bytes.count - 4)
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
  }

  @inlinable @inline(__always)
  package mutating func raw<T: FixedWidthInteger>(_ value: T) {
    unsafe withUnsafeBytes(of: value) { unsafe bytes.append(contentsOf: $0) }
  }
}

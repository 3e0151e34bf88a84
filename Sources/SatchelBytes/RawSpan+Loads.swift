/// Fixed-width loads from bytes that may have any alignment.
///
/// Every load is bounds-checked, in release builds too: an offset outside the span stops the process. A caller that
/// reads bytes from disk therefore checks the sizes that a header states once, before it calls these methods. Where
/// that is not possible, `ByteReader` checks each load and throws.
extension RawSpan {
  /// The byte at `offset`.
  @inlinable @inline(__always)
  package func u8(_ offset: Int) -> UInt8 {
    unsafeLoadChecked(offset, as: UInt8.self)
  }

  /// The little-endian 16-bit number at `offset`.
  @inlinable @inline(__always)
  package func u16(_ offset: Int) -> UInt16 {
    UInt16(littleEndian: unsafeLoadChecked(offset, as: UInt16.self))
  }

  /// The little-endian 32-bit number at `offset`.
  @inlinable @inline(__always)
  package func u32(_ offset: Int) -> UInt32 {
    UInt32(littleEndian: unsafeLoadChecked(offset, as: UInt32.self))
  }

  /// The little-endian 64-bit number at `offset`.
  @inlinable @inline(__always)
  package func u64(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafeLoadChecked(offset, as: UInt64.self))
  }

  /// The big-endian 16-bit number at `offset`.
  @inlinable @inline(__always)
  package func be16(_ offset: Int) -> UInt16 {
    UInt16(bigEndian: unsafeLoadChecked(offset, as: UInt16.self))
  }

  /// The big-endian 32-bit number at `offset`.
  @inlinable @inline(__always)
  package func be32(_ offset: Int) -> UInt32 {
    UInt32(bigEndian: unsafeLoadChecked(offset, as: UInt32.self))
  }

  /// The big-endian 64-bit number at `offset`. Such numbers have the same order as their bytes.
  @inlinable @inline(__always)
  package func be64(_ offset: Int) -> UInt64 {
    UInt64(bigEndian: unsafeLoadChecked(offset, as: UInt64.self))
  }

  /// The little-endian number of 0 to 8 bytes that starts at `offset`. Reads no byte outside the number.
  @inlinable
  package func uint(_ offset: Int, width: Int) -> UInt64 {
    var value: UInt64 = 0
    var index = width
    while index > 0 {
      index &-= 1
      value = value << 8 | UInt64(u8(offset &+ index))
    }
    return value
  }

  /// Whether `count` bytes exist from `offset` on.
  @inlinable @inline(__always)
  package func contains(_ offset: Int, count: Int) -> Bool {
    offset >= 0 && count >= 0 && offset <= byteCount && count <= byteCount &- offset
  }

  /// Loads a number, and stops the process if it lies outside the span. One comparison checks both ends: a negative
  /// offset becomes a huge unsigned number.
  @inlinable @inline(__always)
  package func unsafeLoadChecked<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: T.Type) -> T
  {
    let last = byteCount &- MemoryLayout<T>.size
    precondition(last >= 0 && UInt(bitPattern: offset) <= UInt(bitPattern: last), "load outside the bytes")
    return unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type)
  }
}

extension RawSpan {
  /// A copy of these bytes.
  @inlinable
  package var array: [UInt8] {
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// Whether both spans hold the same bytes.
  @inlinable
  package func equals(_ other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    return compare(other) == 0
  }

  /// Compares in byte order, a prefix first. The result is negative if these bytes come before the others, and 0 if
  /// both are equal.
  @inlinable
  package func compare(_ other: RawSpan) -> Int {
    let shared = Swift.min(byteCount, other.byteCount)
    var offset = 0
    while offset &+ 8 <= shared {
      let left = be64(offset)
      let right = other.be64(offset)
      if left != right { return left < right ? -1 : 1 }
      offset &+= 8
    }
    while offset < shared {
      let left = u8(offset)
      let right = other.u8(offset)
      if left != right { return left < right ? -1 : 1 }
      offset &+= 1
    }
    return byteCount - other.byteCount
  }
}

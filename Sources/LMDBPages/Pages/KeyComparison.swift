/// The order of keys as bytes.
@usableFromInline package enum KeyComparison {
  /// Returns a negative number, 0 or a positive number if the first key comes before, equals or comes after the second.
  @inlinable @inline(__always)
  package static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    guard let first = a.baseAddress, let second = b.baseAddress else { return a.count &- b.count }
    let common = min(a.count, b.count)
    var offset = 0
    // Eight bytes at a time. The last eight may include some that were compared already.
    if common >= 8 {
      while true {
        let x = unsafe UInt64(bigEndian: first.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let y = unsafe UInt64(bigEndian: second.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        if x != y { return x < y ? -1 : 1 }
        if offset == common &- 8 { break }
        offset = min(offset &+ 8, common &- 8)
      }
    } else {
      while offset < common {
        let x = unsafe first.load(fromByteOffset: offset, as: UInt8.self)
        let y = unsafe second.load(fromByteOffset: offset, as: UInt8.self)
        if x != y { return x < y ? -1 : 1 }
        offset &+= 1
      }
    }
    return a.count &- b.count
  }
}

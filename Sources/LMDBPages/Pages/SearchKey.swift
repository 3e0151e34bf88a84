/// A key to search for. Its bytes belong to the caller.
///
/// It is safe to compare. To make one is unsafe: the bytes have to exist as long as it does.
@usableFromInline @safe package struct SearchKey {
  @usableFromInline let start: UnsafeRawPointer
  @usableFromInline let count: Int
  /// The first and the last eight bytes, as numbers that compare as the bytes do. Together they are the whole of a key
  /// of 8 to 16 bytes.
  @usableFromInline let first: UInt64
  @usableFromInline let last: UInt64

  /// Nil if there are no bytes.
  @inlinable @inline(__always)
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return nil }
    unsafe self.start = start
    count = bytes.count
    first = unsafe count >= 8 ? UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)) : 0
    last =
      unsafe count >= 8
      ? UInt64(bigEndian: start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)) : 0
  }

  /// Returns a negative number, 0 or a positive number if `other` comes before, equals or comes after this key.
  @inlinable @inline(__always)
  package func compare(_ other: UnsafeRawBufferPointer) -> Int {
    if other.count == count, count >= 8, count <= 16, let bytes = other.baseAddress {
      let head = unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
      if head != first { return head < first ? -1 : 1 }
      let tail = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
      return tail < last ? -1 : tail == last ? 0 : 1
    }
    return unsafe KeyComparison.compare(other, UnsafeRawBufferPointer(start: start, count: count))
  }
}

extension CheckedPage {
  /// Returns the index of the node of this branch page below which a key lies: the last node whose key does not come
  /// after it.
  @inlinable @inline(__always)
  package func childIndex(of key: SearchKey) throws(PageFault) -> Int {
    // The first key is never read: it stands for everything before the second.
    var low = 1
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if unsafe key.compare(self.key(try node(middle))) <= 0 { low = middle &+ 1 } else { high = middle }
    }
    return low &- 1
  }

  /// Throws if this page, the child of node `index` of `parent`, has keys that lie before that node's key, or not
  /// before the next node's key.
  @usableFromInline package func check(below parent: CheckedPage, _ index: Int) throws(PageFault) {
    let first = kind == .branch ? 1 : 0
    guard first < count else { return }
    if index > 0 {
      let bound = unsafe parent.key(try parent.node(index))
      guard unsafe KeyComparison.compare(bound, key(try node(first))) <= 0 else {
        throw PageFault(number, .shape)
      }
    }
    if index &+ 1 < parent.count {
      let bound = unsafe parent.key(try parent.node(index &+ 1))
      guard unsafe KeyComparison.compare(key(try node(count &- 1)), bound) < 0 else {
        throw PageFault(number, .shape)
      }
    }
  }

  /// Returns the index of the first node of this leaf whose key does not come before `key`, or `count` if there is
  /// none; and whether its key equals `key`.
  @inlinable @inline(__always)
  package func firstIndex(atOrAfter key: SearchKey) throws(PageFault) -> (index: Int, isFound: Bool) {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      let order = unsafe key.compare(self.key(try node(middle)))
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return (low, false)
  }
}

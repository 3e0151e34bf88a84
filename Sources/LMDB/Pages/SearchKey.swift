/// A key that is looked for. The bytes stay the caller's.
struct SearchKey {
  private let start: UnsafeRawPointer
  private let count: Int
  /// The first and the last eight bytes as numbers that compare as the bytes do. Between them they are the whole of a key
  /// of 8 to 16 bytes.
  private let first: UInt64
  private let last: UInt64

  /// Nil for no bytes.
  @inline(__always)
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return nil }
    self.start = start
    count = bytes.count
    first = count >= 8 ? UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)) : 0
    last =
      count >= 8 ? UInt64(bigEndian: start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)) : 0
  }

  /// Negative, 0 or positive, as a key comes before, is, or comes behind this one.
  @inline(__always)
  func compare(_ other: UnsafeRawBufferPointer) -> Int {
    if other.count == count, count >= 8, count <= 16, let bytes = other.baseAddress {
      let head = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
      if head != first { return head < first ? -1 : 1 }
      let tail = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
      return tail < last ? -1 : tail == last ? 0 : 1
    }
    return KeyComparison.compare(other, UnsafeRawBufferPointer(start: start, count: count))
  }
}

extension CheckedPage {
  /// The node of this branch page below which a key lies: the last that does not come behind it.
  @inline(__always)
  func childIndex(of key: SearchKey) throws(PageFault) -> Int {
    // The first key is never looked at: it stands for everything before the second.
    var low = 1
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if key.compare(self.key(try node(middle))) <= 0 { low = middle &+ 1 } else { high = middle }
    }
    return low &- 1
  }

  /// Throws when this page, the child of a node of `parent`, has keys that lie before that node's or behind the next one's.
  func check(below parent: CheckedPage, _ index: Int) throws(PageFault) {
    let first = kind == .branch ? 1 : 0
    guard first < count else { return }
    if index > 0 {
      let bound = parent.key(try parent.node(index))
      guard KeyComparison.compare(bound, key(try node(first))) <= 0 else { throw PageFault(number, .shape) }
    }
    if index &+ 1 < parent.count {
      let bound = parent.key(try parent.node(index &+ 1))
      guard KeyComparison.compare(key(try node(count &- 1)), bound) < 0 else {
        throw PageFault(number, .shape)
      }
    }
  }

  /// The first node of this leaf that does not come before a key, `count` if there is none; and whether it is that key.
  @inline(__always)
  func firstIndex(atOrAfter key: SearchKey) throws(PageFault) -> (index: Int, isFound: Bool) {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      let order = key.compare(self.key(try node(middle)))
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return (low, false)
  }
}

/// One page of a tree in LMDB 0.9's format, in the map of the file or in memory. Nothing in it is trusted.
///
/// Making a `CheckedPage` checks the header; each access checks what it reads. So a walk by these calls is total: any
/// bytes give a result or a `PageFault`, never a trap or a load outside the page. Every number is loaded once, checked
/// and used, so bytes that change meanwhile do no harm either. `checkWhole` checks the page as a whole, for callers
/// that have to know that LMDB itself can walk it.
///
/// A page begins with its number (8 bytes), 2 unused bytes, its flags (2 bytes), and the offsets at which the slots end
/// and the nodes begin (2 bytes each); an overflow page has the number of its pages (4 bytes) instead of these two. A
/// slot is the offset of a node (2 bytes). The slots are in the order of the keys.
///
/// It is safe to read, because every load is checked to lie in the page. To make one is unsafe: the page's bytes have to
/// exist as long as it does.
@usableFromInline @safe package struct CheckedPage {
  @usableFromInline package enum Kind: Sendable {
    case branch
    case leaf
    /// The first page of a value that is too large for a leaf.
    case overflow

    /// Nil if a page with these flags is of no kind.
    @inlinable @inline(__always)
    package init?(flags: UInt16) {
      switch flags {
      case 1: self = .branch
      case 2: self = .leaf
      case 4: self = .overflow
      default: return nil
      }
    }

    // What the compiler would write is no part of what others inline.
    @inlinable @inline(__always)
    package static func == (one: Kind, other: Kind) -> Bool {
      switch (one, other) {
      case (.branch, .branch), (.leaf, .leaf), (.overflow, .overflow): true
      default: false
      }
    }
  }

  /// The address of the first byte.
  @usableFromInline package let start: UnsafeRawPointer
  /// Bytes of the page.
  @usableFromInline package let size: Int
  /// Its number in the file.
  @usableFromInline package let number: UInt64
  /// The number of pages that the store has: one more than the number of the last.
  @usableFromInline package let limit: UInt64
  @usableFromInline package let kind: Kind
  /// The number of nodes: 1 or more; 0 in an overflow page.
  @usableFromInline package let count: Int
  /// The offset at which the nodes begin.
  @usableFromInline package let upper: Int

  /// Bytes before the slots.
  @inlinable package static var header: Int { 16 }
  @inlinable package static var maximumKeyLength: Int { 511 }

  /// Takes a page from a map, or from any memory that holds the pages up to `limit` one after another from `base` on.
  @inlinable @inline(__always)
  package init(
    in base: UnsafeRawPointer, size: Int, number: UInt64, limit: UInt64
  ) throws(PageFault) {
    guard number >= 2, number < limit else { throw PageFault(number, .outside) }
    unsafe try self.init(
      at: base + Int(truncatingIfNeeded: number) &* size, size: size, number: number, limit: limit)
  }

  /// Takes the page with this number, whose `size` bytes lie at `start`.
  @inlinable @inline(__always)
  package init(
    at start: UnsafeRawPointer, size: Int, number: UInt64, limit: UInt64
  ) throws(PageFault) {
    guard number >= 2, number < limit else { throw PageFault(number, .outside) }
    guard unsafe start.loadUnaligned(as: UInt64.self) == number else {
      throw PageFault(number, .foreignNumber)
    }
    guard let kind = unsafe Kind(flags: start.loadUnaligned(fromByteOffset: 10, as: UInt16.self)) else {
      throw PageFault(number, .flags)
    }
    unsafe self.start = start
    self.size = size
    self.number = number
    self.limit = limit
    self.kind = kind
    if kind == .overflow {
      count = 0
      upper = size
    } else {
      let lower = unsafe Int(start.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
      let upper = unsafe Int(start.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
      guard lower > Self.header, lower <= upper, upper < size, lower & 1 == 0 else {
        throw PageFault(number, .bounds)
      }
      count = (lower &- Self.header) &>> 1
      self.upper = upper
    }
  }

  /// Throws if this is another kind of page.
  @inlinable @inline(__always)
  package func require(_ kind: Kind) throws(PageFault) {
    guard self.kind == kind else { throw PageFault(number, .kind) }
  }

  /// A key and what belongs to it, as they lie in the page.
  @usableFromInline package struct Node {
    /// The offset of the node in its page.
    @usableFromInline package let offset: Int
    /// Bytes of its key, which lies in the page.
    @usableFromInline package let keyCount: Int

    @inlinable @inline(__always)
    init(offset: Int, keyCount: Int) {
      self.offset = offset
      self.keyCount = keyCount
    }

    /// Bytes before the key.
    @inlinable package static var header: Int { 8 }
    /// The offset of its value in its page, if the value lies there.
    @inlinable @inline(__always)
    package var valueOffset: Int { offset &+ Self.header &+ keyCount }
  }

  /// Returns the node of a slot. The node and its key lie in the page. O(1).
  @inlinable @inline(__always)
  package func node(_ index: Int) throws(PageFault) -> Node {
    guard index >= 0, index < count else { throw PageFault(number, .slot) }
    let slot = Self.header &+ index &<< 1
    let offset = unsafe Int(start.loadUnaligned(fromByteOffset: slot, as: UInt16.self))
    guard offset >= upper, offset <= size &- Node.header else { throw PageFault(number, .slot) }
    let keyCount = unsafe Int(start.loadUnaligned(fromByteOffset: offset &+ 6, as: UInt16.self))
    guard keyCount <= size &- Node.header &- offset else { throw PageFault(number, .key) }
    return Node(offset: offset, keyCount: keyCount)
  }

  /// Returns the key of a node of this page. The first key of a branch page has no meaning and is usually empty.
  @inlinable @inline(__always)
  package func key(_ node: Node) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start + (node.offset &+ Node.header), count: node.keyCount)
  }

  /// Returns the number of the page below a node of this branch page. The number lies within the store.
  @inlinable @inline(__always)
  package func child(_ node: Node) throws(PageFault) -> UInt64 {
    let low = unsafe UInt64(start.loadUnaligned(fromByteOffset: node.offset, as: UInt32.self))
    let high = unsafe UInt64(start.loadUnaligned(fromByteOffset: node.offset &+ 4, as: UInt16.self))
    let child = low | high &<< 32
    guard child >= 2, child < limit else { throw PageFault(child, .outside) }
    return child
  }

  /// What a node of a leaf holds. Its bytes lie in the page.
  @usableFromInline @safe package enum Value {
    /// The value itself, in the page.
    case here(UnsafeRawBufferPointer)
    /// A value of `count` bytes, after the header of the overflow page with this number.
    case overflow(page: UInt64, count: Int)
    /// The record of a tree, as the main table holds it for each database.
    case tree(UnsafeRawBufferPointer)
  }

  /// Returns the value of a node of this leaf page.
  @inlinable @inline(__always)
  package func value(_ node: Node) throws(PageFault) -> Value {
    let count = unsafe Int(start.loadUnaligned(fromByteOffset: node.offset, as: UInt32.self))
    let flags = unsafe start.loadUnaligned(fromByteOffset: node.offset &+ 4, as: UInt16.self)
    let offset = node.valueOffset
    if flags == 0 {
      guard count <= size &- offset else { throw PageFault(number, .value) }
      return unsafe .here(UnsafeRawBufferPointer(start: start + offset, count: count))
    }
    if flags == Self.overflowValue {
      guard offset <= size &- 8 else { throw PageFault(number, .value) }
      let page = unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard page >= 2, page < limit else { throw PageFault(page, .outside) }
      guard Self.room(in: limit &- page, size: size) >= count else { throw PageFault(page, .run) }
      return .overflow(page: page, count: count)
    }
    guard flags == Self.treeValue else { throw PageFault(number, .valueKind) }
    guard count == TreeRecord.length, count <= size &- offset else { throw PageFault(number, .treeRecord) }
    return unsafe .tree(UnsafeRawBufferPointer(start: start + offset, count: count))
  }

  /// How many pages this overflow page's value takes, including this page. All of them lie within the store.
  @inlinable package var overflowPages: UInt64 {
    get throws(PageFault) {
      try require(.overflow)
      let pages = unsafe UInt64(start.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
      guard pages >= 1, pages <= limit &- number else { throw PageFault(number, .run) }
      return pages
    }
  }

  /// Returns how many pages a value of `count` bytes takes, with the header of its first page.
  @inlinable @inline(__always)
  package static func pages(of count: Int, size: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: (header &+ count &+ size &- 1) / size)
  }

  /// Returns how many bytes of a value this many overflow pages have room for, after the header of the first.
  @inlinable @inline(__always)
  package static func room(in pages: UInt64, size: Int) -> Int {
    Int(truncatingIfNeeded: pages) &* size &- header
  }

  /// Returns what an entry takes of a leaf whose value lies in it: its node, which begins at an even offset, and its slot.
  package static func entryBytes(key: Int, value: Int) -> Int { (Node.header + key + value + 1) / 2 * 2 + 2 }

  @inlinable static var overflowValue: UInt16 { 0x01 }
  @inlinable static var treeValue: UInt16 { 0x02 }
}

/// The order of a tree's keys.
@usableFromInline package enum KeyOrder: Sendable {
  /// Bytes, compared one after another; a shorter key comes before the longer keys that begin with it.
  case bytes
  /// Numbers of eight bytes in the machine's byte order, as in the free list.
  case numbers

  /// Whether a key comes before another. False for keys that cannot occur in this order.
  @inlinable
  package func ascends(_ key: UnsafeRawBufferPointer, _ next: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .bytes: return unsafe KeyComparison.compare(key, next) < 0
    case .numbers:
      guard key.count == 8, next.count == 8 else { return false }
      return unsafe key.loadUnaligned(as: UInt64.self) < next.loadUnaligned(as: UInt64.self)
    }
  }
}

extension CheckedPage {
  /// Checks everything about this page that can be known from it alone: every slot, key and value; that the nodes fill
  /// the end of the page without overlap; and that the keys ascend. O(bytes of the page).
  ///
  /// LMDB can search and change a page that passes without reading outside of it.
  @usableFromInline package func checkWhole(order: KeyOrder) throws(PageFault) {
    guard kind != .overflow else {
      _ = try overflowPages
      return
    }
    try checkNodes()
    try checkKeys(order)
  }

  /// Checks that the nodes lie in the page without gap or overlap. They do if they begin at different offsets, the
  /// first where the free space ends; if each ends where another begins, or with the page; and if together they are as
  /// long as that part of the page.
  private func checkNodes() throws(PageFault) {
    var covered = 0
    var failure: PageFault?
    // For each two bytes of the page, one bit for the start of a node and one for the end: nodes begin at even offsets
    // and have even lengths.
    let words = size / 128
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * words) { marks in
      unsafe marks.initialize(repeating: 0)
      do throws(PageFault) {
        for index in 0..<count {
          let node = try node(index)
          let length = try length(node, isFirst: index == 0)
          let end = node.offset + length
          guard node.offset & 1 == 0 else { throw PageFault(number, .slot) }
          guard end <= size else { throw PageFault(number, .value) }
          let start = UInt64(1) &<< (UInt64(node.offset / 2) & 63)
          guard unsafe marks[node.offset / 128] & start == 0 else { throw PageFault(number, .overlap) }
          unsafe marks[node.offset / 128] |= start
          if end < size { unsafe marks[words + end / 128] |= 1 &<< (UInt64(end / 2) & 63) }
          covered += length
        }
        guard unsafe marks[upper / 128] &>> (UInt64(upper / 2) & 63) & 1 == 1 else {
          throw PageFault(number, .overlap)
        }
        for word in 0..<words where unsafe marks[words + word] & ~marks[word] != 0 {
          throw PageFault(number, .overlap)
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    guard covered == size - upper else { throw PageFault(number, .overlap) }
  }

  /// Returns the bytes of a node, rounded up to an even number as LMDB does.
  private func length(_ node: Node, isFirst: Bool) throws(PageFault) -> Int {
    guard node.keyCount <= Self.maximumKeyLength, node.keyCount >= 1 || (kind == .branch && isFirst) else {
      throw PageFault(number, .key)
    }
    var length = Node.header + node.keyCount
    if kind == .branch {
      _ = try child(node)
    } else {
      switch try value(node) {
      case .here(let bytes), .tree(let bytes): length += bytes.count
      case .overflow: length += 8
      }
    }
    return length + length & 1
  }

  private func checkKeys(_ order: KeyOrder) throws(PageFault) {
    // A branch page's first key is never compared.
    let first = kind == .branch ? 1 : 0
    guard first < count else { return }
    var last = unsafe key(try node(first))
    if order == .numbers, last.count != 8 { throw PageFault(number, .key) }
    for index in first + 1..<max(count, first + 1) {
      let next = unsafe key(try node(index))
      guard unsafe order.ascends(last, next) else { throw PageFault(number, .order) }
      unsafe last = next
    }
  }
}

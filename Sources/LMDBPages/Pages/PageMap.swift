/// The pages of one snapshot in the map of the file. Reading them takes no lock and creates no object.
///
/// It is safe to read as long as a transaction keeps the map: only pages below the limit are read, through
/// `CheckedPage`. To make one is unsafe.
@usableFromInline @safe package struct PageMap {
  /// The address of page 0.
  @usableFromInline package let base: UnsafeRawPointer
  @usableFromInline package let pageSize: Int
  /// One more than the number of the last page that the snapshot uses and the file has.
  @usableFromInline package let limit: UInt64

  @inlinable
  package init(base: UnsafeRawPointer, pageSize: Int, limit: UInt64) {
    unsafe self.base = base
    self.pageSize = pageSize
    self.limit = limit
  }

  /// Returns a page of a tree, after a check of its header.
  @inlinable @inline(__always)
  package func page(_ number: UInt64) throws(PageFault) -> CheckedPage {
    unsafe try CheckedPage(in: base, size: pageSize, number: number, limit: limit)
  }

  /// Returns the only leaf that can hold a key of the tree.
  @inlinable @inline(__always)
  package func leaf(for key: SearchKey, from root: UInt64, depth: Int) throws(PageFault) -> CheckedPage {
    var page = try page(root)
    var level = depth
    while level > 1 {
      try page.require(.branch)
      page = try self.page(try page.child(try page.node(try page.childIndex(of: key))))
      level &-= 1
    }
    try page.require(.leaf)
    return page
  }

  /// Returns the value under a key, or nil.
  @inlinable @inline(__always)
  package func find(_ key: SearchKey, in tree: TreeRecord) throws(PageFault) -> UnsafeRawBufferPointer? {
    guard !tree.isEmpty else { return nil }
    let leaf = try leaf(for: key, from: tree.root, depth: tree.depth)
    let (index, isFound) = try leaf.firstIndex(atOrAfter: key)
    guard isFound else {
      try checkWay(to: key, tree)
      return nil
    }
    return unsafe try value(of: try leaf.node(index), in: leaf)
  }

  /// Checks that every page on the way to a key that was not found has the keys that its parent says. A sound page at a
  /// wrong point of the tree has other keys, and would make the key seem absent.
  @usableFromInline @inline(never)
  package func checkWay(to key: SearchKey, _ tree: TreeRecord) throws(PageFault) {
    var page = try page(tree.root)
    for _ in 1..<max(tree.depth, 1) {
      try page.require(.branch)
      let index = try page.childIndex(of: key)
      let child = try self.page(try page.child(try page.node(index)))
      try child.check(below: page, index)
      page = child
    }
  }

  /// Returns the bytes of a value, from the leaf or from overflow pages.
  @inlinable @inline(__always)
  package func value(of node: CheckedPage.Node, in leaf: CheckedPage) throws(PageFault)
    -> UnsafeRawBufferPointer
  {
    switch try leaf.value(node) {
    case .here(let bytes): return unsafe bytes
    case .overflow(let number, let count): return unsafe try overflow(number, count: count)
    // The record of a database in the main table: its bytes are returned like any others.
    case .tree(let bytes): return unsafe bytes
    }
  }

  @inlinable @inline(__always)
  package func overflow(_ number: UInt64, count: Int) throws(PageFault) -> UnsafeRawBufferPointer {
    let page = try page(number)
    guard CheckedPage.room(in: try page.overflowPages, size: pageSize) >= count else {
      throw PageFault(number, .run)
    }
    return unsafe UnsafeRawBufferPointer(start: page.start + CheckedPage.header, count: count)
  }

  /// Returns the record of a named database, or nil if the main table has none of that name.
  @usableFromInline package func record(named name: String, in main: TreeRecord) throws(PageFault)
    -> TreeRecord?
  {
    guard !main.isEmpty else { return nil }
    let bytes = Array(name.utf8)
    return unsafe try bytes.span.bytes.withUnsafeBytes { bytes throws(PageFault) -> TreeRecord? in
      guard let key = unsafe SearchKey(bytes) else { return nil }
      let leaf = try leaf(for: key, from: main.root, depth: main.depth)
      let (index, isFound) = try leaf.firstIndex(atOrAfter: key)
      guard isFound else { return nil }
      let node = try leaf.node(index)
      guard case .tree(let record) = try leaf.value(node) else {
        throw PageFault(leaf.number, .valueKind)
      }
      return unsafe try TreeRecord(record, page: leaf.number, limit: limit)
    }
  }
}

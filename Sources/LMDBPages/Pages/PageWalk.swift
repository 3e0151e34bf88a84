/// A key and its value in a page: memory of the map, or of LMDB.
@usableFromInline package typealias PageEntry = (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)

/// A cursor in one tree of a snapshot, which moves in the order of the keys.
///
/// It behaves as LMDB's cursor does. Before its first move it stands before the first entry when it goes forward, and
/// after the last one when it goes back. A step beyond an end returns nil and leaves it where it was. After a fault it
/// only throws that fault again.
@usableFromInline package struct PageWalk: ~Copyable {
  @usableFromInline let map: PageMap
  @usableFromInline let tree: TreeRecord
  @usableFromInline var root: UInt64 { tree.root }
  @usableFromInline var depth: Int { tree.depth }
  @usableFromInline let order: KeyOrder
  /// The leaf in which it stands; nil before its first move.
  @usableFromInline package internal(set) var leaf: CheckedPage?
  /// The index of the entry in the leaf; the leaf's number of entries if it stands after the last one.
  @usableFromInline var index = 0
  /// The branch pages above the leaf, from the root down.
  @usableFromInline var path = PagePath()
  @usableFromInline var fault: PageFault?
  /// The number of entries in the leaves so far, if it has gone from the first leaf on without leaving any out;
  /// otherwise negative.
  @usableFromInline var passed = -1

  /// Makes a walk that stands in no leaf yet.
  /// - Parameter order: The order of the keys. Only a walk by steps may use another order than that of bytes.
  @usableFromInline package init(_ map: PageMap, _ tree: TreeRecord, order: KeyOrder = .bytes) {
    self.map = map
    self.order = order
    self.tree = tree
  }

  /// Whether the leaf in which it stands is the first one below its branch page.
  package var isFirstLeafOfBranch: Bool { depth < 2 || path[depth - 2].index == 0 }

  @inlinable @inline(__always)
  package mutating func first() throws(PageFault) -> PageEntry? { unsafe try descend(toFirst: true) }

  @inlinable @inline(__always)
  package mutating func last() throws(PageFault) -> PageEntry? { unsafe try descend(toFirst: false) }

  @inlinable @inline(__always)
  package mutating func next() throws(PageFault) -> PageEntry? {
    guard let leaf else { return unsafe try descend(toFirst: true) }
    if index &+ 1 < leaf.count {
      index &+= 1
      return unsafe try here(leaf)
    }
    return unsafe try step(forward: true)
  }

  @inlinable @inline(__always)
  package mutating func previous() throws(PageFault) -> PageEntry? {
    guard let leaf else { return unsafe try descend(toFirst: false) }
    if index > 0 {
      index &-= 1
      return unsafe try here(leaf)
    }
    return unsafe try step(forward: false)
  }

  /// Moves to the first entry of the next leaf. Returns nil, and stays where it is, if there is none.
  @usableFromInline package mutating func nextLeaf() throws(PageFault) -> PageEntry? {
    unsafe try step(forward: true)
  }

  /// Moves to the first entry whose key is not smaller than `key`. Returns nil if there is none.
  @inlinable @inline(__always)
  package mutating func seek(_ key: SearchKey) throws(PageFault) -> PageEntry? {
    if try !isInLeaf(key) {
      guard try descend(to: key, checking: true) else { return nil }
    }
    guard let leaf else { return nil }
    do throws(PageFault) { index = try leaf.firstIndex(atOrAfter: key).index } catch { throw failed(error) }
    if index < leaf.count { return unsafe try here(leaf) }
    // After the last entry of this leaf comes the first entry of the next.
    return unsafe try step(forward: true)
  }

  /// Returns the value under a key, or nil.
  @inlinable @inline(__always)
  package mutating func value(_ key: SearchKey) throws(PageFault) -> UnsafeRawBufferPointer? {
    if try !isInLeaf(key) {
      guard try descend(to: key, checking: false) else { return nil }
    }
    guard let leaf else { return nil }
    let (index, isFound) = try leaf.firstIndex(atOrAfter: key)
    self.index = index
    guard isFound else {
      try map.checkWay(to: key, tree)
      return nil
    }
    return unsafe try map.value(of: try leaf.node(index), in: leaf)
  }

  /// Whether a key lies between the first and the last key of the leaf, so that no descent is needed.
  @inlinable @inline(__always)
  package func isInLeaf(_ key: SearchKey) throws(PageFault) -> Bool {
    guard let leaf else { return false }
    guard unsafe key.compare(leaf.key(try leaf.node(0))) <= 0 else { return false }
    return unsafe key.compare(leaf.key(try leaf.node(leaf.count &- 1))) >= 0
  }

  /// The entry at which it stands. Without it there is no way on: a loop that passes over a fault would take what is behind it for
  /// all.
  @inlinable @inline(__always)
  package mutating func here(_ leaf: CheckedPage) throws(PageFault) -> PageEntry {
    do throws(PageFault) { return unsafe try entry(leaf) } catch { throw failed(error) }
  }

  @inlinable @inline(__always)
  package func entry(_ leaf: CheckedPage) throws(PageFault) -> PageEntry {
    let node = try leaf.node(index)
    return unsafe (leaf.key(node), try map.value(of: node, in: leaf))
  }

  @usableFromInline @inline(never)
  mutating func descend(toFirst: Bool) throws(PageFault) -> PageEntry? {
    if let fault { throw fault }
    guard depth > 0 else { return nil }
    do throws(PageFault) {
      let leaf = try edge(of: try map.page(root), level: 0, atStart: toFirst)
      self.leaf = leaf
      passed = toFirst ? leaf.count : -1
      index = toFirst ? 0 : leaf.count &- 1
      return unsafe try entry(leaf)
    } catch {
      throw failed(error)
    }
  }

  /// Moves to the leaf in which a key belongs. Returns false if the tree is empty. With `checking`, each page has to
  /// have the keys that its parent says; a search for one key needs that only if the key is not found.
  @usableFromInline @inline(never)
  mutating func descend(to key: SearchKey, checking: Bool) throws(PageFault) -> Bool {
    if let fault { throw fault }
    guard depth > 0 else { return false }
    do throws(PageFault) {
      var page = try map.page(root)
      var isFirst = true
      for level in 0..<depth &- 1 {
        try page.require(.branch)
        let index = try page.childIndex(of: key)
        path[level] = PagePath.Step(page: page.number, index: index)
        isFirst = isFirst && index == 0
        page = try checking ? child(of: page, index) : map.page(try page.child(try page.node(index)))
      }
      try page.require(.leaf)
      leaf = page
      passed = isFirst ? page.count : -1
      return true
    } catch {
      throw failed(error)
    }
  }

  /// Returns the first or the last leaf below `start`, a page on `level`.
  private mutating func edge(of start: CheckedPage, level: Int, atStart: Bool) throws(PageFault)
    -> CheckedPage
  {
    var page = start
    for level in level..<depth &- 1 {
      try page.require(.branch)
      let index = atStart ? 0 : page.count &- 1
      path[level] = PagePath.Step(page: page.number, index: index)
      page = try child(of: page, index)
    }
    try page.require(.leaf)
    return page
  }

  /// Returns the page below a node of a branch page. Checks that its keys fit there.
  private func child(of page: CheckedPage, _ index: Int) throws(PageFault) -> CheckedPage {
    let child = try map.page(try page.child(try page.node(index)))
    if order == .bytes { try child.check(below: page, index) }
    return child
  }

  /// Goes on to the neighbouring leaf. If there is none, stays where it is.
  @usableFromInline @inline(never)
  mutating func step(forward: Bool) throws(PageFault) -> PageEntry? {
    guard let old = leaf else { return nil }
    do throws(PageFault) {
      var level = depth &- 2
      while level >= 0 {
        let step = path[level]
        let page = try map.page(step.page)
        try page.require(.branch)
        let index = step.index &+ (forward ? 1 : -1)
        if index >= 0, index < page.count {
          path[level] = PagePath.Step(page: step.page, index: index)
          let leaf = try edge(of: try child(of: page, index), level: level &+ 1, atStart: forward)
          try check(leaf, follows: old, forward: forward)
          self.leaf = leaf
          passed = forward && passed >= 0 ? passed &+ leaf.count : -1
          self.index = forward ? 0 : leaf.count &- 1
          return unsafe try entry(leaf)
        }
        level &-= 1
      }
      // A walk over the whole tree has to have seen as many entries as the tree's record counts.
      if forward, passed >= 0, UInt64(passed) != tree.entries { throw PageFault(root, .shape) }
      return nil
    } catch {
      throw failed(error)
    }
  }

  /// Checks that the keys ascend from leaf to leaf: so no walk goes in circles, whatever the branch pages say.
  private func check(_ leaf: CheckedPage, follows old: CheckedPage, forward: Bool) throws(PageFault) {
    let (before, after) = forward ? (old, leaf) : (leaf, old)
    let last = unsafe before.key(try before.node(before.count &- 1))
    let first = unsafe after.key(try after.node(0))
    guard unsafe order.ascends(last, first) else { throw PageFault(leaf.number, .shape) }
  }

  @usableFromInline
  mutating func failed(_ fault: PageFault) -> PageFault {
    self.fault = fault
    leaf = nil
    return fault
  }
}

/// The path from the root of a tree down to a leaf.
@usableFromInline struct PagePath {
  @usableFromInline struct Step {
    let page: UInt64
    let index: Int
  }

  // Page numbers have at most 38 bits, and the indices of nodes at most 14: see `MetaPage`.
  @usableFromInline var steps:
    (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
      (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

  /// The step of a level, which has to be below `TreeRecord.maximumDepth`.
  subscript(level: Int) -> Step {
    @inline(__always) get {
      let word = unsafe withUnsafeBytes(of: steps) {
        unsafe $0.load(fromByteOffset: 8 * level, as: UInt64.self)
      }
      return Step(page: word &>> 16, index: Int(truncatingIfNeeded: word & 0xffff))
    }
    @inline(__always) set {
      let word = newValue.page &<< 16 | UInt64(truncatingIfNeeded: newValue.index) & 0xffff
      unsafe withUnsafeMutableBytes(of: &steps) {
        unsafe $0.storeBytes(of: word, toByteOffset: 8 * level, as: UInt64.self)
      }
    }
  }
}

internal import LMDBPages

/// One database in the state that a write began on, and what the write has learnt about its pages so far.
final class GuardedTree {
  let record: TreeRecord
  let name: [UInt8]
  /// Whether all leaves have been checked; their overflow pages may not have been.
  private(set) var isWhole: Bool {
    didSet { hasLearnt = true }
  }
  /// How many descents to a leaf were needed in this environment. A removal counts four.
  private(set) var descents: UInt64 {
    didSet { hasLearnt = true }
  }
  /// Whether the overflow pages of all values have been checked, too.
  private(set) var isComplete: Bool {
    didSet { hasLearnt = true }
  }
  /// Whether this transaction has changed what is kept of the tree.
  private(set) var hasLearnt = false
  /// The leaf of the last key. Another key of the same leaf needs no descent.
  private var last: FencedLeaf?
  private var lastLeaf: CheckedPage?
  private var isLastTouched = false
  /// Leaves that this transaction has changed: LMDB may have split them since.
  private var touched: Set<UInt64> = []
  /// Leaves that LMDB may have merged with others after a removal.
  private var zones: [RemovalZone] = []
  private var knowsLowestLeaves = false

  init(_ record: TreeRecord, name: [UInt8], isWhole: Bool, isComplete: Bool, descents: UInt64) {
    self.record = record
    self.name = name
    self.descents = descents
    self.isWhole = isWhole
    self.isComplete = isComplete
  }

  /// Whether only the overflow pages of values are left to check. LMDB can then be asked where they are.
  @inline(__always)
  var namesRuns: Bool { isWhole && !isComplete && record.overflowPages > 0 }

  /// Checks the pages that LMDB reads on its way to a key, unless only overflow pages are left to check.
  @inline(__always)
  func admit(
    _ key: SearchKey, _ access: WriteGuard.Access, _ map: PageMap, _ pages: WriteGuard
  ) throws(PageFault) {
    if !isWhole, !record.isEmpty { try admitLeaf(key, access, map, pages) }
  }

  private func admitLeaf(
    _ key: SearchKey, _ access: WriteGuard.Access, _ map: PageMap, _ pages: WriteGuard
  ) throws(PageFault) {
    if last?.holds(key) != true || access == .append {
      // Walking to all leaves once costs as much as walking to every second leaf by itself.
      descents += access == .delete ? 4 : 1
      if descents > record.leafPages / 2 { return try checkLeaves(map, pages) }
      let leaf = try access == .append ? self.leaf(.end, map) : self.leaf(.of(key), map)
      lastLeaf = try pages.check(leaf: leaf.number, leaf.bounds, map)
      last = leaf
      isLastTouched = false
    }
    if access != .read, !isLastTouched, let last {
      touched.insert(last.number)
      isLastTouched = true
    }
    if record.overflowPages > 0, let leaf = lastLeaf {
      let (index, isFound) = try leaf.firstIndex(atOrAfter: key)
      if isFound { try check(leaf.value(try leaf.node(index)), map, pages) }
    }
    if access == .delete, let last { try admitRemoval(of: key, in: last, map, pages) }
  }

  private func check(
    _ value: CheckedPage.Value, _ map: PageMap, _ pages: WriteGuard
  ) throws(PageFault) {
    guard case .overflow(let first, let count) = value else { return }
    try pages.check(run: first, count: count, isWhole: isWhole, map)
  }

  /// Checks every leaf, so that LMDB can go to any key.
  func checkLeaves(_ map: PageMap, _ pages: WriteGuard) throws(PageFault) {
    guard !isWhole else { return }
    if !record.isEmpty {
      try visitLeaves(below: record.root, level: 1, PageBounds(), map) { number, bounds throws(PageFault) in
        _ = try pages.check(leaf: number, bounds, map)
      }
    }
    isWhole = true
  }

  /// Checks every leaf and the overflow pages of every value, so that LMDB can free all of them.
  func checkAll(_ map: PageMap, _ pages: WriteGuard) throws(PageFault) {
    try checkLeaves(map, pages)
    guard !isComplete, record.overflowPages > 0, !record.isEmpty else { return }
    try visitLeaves(below: record.root, level: 1, PageBounds(), map) { number, _ throws(PageFault) in
      let page = try map.page(number)
      for index in 0..<page.count { try check(page.value(try page.node(index)), map, pages) }
    }
    isComplete = true
  }

  /// Checks the leaves that LMDB may read after a removal. LMDB may merge the leaf with one beside it, that one with
  /// the next, and so on. A leaf is certain not to be merged as long as it has nodes to give away: one for each removal
  /// beside it. Nothing beyond such a leaf is touched.
  private func admitRemoval(
    of key: SearchKey, in leaf: FencedLeaf, _ map: PageMap, _ pages: WriteGuard
  ) throws(PageFault) {
    if record.depth >= 4, !knowsLowestLeaves {
      try checkLowestLeaves(map, pages)
      knowsLowestLeaves = true
    }
    var index = zones.partitioningIndex { $0.reachesBeyond(key) }
    if index < zones.count, zones[index].reaches(key) {
      if zones[index].isLeft(key) { try growLeft(&zones[index], map, pages) }
      if zones[index].isRight(key) { try growRight(&zones[index], map, pages) }
    } else {
      var zone = RemovalZone(leaf)
      zone.left = unsafe try barrier(before: leaf.low, map, pages)
      zone.right = unsafe try barrier(from: leaf.high, map, pages)
      zones.insert(zone, at: index)
    }
    while let left = zones[index].left, left.allowance <= 0 || touched.contains(left.leaf.number) {
      try growLeft(&zones[index], map, pages)
    }
    while let right = zones[index].right, right.allowance <= 0 || touched.contains(right.leaf.number) {
      try growRight(&zones[index], map, pages)
    }
    // Two zones that share a leaf both take nodes from it.
    while index > 0, zones[index - 1].overlaps(zones[index]) {
      zones[index - 1].join(zones[index])
      zones.remove(at: index)
      index -= 1
    }
    while index + 1 < zones.count, zones[index].overlaps(zones[index + 1]) {
      zones[index].join(zones[index + 1])
      zones.remove(at: index + 1)
    }
    zones[index].left?.allowance -= 1
    zones[index].right?.allowance -= 1
  }

  private func growLeft(_ zone: inout RemovalZone, _ map: PageMap, _ pages: WriteGuard) throws(PageFault) {
    guard let left = zone.left else { return }
    unsafe zone.low = left.leaf.low
    zone.left = unsafe try barrier(before: left.leaf.low, map, pages)
  }

  private func growRight(_ zone: inout RemovalZone, _ map: PageMap, _ pages: WriteGuard) throws(PageFault) {
    guard let right = zone.right else { return }
    unsafe zone.high = right.leaf.high
    zone.right = unsafe try barrier(from: right.leaf.high, map, pages)
  }

  /// Returns the leaf before a separator; nil at the beginning of the tree.
  private func barrier(
    before low: UnsafeRawBufferPointer?, _ map: PageMap, _ pages: WriteGuard
  ) throws(PageFault) -> RemovalZone.Barrier? {
    guard let key = unsafe low.flatMap(SearchKey.init) else { return nil }
    return try barrier(leaf(.before(key), map), map, pages)
  }

  /// Returns the leaf that begins at a separator; nil at the end of the tree.
  private func barrier(
    from high: UnsafeRawBufferPointer?, _ map: PageMap, _ pages: WriteGuard
  ) throws(PageFault) -> RemovalZone.Barrier? {
    guard let key = unsafe high.flatMap(SearchKey.init) else { return nil }
    return try barrier(leaf(.of(key), map), map, pages)
  }

  private func barrier(
    _ leaf: FencedLeaf, _ map: PageMap, _ pages: WriteGuard
  ) throws(PageFault) -> RemovalZone.Barrier {
    let page = try pages.check(leaf: leaf.number, leaf.bounds, map)
    return RemovalZone.Barrier(leaf: leaf, allowance: try page.nodesToSpare)
  }

  /// Checks the leaves that a merge of branch pages may read. In a tree of four or more levels such a merge reads the
  /// lowest leaf below one of these pages.
  private func checkLowestLeaves(_ map: PageMap, _ pages: WriteGuard) throws(PageFault) {
    try visitLeaves(below: record.root, level: 1, PageBounds(), map, onlyLowest: true) {
      number, bounds throws(PageFault) in
      _ = try pages.check(leaf: number, bounds, map)
    }
  }

  /// Visits the leaves below a page. With `onlyLowest`, visits only the first leaf of each page directly above the
  /// leaves.
  private func visitLeaves(
    below number: UInt64, level: Int, _ bounds: PageBounds, _ map: PageMap, onlyLowest: Bool = false,
    _ visit: (UInt64, PageBounds) throws(PageFault) -> Void
  ) throws(PageFault) {
    guard level < record.depth else { return try visit(number, bounds) }
    let page = try map.page(number)
    try page.require(.branch)
    let isAboveLeaves = level == record.depth - 1
    for index in 0..<(isAboveLeaves && onlyLowest ? 1 : page.count) {
      let node = try page.node(index)
      let low = unsafe index == 0 ? bounds.low : page.key(node)
      let high = unsafe index + 1 < page.count ? page.key(try page.node(index + 1)) : bounds.high
      unsafe try visitLeaves(
        below: page.child(node), level: level + 1, PageBounds(low: low, high: high), map,
        onlyLowest: onlyLowest, visit)
    }
  }

  /// Which leaf is searched for.
  private enum Aim {
    case of(SearchKey)
    /// The last leaf with smaller keys.
    case before(SearchKey)
    case end
  }

  private func leaf(_ aim: Aim, _ map: PageMap) throws(PageFault) -> FencedLeaf {
    var leaf = FencedLeaf(number: record.root)
    for _ in 1..<record.depth {
      let page = try map.page(leaf.number)
      try page.require(.branch)
      let index =
        switch aim {
        case .of(let key): try page.childIndex(of: key)
        case .before(let key): try page.childIndex(before: key)
        case .end: page.count - 1
        }
      let node = try page.node(index)
      if index > 0 { unsafe leaf.low = page.key(node) }
      if index + 1 < page.count { unsafe leaf.high = page.key(try page.node(index + 1)) }
      leaf.number = try page.child(node)
    }
    return leaf
  }
}

/// One database in the state that a write began on, as far as the write has come to its pages.
final class GuardedTree {
  let record: TreeRecord
  let name: [UInt8]
  /// Whether all leaves have been checked; their overflow pages may not have been.
  private(set) var isWhole: Bool {
    didSet { hasLearnt = true }
  }
  /// Descents that were needed, in this environment.
  private(set) var descents: UInt64 {
    didSet { hasLearnt = true }
  }
  /// Whether this transaction has added to the two.
  private(set) var hasLearnt = false
  /// The leaf of the last key: neighbours need no descent.
  private var last: LeafPlace?
  private var lastLeaf: CheckedPage?
  private var isLastTouched = false
  /// Leaves that values were put into: LMDB may have split them since.
  private var touched: Set<UInt64> = []
  /// Leaves that LMDB may have merged with others after a removal.
  private var zones: [RemovalZone] = []
  private var knowsLowestLeaves = false

  init(_ record: TreeRecord, name: [UInt8], isWhole: Bool, descents: UInt64) {
    self.record = record
    self.name = name
    self.descents = descents
    self.isWhole = isWhole
  }

  /// Whether only the overflow pages of values are left to check: LMDB can be asked where they are.
  @inline(__always)
  var namesRuns: Bool { isWhole && record.overflowPages > 0 }

  /// Checks what LMDB meets on its way to a key, where that is not only overflow pages.
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
      // Walking to all leaves once costs as much as to every second one by itself.
      descents += access == .delete ? 4 : 1
      if descents > record.leafPages / 2 { return try checkLeaves(map, pages) }
      let place = try access == .append ? self.place(.end, map) : self.place(.of(key), map)
      lastLeaf = try pages.check(leaf: place.number, place.bounds, map)
      last = place
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

  /// Checks every leaf: then LMDB can go anywhere.
  func checkLeaves(_ map: PageMap, _ pages: WriteGuard) throws(PageFault) {
    guard !isWhole else { return }
    if !record.isEmpty {
      try visitLeaves(below: record.root, level: 1, PageBounds(), map) { number, bounds throws(PageFault) in
        _ = try pages.check(leaf: number, bounds, map)
      }
    }
    isWhole = true
  }

  /// Checks every leaf and every value's pages: then LMDB can free all of it.
  func checkAll(_ map: PageMap, _ pages: WriteGuard) throws(PageFault) {
    try checkLeaves(map, pages)
    guard record.overflowPages > 0, !record.isEmpty else { return }
    try visitLeaves(below: record.root, level: 1, PageBounds(), map) { number, _ throws(PageFault) in
      let page = try map.page(number)
      for index in 0..<page.count { try check(page.value(try page.node(index)), map, pages) }
    }
  }

  /// A removal may make LMDB merge the leaf with one beside it, that one with the next, and so on. A leaf is certain to stay
  /// itself as long as it has nodes to give away: one for each removal beside it. Behind such a leaf nothing is touched.
  private func admitRemoval(
    of key: SearchKey, in leaf: LeafPlace, _ map: PageMap, _ pages: WriteGuard
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
      zone.left = try barrier(before: leaf.low, map, pages)
      zone.right = try barrier(from: leaf.high, map, pages)
      zones.insert(zone, at: index)
    }
    while let left = zones[index].left, left.allowance <= 0 || touched.contains(left.place.number) {
      try growLeft(&zones[index], map, pages)
    }
    while let right = zones[index].right, right.allowance <= 0 || touched.contains(right.place.number) {
      try growRight(&zones[index], map, pages)
    }
    // Two that share a leaf take nodes from it both.
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
    zone.low = left.place.low
    zone.left = try barrier(before: left.place.low, map, pages)
  }

  private func growRight(_ zone: inout RemovalZone, _ map: PageMap, _ pages: WriteGuard) throws(PageFault) {
    guard let right = zone.right else { return }
    zone.high = right.place.high
    zone.right = try barrier(from: right.place.high, map, pages)
  }

  /// The leaf before a separator; nil at the beginning.
  private func barrier(
    before low: UnsafeRawBufferPointer?, _ map: PageMap, _ pages: WriteGuard
  ) throws(PageFault) -> RemovalZone.Barrier? {
    guard let key = low.flatMap(SearchKey.init) else { return nil }
    return try barrier(place(.before(key), map), map, pages)
  }

  /// The leaf that begins at a separator; nil at the end.
  private func barrier(
    from high: UnsafeRawBufferPointer?, _ map: PageMap, _ pages: WriteGuard
  ) throws(PageFault) -> RemovalZone.Barrier? {
    guard let key = high.flatMap(SearchKey.init) else { return nil }
    return try barrier(place(.of(key), map), map, pages)
  }

  private func barrier(
    _ place: LeafPlace, _ map: PageMap, _ pages: WriteGuard
  ) throws(PageFault) -> RemovalZone.Barrier {
    let page = try pages.check(leaf: place.number, place.bounds, map)
    return RemovalZone.Barrier(place: place, allowance: try page.nodesToSpare)
  }

  /// In a tree of four levels and more a merge of branch pages reads the lowest leaf below one of them.
  private func checkLowestLeaves(_ map: PageMap, _ pages: WriteGuard) throws(PageFault) {
    try visitLeaves(below: record.root, level: 1, PageBounds(), map, onlyLowest: true) {
      number, bounds throws(PageFault) in
      _ = try pages.check(leaf: number, bounds, map)
    }
  }

  /// The leaves below a branch page or, of each page right above leaves, the first.
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
      let low = index == 0 ? bounds.low : page.key(node)
      let high = index + 1 < page.count ? page.key(try page.node(index + 1)) : bounds.high
      try visitLeaves(
        below: page.child(node), level: level + 1, PageBounds(low: low, high: high), map,
        onlyLowest: onlyLowest, visit)
    }
  }

  /// Which leaf is looked for.
  private enum Aim {
    case of(SearchKey)
    /// The last one with smaller keys.
    case before(SearchKey)
    case end
  }

  private func place(_ aim: Aim, _ map: PageMap) throws(PageFault) -> LeafPlace {
    var place = LeafPlace(number: record.root)
    for _ in 1..<record.depth {
      let page = try map.page(place.number)
      try page.require(.branch)
      let index =
        switch aim {
        case .of(let key): try page.childIndex(of: key)
        case .before(let key): try page.childIndex(before: key)
        case .end: page.count - 1
        }
      let node = try page.node(index)
      if index > 0 { place.low = page.key(node) }
      if index + 1 < page.count { place.high = page.key(try page.node(index + 1)) }
      place.number = try page.child(node)
    }
    return place
  }
}

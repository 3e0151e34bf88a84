package import StoreFiles

/// Entries of neighbouring leaves that would fit into fewer leaves, all below one branch page.
///
/// The first leaf keeps its entries, and the others follow it. LMDB fills a leaf that is emptied from its left neighbour, or joins it with that;
/// only the first one below a branch page has none. So what is put back comes behind all that is in its leaf, and LMDB leaves a leaf full to
/// which that happens. Where other entries lie behind what comes, it divides leaves in the middle, and there would be more of them than before.
/// So it would be if the first leaf below a branch page became so empty that LMDB fills it from its right neighbour, in the end with entries
/// that lie behind all that are taken: it is none to begin with if it is less than a quarter full.
package struct SparseLeaves {
  /// The key of the first entry that was not looked at; nil if there is none.
  package private(set) var next: [UInt8]?
  /// How many leaves they are in.
  private(set) var count = 0
  /// How many pages their values have beside these.
  private var valuePages = 0
  /// How many they fill when LMDB puts one behind the other: a leaf that the next entry does not fit into loses its last one to the leaf
  /// that follows.
  private var needed = 0
  /// The bytes that are taken in the last of those.
  private var taken = 0
  /// Those of the last entry.
  private var last = 0
  /// The keys and the values, one after another, and how long each is.
  private var bytes: [UInt8] = []
  private var lengths: [(key: Int, value: Int)] = []

  private let capacity: Int
  private let isThorough: Bool

  /// Looks for them in a tree.
  /// - Parameters:
  ///   - key: Where to begin; nil for the first leaf.
  ///   - most: How many pages to take at most, with those that values have of their own.
  ///   - mostRead: After how many leaves to give up; two at least, as one has none to be joined with.
  ///   - isThorough: Whether to take all neighbours of which a sixteenth becomes free. Otherwise each of them is a quarter empty, and an
  ///     eighth becomes free.
  package init(
    of tree: TreeRecord, in map: PageMap, from key: [UInt8]?, atMost most: Int, reading mostRead: Int,
    isThorough: Bool
  ) throws(PageFault) {
    capacity = map.pageSize - CheckedPage.header
    self.isThorough = isThorough
    let mostRead = max(2, mostRead)
    var walk = PageWalk(map, tree)
    var isThere = try Self.begin(&walk, key)
    var read = 0
    while isThere, let leaf = walk.leaf {
      let own = try pagesOfValues(in: leaf)
      let canBegin = own != nil && isSparse(leaf) && (!walk.isFirstLeafOfBranch || staysAsItIs(leaf))
      let fits =
        own.map { count == 0 || $0 + count + valuePages < most && !walk.isFirstLeafOfBranch } ?? false
      let isTaken = (canBegin || isThorough && count > 0) && fits && read < mostRead
      if !isTaken, isWorthwhile || read >= mostRead {
        next = unsafe Array(leaf.key(try leaf.node(0)))
        break
      }
      if isTaken {
        try take(leaf, map)
      } else {
        forget()
        if canBegin { try take(leaf, map) }
      }
      read += 1
      isThere = unsafe try walk.nextLeaf() != nil
    }
    if !isWorthwhile { forget() }
  }

  /// How many leaves fewer there will be; 0 if there is nothing to do.
  package var gain: Int { count - needed }

  /// Calls `body` with each entry that is not in the first leaf, in the order of the keys.
  package func forEach(
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    let outcome: Result<Void, LMDBError> = unsafe bytes.withUnsafeBytes { bytes in
      var start = 0
      for length in lengths {
        let (middle, end) = (start + length.key, start + length.key + length.value)
        do throws(LMDBError) {
          unsafe try body(
            UnsafeRawBufferPointer(rebasing: bytes[start..<middle]),
            UnsafeRawBufferPointer(rebasing: bytes[middle..<end]))
        } catch {
          return .failure(error)
        }
        start = end
      }
      return .success(())
    }
    try outcome.get()
  }

  /// Moves a walk to the first leaf to look at. Returns whether there is one.
  private static func begin(_ walk: inout PageWalk, _ key: [UInt8]?) throws(PageFault) -> Bool {
    guard let key else { return unsafe try walk.first() != nil }
    let outcome: Result<Bool, PageFault> = unsafe key.withUnsafeBytes { bytes in
      guard let key = unsafe SearchKey(bytes) else { return .success(false) }
      do throws(PageFault) { return unsafe .success(try walk.seek(key) != nil) } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Whether so much of a leaf is free that it is taken: a quarter; or, if it has to be thorough, that others may follow it.
  private func isSparse(_ leaf: CheckedPage) -> Bool {
    (isThorough ? 16 : 4) * (capacity - used(in: leaf)) >= capacity
  }

  /// Whether a leaf is so full that LMDB takes nothing from its neighbours for it.
  private func staysAsItIs(_ leaf: CheckedPage) -> Bool { 4 * used(in: leaf) >= capacity }

  private func used(in leaf: CheckedPage) -> Int { leaf.size - leaf.upper + 2 * leaf.count }

  /// How many pages the values of a leaf have of their own; nil if it stays because of them: whatever moves is written again, and LMDB
  /// looks for pages side by side for a value that has several.
  private func pagesOfValues(in leaf: CheckedPage) throws(PageFault) -> Int? {
    var pages = 0
    for index in 0..<leaf.count {
      switch try leaf.value(try leaf.node(index)) {
      case .here: continue
      case .overflow(_, let count) where isThorough && CheckedPage.pages(of: count, size: leaf.size) == 1:
        pages += 1
      default: return nil
      }
    }
    return pages
  }

  private mutating func take(_ leaf: CheckedPage, _ map: PageMap) throws(PageFault) {
    count += 1
    let isMoved = count > 1
    for index in 0..<leaf.count {
      let node = try leaf.node(index)
      let (key, value) = unsafe (leaf.key(node), try map.value(of: node, in: leaf))
      if isMoved {
        unsafe bytes += key
        unsafe bytes += value
        lengths.append((key.count, value.count))
      }
      var inLeaf = value.count
      if case .overflow = try leaf.value(node) {
        if isMoved { valuePages += 1 }
        inLeaf = MemoryLayout<UInt64>.size
      }
      let size = CheckedPage.entryBytes(key: key.count, value: inLeaf)
      taken += size
      if needed == 0 {
        needed = 1
      } else if taken > capacity {
        needed += 1
        taken = last + size
        if taken > capacity { (needed, taken) = (needed + 1, size) }
      }
      last = size
    }
  }

  private var isWorthwhile: Bool { gain > 0 && (isThorough ? 16 : 8) * gain >= count + valuePages }

  private mutating func forget() {
    (count, valuePages, needed, taken, last) = (0, 0, 0, 0, 0)
    bytes.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
  }
}

internal import LMDBPages

/// A leaf of a snapshot: its page number, and the separators around it (its fence keys), which lie in branch pages of
/// the map.
///
/// It is safe to use while the write lasts: a write never changes the pages of the state that it began on.
@safe struct FencedLeaf {
  var number: UInt64
  /// The separator before the leaf; nil at the beginning of the tree.
  var low: UnsafeRawBufferPointer?
  /// The separator after the leaf; nil at the end of the tree.
  var high: UnsafeRawBufferPointer?

  init(number: UInt64) { self.number = number }

  var bounds: PageBounds { unsafe PageBounds(low: low, high: high) }

  /// Whether a key belongs here.
  @inline(__always)
  func holds(_ key: SearchKey) -> Bool {
    if let low = unsafe low, unsafe key.compare(low) > 0 { return false }
    if let high = unsafe high, unsafe key.compare(high) <= 0 { return false }
    return true
  }
}

/// Neighbouring leaves that removals of one transaction may have merged. They lie between two leaves that are not
/// merged, the barriers.
///
/// It is safe to use as long as its leaves are.
@safe struct RemovalZone {
  /// A leaf that is certain to stay a page of its own while other leaves take nodes from it.
  struct Barrier {
    let leaf: FencedLeaf
    /// The number of removals beside it that it can still bear.
    var allowance: Int
  }

  /// The separators around the leaves between the barriers.
  var low: UnsafeRawBufferPointer?
  var high: UnsafeRawBufferPointer?
  /// The barriers; nil at an end of the tree.
  var left: Barrier?
  var right: Barrier?

  init(_ leaf: FencedLeaf) {
    unsafe low = leaf.low
    unsafe high = leaf.high
  }

  /// Whether the zone, with its right barrier, ends after a key.
  func reachesBeyond(_ key: SearchKey) -> Bool {
    guard let end = unsafe right?.leaf.high else { return true }
    return unsafe key.compare(end) > 0
  }

  /// Whether a key that the zone reaches beyond lies in the zone or in its left barrier.
  func reaches(_ key: SearchKey) -> Bool {
    guard let start = unsafe left?.leaf.low else { return true }
    return unsafe key.compare(start) <= 0
  }

  /// Whether a key lies in the left barrier.
  func isLeft(_ key: SearchKey) -> Bool { unsafe low.map { unsafe key.compare($0) > 0 } ?? false }

  /// Whether a key lies in the right barrier.
  func isRight(_ key: SearchKey) -> Bool { unsafe high.map { unsafe key.compare($0) <= 0 } ?? false }

  /// Whether this zone and the zone after it have a leaf in common.
  func overlaps(_ next: RemovalZone) -> Bool {
    guard let right, let left = next.left else { return true }
    guard let end = unsafe right.leaf.high, let start = unsafe left.leaf.low else { return true }
    return unsafe KeyComparison.compare(start, end) < 0
  }

  /// Merges the zone after this one into it.
  mutating func join(_ next: RemovalZone) {
    unsafe high = next.high
    right = next.right
  }
}

extension CheckedPage {
  /// How many nodes LMDB can move out of this leaf before it would merge the leaf with another one. LMDB merges a leaf
  /// that is filled to less than a quarter, or that has one node.
  var nodesToSpare: Int {
    get throws(PageFault) {
      var largest = 0
      for index in 0..<count {
        let node = try node(index)
        let length: Int
        switch try value(node) {
        case .here(let bytes), .tree(let bytes): length = bytes.count
        case .overflow: length = 8
        }
        largest = max(largest, node.valueOffset - node.offset + length + 3)
      }
      let used = 2 * count + size - upper
      let spare = used - (size - Self.header + 3) / 4
      return max(0, min(count - 2, spare / max(1, largest)))
    }
  }

  /// Returns the index of the last node of this branch page below which there are keys smaller than a separator. The
  /// separator lies in this page or after it.
  func childIndex(before key: SearchKey) throws(PageFault) -> Int {
    var low = 1
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if unsafe key.compare(self.key(try node(middle))) < 0 { low = middle &+ 1 } else { high = middle }
    }
    return low &- 1
  }
}

extension Array {
  /// Returns the index of the first element that fulfils a condition, or `count` if none does. All elements after the
  /// first one have to fulfil it too. O(log n).
  func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

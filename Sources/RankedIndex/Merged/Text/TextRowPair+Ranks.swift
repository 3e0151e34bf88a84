internal import RankedKeys
import SatchelBytes

/// The ranks of pending rows in the tree, which the tree is asked for once a row.
extension TextRowPair {
  /// Returns the number of entries of the tree before a row's key. One descent, the first time that anybody asks.
  @inline(__always)
  func rank(
    _ rows: TextRows, _ index: Int, _ forest: Forest, _ tree: TextTreeSchema
  ) throws(IndexError) -> Int {
    let known = rows.knownRank(index)
    if known != RunRows.unknownRank { return Int(known) }
    return try findRank(rows, index, forest, tree)
  }

  @inline(never)
  private func findRank(
    _ rows: TextRows, _ index: Int, _ forest: Forest, _ tree: TextTreeSchema
  ) throws(IndexError) -> Int {
    let store = try forest.textStore(tree)
    let rank = unsafe try store.rank(of: rows.bytes(index).bytes, row: rows.row(index))
    // Only a damaged tree counts more entries before a key than it has; what is kept must not carry that further.
    guard rank >= 0, rank <= Int(store.root.count), let word = UInt32(exactly: rank) else {
      throw .corrupt(tree: tree.id, node: 0, what: "the rank of a text is beyond the tree's entries")
    }
    rows.keep(rank: word, index)
    return rank
  }

  /// Returns the place before the entry at a merged rank, which must exist. O(log(rows)) and no descent, once the ranks
  /// on the way are known. `RunPair.place(ofRank:)` tells why this is right.
  func place(
    ofRank rank: Int, _ forest: Forest, _ tree: TextTreeSchema
  ) throws(IndexError) -> MergedPlace {
    var low = 0
    var high = small.count
    while low < high {
      let middle = (low &+ high) &>> 1
      let before = large.net(small.place(middle)) &+ small.net(middle)
      if try self.rank(small, middle, forest, tree) &+ before <= rank {
        low = middle &+ 1
      } else {
        high = middle
      }
    }
    let smallEnd = low
    let smallNet = small.net(smallEnd)
    // A large row of the last small row's key counts with the small one, which takes it back: it is never looked at by
    // itself.
    let first = smallEnd > 0 ? after(smallEnd &- 1) : 0
    low = first
    high = smallEnd < small.count ? small.place(smallEnd) : large.count
    while low < high {
      let middle = (low &+ high) &>> 1
      let before = large.net(middle) &+ smallNet
      if try self.rank(large, middle, forest, tree) &+ before <= rank {
        low = middle &+ 1
      } else {
        high = middle
      }
    }
    let largeEnd = low
    if largeEnd > first {
      let row = largeEnd &- 1
      let base = try self.rank(large, row, forest, tree)
      if base &+ large.net(row) &+ smallNet == rank, large.isInsertion(row) {
        return MergedPlace(base: base, runs: RunPlace(large: row, small: smallEnd), row: .large)
      }
    } else if smallEnd > 0 {
      let row = smallEnd &- 1
      let base = try self.rank(small, row, forest, tree)
      let place = small.place(row)
      if base &+ large.net(place) &+ small.net(row) == rank, small.isInsertion(row) {
        return MergedPlace(base: base, runs: RunPlace(large: place, small: row), row: .small)
      }
    }
    return MergedPlace(
      base: rank &- large.net(largeEnd) &- smallNet, runs: RunPlace(large: largeEnd, small: smallEnd),
      row: nil)
  }
}

extension TextTreeStore {
  /// Returns the number of entries before a key. One descent.
  fileprivate func rank(of bytes: borrowing RawSpan, row: UInt64) throws(IndexError) -> Int {
    guard root.height > 0 else { return 0 }
    var leaf = TextPage.none
    var start = 0
    return try descend(to: bytes, row: row, &leaf, leafStart: &start)
  }
}

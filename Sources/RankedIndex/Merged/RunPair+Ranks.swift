/// The ranks of pending rows in the tree, which the tree is asked for once a row.
extension RunPair where Tree: BaseTree {
  /// Returns the number of entries of the tree before a row's key. One descent, the first time that anybody asks.
  @inline(__always)
  func rank(
    _ rows: RunRows<Tree>, _ row: Int, _ forest: Forest, _ tree: Tree
  ) throws(IndexError) -> Int {
    let known = rows.knownRank(row)
    if known != RunRows<Tree>.unknownRank { return Int(known) }
    return try findRank(rows, row, forest, tree)
  }

  @inline(never)
  private func findRank(
    _ rows: RunRows<Tree>, _ row: Int, _ forest: Forest, _ tree: Tree
  ) throws(IndexError) -> Int {
    let rank = try tree.baseRank(ofRow: row, rows.keys, in: forest)
    // Only a damaged tree counts more entries before a key than it has; what is kept must not carry that further.
    let count = try tree.baseCount(in: forest)
    guard rank >= 0, rank <= count, let word = UInt32(exactly: rank) else {
      throw .corrupt(tree: tree.id, node: 0, what: "the rank of a key is beyond the tree's entries")
    }
    rows.keep(rank: word, row)
    return rank
  }

  /// Returns the place before the entry at a merged rank, which must exist. O(log(rows)) and no descent, once the ranks
  /// on the way are known.
  ///
  /// Let f(row) be the number of merged entries strictly before a pending row's key: its rank in the tree plus the sums
  /// of signs before it in both runs. It never falls from one row to the next. So the last row with f <= `rank` is
  /// found by halving, first in the small run, then in the stretch of the large run up to the next small row. If
  /// f = `rank` and the row is an entry, it is the one; otherwise the tree has it, past all rows up to this one.
  func place(
    ofRank rank: Int, _ forest: Forest, _ tree: Tree
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
    // A large row of the last small row's key counts with the small one, and is never looked at by itself: it may be
    // a row that the small one has removed.
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
      if base &+ large.net(row) &+ smallNet == rank, large.kind(row) != .remove {
        return MergedPlace(base: base, runs: RunPlace(large: row, small: smallEnd), row: .large(row))
      }
    } else if smallEnd > 0 {
      let row = smallEnd &- 1
      let base = try self.rank(small, row, forest, tree)
      let place = small.place(row)
      if base &+ large.net(place) &+ small.net(row) == rank, small.kind(row) != .remove {
        return MergedPlace(base: base, runs: RunPlace(large: place, small: row), row: .small(row))
      }
    }
    return MergedPlace(
      base: rank &- large.net(largeEnd) &- smallNet, runs: RunPlace(large: largeEnd, small: smallEnd),
      row: nil)
  }
}

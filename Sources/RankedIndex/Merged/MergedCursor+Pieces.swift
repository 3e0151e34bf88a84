internal import RankedKeys

extension MergedCursor {
  /// What comes next on the way of a cursor.
  enum Piece {
    /// So many entries of the tree, at least one, and not beyond the bound.
    case tree(Int)
    /// A pending row, which the cursor has moved over.
    case large(Int)
    case small(Int)
    /// No pending row before the bound: the tree has the rest.
    case rest
  }

  /// Moves over pending rows that are no entries, and returns what comes then, up to `end`; of the tree, at most
  /// `limit` entries. Which row comes first is seen from the places of the small rows.
  @inline(__always)
  mutating func piece(upTo end: RunPlace, limit: Int, _ runs: RunPair) throws(IndexError) -> Piece {
    // Ranks are those of the tree that the rows were pending for.
    try base.expectCurrent()
    let large = runs.large
    let small = runs.small
    while true {
      // The next small row is first unless rows of the large run come before it.
      let isSmall = place.small < small.count && place.large >= small.place(place.small)
      let row = isSmall ? place.small : place.large
      guard row < (isSmall ? end.small : end.large) else { return .rest }
      let rank =
        try isSmall
        ? runs.rank(small, row, base.forest, base.tree) : runs.rank(large, row, base.forest, base.tree)
      let gap = rank &- base.rank()
      if gap > 0 { return .tree(min(gap, limit)) }
      // The same of both runs: the tree's entry of this key, if there is one, is not an entry any more.
      let isHeld = isSmall ? runs.treeHolds(smallRow: row) : large.kind(row) != .insert
      var fits = gap == 0
      if fits, isHeld { fits = try base.step() }
      guard fits else { throw contradiction(isSmall ? small : large, row) }
      if isSmall {
        place.small &+= 1
        place.large = runs.after(row)
      } else {
        place.large &+= 1
      }
      if (isSmall ? small.kind(row) : large.kind(row)) != .remove {
        base.forest.store.counters.entriesRead &+= 1
        return isSmall ? .small(row) : .large(row)
      }
    }
  }

  /// The same towards the start, down to `start`.
  @inline(__always)
  mutating func piece(downTo start: RunPlace, limit: Int, _ runs: RunPair) throws(IndexError) -> Piece {
    // Ranks are those of the tree that the rows were pending for.
    try base.expectCurrent()
    let large = runs.large
    let small = runs.small
    while true {
      // The last small row comes first unless rows of the large run follow its key.
      let isSmall = place.small > 0 && place.large <= runs.after(place.small &- 1)
      let row = (isSmall ? place.small : place.large) &- 1
      guard row >= (isSmall ? start.small : start.large) else { return .rest }
      let rank =
        try isSmall
        ? runs.rank(small, row, base.forest, base.tree) : runs.rank(large, row, base.forest, base.tree)
      let isHeld = isSmall ? runs.treeHolds(smallRow: row) : large.kind(row) != .insert
      let gap = base.rank() &- rank &- (isHeld ? 1 : 0)
      if gap > 0 { return .tree(min(gap, limit)) }
      var fits = gap == 0
      if fits, isHeld { fits = try base.stepBack() }
      guard fits else { throw contradiction(isSmall ? small : large, row) }
      if isSmall {
        place.small = row
        place.large = small.place(row)
      } else {
        place.large = row
      }
      if (isSmall ? small.kind(row) : large.kind(row)) != .remove {
        base.forest.store.counters.entriesRead &+= 1
        return isSmall ? .small(row) : .large(row)
      }
    }
  }

  /// The error for a pending row that the cursor cannot reach, or whose entry is not there. The tree may be damaged,
  /// or the row wrong.
  @inline(never)
  func contradiction(_ rows: RunRows, _ row: Int) -> IndexError {
    IndexError.outOfStep(base.tree, rows.row(row), "pending, but the tree's entries before it do not fit,")
  }

  /// The error for entries of the tree that end before the next pending row.
  @inline(never)
  func missing() -> IndexError {
    .outOfStep(
      tree: base.tree.id, key: [],
      what: "\(base.tree.name) ends at rank \(base.record.count), before entries that pending rows follow")
  }
}

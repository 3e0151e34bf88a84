internal import RankedKeys

extension MergedTextCursor {
  typealias Piece = MergedCursor.Piece

  /// Moves over pending rows that are no entries, and returns what comes then, up to `end`; of the tree, at most
  /// `limit` entries. Which row comes first is seen from the places of the small rows.
  @inline(__always)
  mutating func piece(upTo end: RunPlace, limit: Int, _ runs: TextRowPair) throws(IndexError) -> Piece {
    // Ranks are those of the tree that the texts were pending for.
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
      let gap = rank &- base.rank
      if gap > 0 { return .tree(min(gap, limit)) }
      // The same of both runs: the tree's entry of this key, if there is one, is not an entry any more, or the row's.
      let isHeld = isSmall ? runs.treeHolds(smallRow: row) : !large.isInsertion(row)
      guard gap == 0, !isHeld || base.rank < base.count else {
        throw contradiction(isSmall ? small : large, row)
      }
      if isHeld { base.skip(1) }
      if isSmall {
        place.small &+= 1
        place.large = runs.after(row)
      } else {
        place.large &+= 1
      }
      if isSmall ? small.isInsertion(row) : large.isInsertion(row) {
        base.forest.store.counters.entriesRead &+= 1
        return isSmall ? .small(row) : .large(row)
      }
    }
  }

  /// The same towards the start, down to `start`.
  @inline(__always)
  mutating func piece(downTo start: RunPlace, limit: Int, _ runs: TextRowPair) throws(IndexError) -> Piece {
    // Ranks are those of the tree that the texts were pending for.
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
      let isHeld = isSmall ? runs.treeHolds(smallRow: row) : !large.isInsertion(row)
      let gap = base.rank &- rank &- (isHeld ? 1 : 0)
      if gap > 0 { return .tree(min(gap, limit)) }
      guard gap == 0 else { throw contradiction(isSmall ? small : large, row) }
      if isHeld { base.skip(-1) }
      if isSmall {
        place.small = row
        place.large = small.place(row)
      } else {
        place.large = row
      }
      if isSmall ? small.isInsertion(row) : large.isInsertion(row) {
        base.forest.store.counters.entriesRead &+= 1
        return isSmall ? .small(row) : .large(row)
      }
    }
  }

  /// The error for a pending row that the cursor cannot reach, or whose entry is not there. The tree may be damaged,
  /// or the row wrong.
  @inline(never)
  func contradiction(_ rows: TextRows, _ row: Int) -> IndexError {
    PendingTexts.outOfStep(base.tree, rows, row, "pending, but the tree's entries before it do not fit,")
  }

  /// The error for entries of the tree that end before the next pending row.
  @inline(never)
  func missing() -> IndexError {
    .outOfStep(
      tree: base.tree.id, key: [],
      what: "\(base.tree.name) ends at rank \(base.count), before entries that pending rows follow")
  }
}

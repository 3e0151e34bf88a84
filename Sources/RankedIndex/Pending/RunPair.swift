internal import RankedKeys

/// A boundary between the keys of both runs: the numbers of rows before it.
struct RunPlace {
  var large = 0
  var small = 0
}

/// A place in the tree with the pending rows: the numbers of the tree's entries and of both runs' rows before it.
struct MergedPlace {
  /// Which run has the entry after a place.
  enum Run {
    case large
    case small
  }

  var base: Int
  var runs: RunPlace
  /// Nil if the entry after this place is the tree's.
  var row: Run?
}

/// The addresses of both runs of pending rows. `PendingRuns` owns them.
struct RunPair {
  let large: RunRows
  let small: RunRows

  /// The place after all rows.
  var end: RunPlace { RunPlace(large: large.count, small: small.count) }

  /// Returns the numbers of rows of each run before a bound. The small rows beside the bound narrow the search in the
  /// large run.
  @inline(__always)
  func place(of bound: Bound) -> RunPlace {
    let index = small.position(of: bound)
    let low = index > 0 ? small.place(index &- 1) : 0
    let high = index < small.count ? small.place(index) : large.count
    return RunPlace(large: large.position(of: bound, in: low..<high), small: index)
  }

  /// Returns by how many the rows before a place change the number of entries.
  @inline(__always)
  func net(before place: RunPlace) -> Int { large.net(place.large) &+ small.net(place.small) }

  /// Returns the number of rows of the large run up to a small row's key, including that key.
  @inline(__always)
  func after(_ smallRow: Int) -> Int {
    small.place(smallRow) &+ (small.isOverLarge(smallRow) ? 1 : 0)
  }

  /// Whether the tree, without any pending row, holds the key of a small row. A small row is about the tree with the
  /// large run: if that has the key too, its row is the one about the tree.
  @inline(__always)
  func treeHolds(smallRow: Int) -> Bool {
    (small.isOverLarge(smallRow) ? large.kind(small.place(smallRow)) : small.kind(smallRow))
      != .insert
  }
}

/// A row of one of both runs.
enum RunRow {
  case large(Int)
  case small(Int)
}

/// A boundary between the keys of both runs: the numbers of rows before it.
struct RunPlace {
  var large = 0
  var small = 0
}

/// A place in the tree with the pending rows: the numbers of the tree's entries and of both runs' rows before it.
struct MergedPlace {
  var base: Int
  var runs: RunPlace
  /// The entry after this place; nil if it is the tree's.
  var row: RunRow?
}

/// The addresses of both runs of pending rows. `Runs` owns them.
struct RunPair<Tree: RunTree> {
  let large: RunRows<Tree>
  let small: RunRows<Tree>

  init(large: RunRows<Tree>, small: RunRows<Tree>) {
    self.large = large
    self.small = small
  }

  /// No rows.
  @inline(__always)
  init(noneOf tree: Tree) {
    let none = RunRows(tree, .empty)
    self.init(large: none, small: none)
  }

  /// The place after all rows.
  var end: RunPlace { RunPlace(large: large.count, small: small.count) }

  /// Returns the numbers of rows of each run before a bound. The small rows beside the bound narrow the search in the
  /// large run.
  @inline(__always)
  func place(of bound: Tree.Keys.Bound) -> RunPlace {
    let index = small.position(of: bound)
    let low = index > 0 ? small.place(index &- 1) : 0
    let high = index < small.count ? small.place(index) : large.count
    return RunPlace(large: large.position(of: bound, in: low..<high), small: index)
  }

  /// Returns by how many the rows before a place change the number of entries.
  @inline(__always)
  func net(before place: RunPlace) -> Int { large.net(place.large) &+ small.net(place.small) }

  /// Returns by how many all rows change the number of entries.
  var net: Int { net(before: end) }

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

  @inline(__always)
  func entry(_ row: RunRow) -> Tree.Keys.Entry {
    switch row {
    case .large(let index): large.keys.entry(index)
    case .small(let index): small.keys.entry(index)
    }
  }

  @inline(__always)
  func value(_ row: RunRow) -> Tree.Keys.Value {
    switch row {
    case .large(let index): large.keys.value(index)
    case .small(let index): small.keys.value(index)
    }
  }
}

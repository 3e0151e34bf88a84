package import RankedKeys

/// A cursor over a tree with its pending rows, used like `TreeCursor`: it stands between two entries and moves over
/// the entries on either side.
///
/// After a seek no key is compared. Each pending row knows how many entries of the tree come before it: as long as
/// fewer have been passed, the difference is a batch that the tree's cursor reads alone; then the row is the next entry,
/// or an entry of the tree is stepped over. Without pending rows each call goes straight to the tree's cursor.
///
/// A cursor must not outlive its transaction. In a write it goes on over the rows of its last seek, whatever is changed meanwhile; after
/// a flush, moves to other leaves throw `cursorExpired` until the next seek.
package struct MergedCursor: ~Copyable {
  var base: TreeCursor
  /// The pending rows; nil if there are none. Addresses only, so that moves count no references.
  private(set) var runs: RunPair?
  /// Keeps the pending rows alive.
  private var owner: PendingRuns?
  /// Whether a seek takes over what has been changed since the last one: the cursor is a writing forest's.
  private let isFollowing: Bool
  /// The numbers of rows of each run before the cursor.
  var place = RunPlace()
  /// The pending row that the last step moved over; nil if it moved over an entry of the tree.
  private var moved: (rows: RunRows, row: Int)?

  init(_ base: consuming TreeCursor, _ pending: PendingRuns?, isFollowing: Bool = false) {
    self.base = base
    runs = pending?.pair
    owner = pending
    self.isFollowing = isFollowing
  }

  /// Takes over what the forest has buffered by now. The base cursor must seek next.
  private mutating func renew() throws(IndexError) {
    owner = try base.forest.pendingRuns(base.tree)
    runs = owner?.pair
    place = RunPlace()
    moved = nil
  }

  /// Returns the cursor's rank: the number of entries before it.
  package mutating func rank() -> Int {
    guard let runs else { return base.rank() }
    return max(base.rank() &+ runs.net(before: place), 0)
  }

  /// Moves to a bound. One descent, and a binary search in either run.
  package mutating func seek(to bound: Bound) throws(IndexError) {
    if isFollowing { try renew() }
    try base.seek(to: bound)
    if let runs { place = runs.place(of: bound) }
  }

  /// Moves to a rank, or to the end if the rank is beyond it. Reads nothing until an entry is read, except for ranks of
  /// pending rows that nobody has asked for yet.
  package mutating func seek(toRank rank: Int) throws(IndexError) {
    if isFollowing { try renew() }
    guard let runs else {
      try base.seek(toRank: rank)
      return
    }
    let target = try target(rank, runs)
    try base.seek(toRank: target.base)
    place = target.runs
  }

  /// Moves over `count` entries without reading them; moves back if `count` is negative. Stops at either end.
  package mutating func skip(_ count: Int) throws(IndexError) {
    guard let runs else {
      try base.skip(count)
      return
    }
    // After a flush the tree would give other ranks, which would stay with the rows: others may still have these.
    try base.expectCurrent()
    let (rank, overflow) = rank().addingReportingOverflow(count)
    let target = try target(overflow ? (count < 0 ? 0 : .max) : rank, runs)
    try base.skip(target.base &- base.rank())
    place = target.runs
  }

  private func target(_ rank: Int, _ runs: RunPair) throws(IndexError) -> MergedPlace {
    guard rank > 0 else { return MergedPlace(base: 0, runs: RunPlace()) }
    let count = try base.forest.baseCount(base.tree)
    guard rank < count &+ runs.net(before: runs.end) else { return MergedPlace(base: count, runs: runs.end) }
    return try runs.place(ofRank: rank, base.forest, base.tree)
  }

  /// Moves over the next entry and returns it. Returns nil at the end.
  package mutating func next() throws(IndexError) -> Words? {
    guard let runs else { return try base.next() }
    switch try piece(upTo: runs.end, limit: 1, runs) {
    case .tree:
      guard let row = try base.next() else { throw missing() }
      return row
    case .rest: return try base.next()
    case .large(let row): return runs.large.row(row)
    case .small(let row): return runs.small.row(row)
    }
  }

  /// Moves back over an entry and returns it. Returns nil at the start.
  package mutating func previous() throws(IndexError) -> Words? {
    guard let runs else { return try base.previous() }
    switch try piece(downTo: RunPlace(), limit: 1, runs) {
    case .tree:
      guard let row = try base.previous() else { throw missing() }
      return row
    case .rest: return try base.previous()
    case .large(let row): return runs.large.row(row)
    case .small(let row): return runs.small.row(row)
    }
  }

  /// Moves over the next entry. Returns false at the end.
  package mutating func step() throws(IndexError) -> Bool {
    guard let runs else { return try base.step() }
    moved = nil
    switch try piece(upTo: runs.end, limit: 1, runs) {
    case .tree:
      guard try base.step() else { throw missing() }
      return true
    case .rest: return try base.step()
    case .large(let row): moved = (runs.large, row)
    case .small(let row): moved = (runs.small, row)
    }
    return true
  }

  /// Moves back over an entry. Returns false at the start.
  package mutating func stepBack() throws(IndexError) -> Bool {
    guard let runs else { return try base.stepBack() }
    moved = nil
    switch try piece(downTo: RunPlace(), limit: 1, runs) {
    case .tree:
      guard try base.stepBack() else { throw missing() }
      return true
    case .rest: return try base.stepBack()
    case .large(let row): moved = (runs.large, row)
    case .small(let row): moved = (runs.small, row)
    }
    return true
  }

  /// Returns one column of the entry before the cursor, which the last move, a `step`, has moved over.
  package mutating func passed(_ column: Int) -> UInt64 {
    guard let moved else { return base.passed(column) }
    precondition(column >= 0 && column < base.tree.columns)
    return moved.rows.word(moved.row, column)
  }

  /// Returns one column of the entry after the cursor, which the last move, a `stepBack`, has moved over.
  package mutating func ahead(_ column: Int) -> UInt64 {
    guard let moved else { return base.ahead(column) }
    precondition(column >= 0 && column < base.tree.columns)
    return moved.rows.word(moved.row, column)
  }
}

internal import RankedKeys

/// A cursor over a tree with its pending rows: what is the same for numeric and for string trees. It stands between two
/// entries and moves over the entries on either side.
///
/// After a seek no key is compared. Each pending row knows how many entries of the tree come before it: as long as
/// fewer have been passed, the difference is a batch that the tree's cursor reads alone; then the row is the next entry,
/// or an entry of the tree is stepped over. Without pending rows each call goes straight to the tree's cursor.
///
/// Everything here is made for either sort of tree where `MergedCursor` and `MergedTextCursor` call it.
struct Merge<Base: BaseCursor & ~Copyable>: ~Copyable {
  typealias Keys = Base.Tree.Keys

  /// What comes next on the way of a cursor.
  enum Piece {
    /// So many entries of the tree, at least one, and not beyond the bound.
    case tree(Int)
    /// A pending row, which the cursor has moved over.
    case row(RunRow)
    /// No pending row before the bound: the tree has the rest.
    case rest
  }

  var base: Base
  /// The pending rows. Addresses only, so that moves count no references, and no optional, so that they need not be copied.
  private(set) var runs: RunPair<Base.Tree>
  /// Keeps the pending rows alive; nil if there are none.
  private var owner: Runs<Base.Tree>?
  /// Whether a seek takes over what has been changed since the last one: the cursor is a writing forest's.
  private let isFollowing: Bool
  /// The numbers of rows of each run before the cursor.
  private var place = RunPlace()
  /// The pending row that the cursor moved over last; nil if that was an entry of the tree, or if there was none since the
  /// last seek or skip.
  private(set) var moved: RunRow?

  @inline(__always)
  init(_ base: consuming Base, _ pending: consuming Runs<Base.Tree>?, isFollowing: Bool) {
    if let pending {
      runs = pending.pair
      owner = pending
    } else {
      runs = RunPair(noneOf: base.tree)
      owner = nil
    }
    self.base = base
    self.isFollowing = isFollowing
  }

  /// Whether there are pending rows. If not, each call goes straight to the tree's cursor.
  @inline(__always)
  var havePending: Bool { owner != nil }

  /// Takes over what the forest has buffered by now. The base cursor must seek next.
  private mutating func renew() throws(IndexError) {
    owner = try base.tree.runs(in: base.forest)
    runs = owner?.pair ?? RunPair(noneOf: base.tree)
    place = RunPlace()
  }

  /// The number of entries before the cursor.
  @inline(__always)
  var rank: Int {
    guard havePending else { return base.rank }
    return max(base.rank &+ runs.net(before: place), 0)
  }

  /// Moves to a bound. One descent, and a binary search in either run.
  @inline(__always)
  mutating func seek(to bound: Keys.Bound) throws(IndexError) {
    if isFollowing { try renew() }
    try base.seek(to: bound)
    if havePending { place = runs.place(of: bound) }
    moved = nil
  }

  /// Moves to a rank, or to the end if the rank is beyond it. Reads nothing until an entry is read, except for ranks of
  /// pending rows that nobody has asked for yet.
  @inline(__always)
  mutating func seek(toRank rank: Int) throws(IndexError) {
    if isFollowing { try renew() }
    guard havePending else { return try base.seek(toRank: rank) }
    let target = try target(rank)
    try base.seek(toRank: target.base)
    place = target.runs
    moved = nil
  }

  /// Moves over `count` entries without reading them; moves back if `count` is negative. Stops at either end.
  @inline(__always)
  mutating func skip(_ count: Int) throws(IndexError) {
    guard havePending else { return try base.skip(count) }
    // After a flush the tree would give other ranks, which would stay with the rows: others may still have these.
    try base.expectCurrent()
    let (rank, overflow) = rank.addingReportingOverflow(count)
    let target = try target(overflow ? (count < 0 ? 0 : .max) : rank)
    try base.skip(target.base &- base.rank)
    place = target.runs
    moved = nil
  }

  private func target(_ rank: Int) throws(IndexError) -> MergedPlace {
    guard rank > 0 else { return MergedPlace(base: 0, runs: RunPlace()) }
    let count = try base.tree.baseCount(in: base.forest)
    guard rank < count &+ runs.net else { return MergedPlace(base: count, runs: runs.end) }
    return try runs.place(ofRank: rank, base.forest, base.tree)
  }

  /// Moves over an entry. The caller has seen that the tree is the one that the rows were pending for: ranks are its.
  /// - Parameters:
  ///   - back: Moves over the entry before the cursor instead of the one after it.
  ///   - tree: Moves over an entry of the tree, and returns what is asked for of it; nil at the end.
  ///   - row: The same of a pending row.
  /// - Returns: What `tree` or `row` returns.
  @inline(__always)
  mutating func move<Value>(
    back: Bool = false, _ tree: (inout Base) throws(IndexError) -> Value?,
    _ row: (RunPair<Base.Tree>, RunRow) -> Value
  ) throws(IndexError) -> Value? {
    let piece = back ? try piece(downTo: RunPlace(), limit: 1) : try piece(upTo: runs.end, limit: 1)
    if case .row(let index) = piece { return row(runs, index) }
    guard let value = try tree(&base) else {
      if case .tree = piece { throw missing() }
      return nil
    }
    moved = nil
    return value
  }

  /// Moves over entries up to a bound, at most `limit`. Returns false if there were fewer than `limit`. The caller has seen
  /// that the tree is the one that the rows were pending for.
  /// - Parameters:
  ///   - back: Moves towards the start, down to the bound.
  ///   - all: The bound that all entries are before, or after.
  ///   - tree: Moves over entries of the tree up to a bound, at most so many, and appends what is asked for of them. Returns
  ///     false if there were fewer.
  ///   - row: Returns what is asked for of a pending row.
  @inline(__always)
  mutating func read<Value>(
    back: Bool = false, into values: inout [Value], to bound: Keys.Bound, all: Keys.Bound, limit: Int,
    _ tree: (inout Base, inout [Value], Keys.Bound, Int) throws(IndexError) -> Bool,
    _ row: (RunPair<Base.Tree>, RunRow) -> Value
  ) throws(IndexError) -> Bool {
    let end = runs.place(of: bound)
    var rest = limit
    while rest > 0 {
      let piece = back ? try piece(downTo: end, limit: rest) : try piece(upTo: end, limit: rest)
      switch piece {
      case .tree(let count):
        // These come before a pending row before the bound, so that the tree need not look for the bound.
        guard try tree(&base, &values, all, count) else { throw missing() }
        moved = nil
        rest &-= count
      case .row(let index):
        values.append(row(runs, index))
        rest &-= 1
      case .rest:
        let first = values.count
        let isFull = try tree(&base, &values, bound, rest)
        if values.count > first { moved = nil }
        return isFull
      }
    }
    return true
  }

  /// Moves over pending rows that are no entries, and returns what comes then, up to `end`; of the tree, at most
  /// `limit` entries. Which row comes first is seen from the places of the small rows.
  @inline(__always)
  private mutating func piece(
    upTo end: RunPlace, limit: Int
  ) throws(IndexError) -> Piece {
    while true {
      // The next small row is first unless rows of the large run come before it.
      let isSmall = place.small < runs.small.count && place.large >= runs.small.place(place.small)
      let row = isSmall ? place.small : place.large
      guard row < (isSmall ? end.small : end.large) else { return .rest }
      let rank = try rank(row, isSmall)
      let gap = rank &- base.rank
      if gap > 0 { return .tree(min(gap, limit)) }
      // The same of both runs: the tree's entry of this key, if there is one, is not an entry any more.
      let isHeld = isSmall ? runs.treeHolds(smallRow: row) : runs.large.kind(row) != .insert
      var fits = gap == 0
      if fits, isHeld { fits = try base.step() }
      guard fits else { throw contradiction(row, isSmall) }
      if isSmall {
        place.small &+= 1
        place.large = runs.after(row)
      } else {
        place.large &+= 1
      }
      if let entry = entry(row, isSmall) { return entry }
    }
  }

  /// The same towards the start, down to `start`.
  @inline(__always)
  private mutating func piece(
    downTo start: RunPlace, limit: Int
  ) throws(IndexError) -> Piece {
    while true {
      // The last small row comes first unless rows of the large run follow its key.
      let isSmall = place.small > 0 && place.large <= runs.after(place.small &- 1)
      let row = (isSmall ? place.small : place.large) &- 1
      guard row >= (isSmall ? start.small : start.large) else { return .rest }
      let rank = try rank(row, isSmall)
      let isHeld = isSmall ? runs.treeHolds(smallRow: row) : runs.large.kind(row) != .insert
      let gap = base.rank &- rank &- (isHeld ? 1 : 0)
      if gap > 0 { return .tree(min(gap, limit)) }
      var fits = gap == 0
      if fits, isHeld { fits = try base.stepBack() }
      guard fits else { throw contradiction(row, isSmall) }
      if isSmall {
        place.small = row
        place.large = runs.small.place(row)
      } else {
        place.large = row
      }
      if let entry = entry(row, isSmall) { return entry }
    }
  }

  /// Returns the number of entries of the tree before a row's key.
  @inline(__always)
  private func rank(_ row: Int, _ isSmall: Bool) throws(IndexError) -> Int {
    let known = isSmall ? runs.small.knownRank(row) : runs.large.knownRank(row)
    return known != RunRows<Base.Tree>.unknownRank ? Int(known) : try findRank(row, isSmall)
  }

  /// The schema is copied here alone.
  @inline(never)
  private func findRank(_ row: Int, _ isSmall: Bool) throws(IndexError) -> Int {
    try runs.rank(isSmall ? runs.small : runs.large, row, base.forest, base.tree)
  }

  /// Returns a row that the cursor has moved over; nil if it is no entry.
  @inline(__always)
  private mutating func entry(_ row: Int, _ isSmall: Bool) -> Piece? {
    guard (isSmall ? runs.small.kind(row) : runs.large.kind(row)) != .remove else { return nil }
    base.countEntry()
    let entry = isSmall ? RunRow.small(row) : .large(row)
    moved = entry
    return .row(entry)
  }

  /// The error for a pending row that the cursor cannot reach, or whose entry is not there. The tree may be damaged,
  /// or the row wrong.
  @inline(never)
  private func contradiction(_ row: Int, _ isSmall: Bool) -> IndexError {
    let words = isSmall ? runs.small.keys.words(row) : runs.large.keys.words(row)
    return .outOfStep(base.tree, key: words, "pending, but the tree's entries before it do not fit,")
  }

  /// The error for entries of the tree that end before the next pending row.
  @inline(never)
  private func missing() -> IndexError {
    let tree = base.tree
    return .outOfStep(
      tree: tree.id, key: [],
      what: "\(tree.name) ends at rank \(base.rank), before entries that pending rows follow")
  }
}

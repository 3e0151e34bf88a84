package import RankedKeys

/// A cursor over a string tree with its pending texts, used like `TextCursor`: it stands between two entries and moves
/// over the entries on either side.
///
/// After a seek no key is compared: each pending text knows how many entries of the tree come before it, as in
/// `MergedCursor`. Without pending texts each call goes straight to the tree's cursor.
///
/// A cursor must not outlive its transaction. In a write it goes on over the texts of its last seek, whatever is changed
/// meanwhile; after a flush, moves to other leaves throw `cursorExpired` until the next seek.
package struct MergedTextCursor: ~Copyable {
  var base: TextCursor
  /// The pending texts; nil if there are none. Addresses only, so that moves count no references.
  private(set) var runs: TextRowPair?
  /// Keeps the pending texts alive.
  private var owner: PendingTexts?
  /// Whether a seek takes over what has been changed since the last one: the cursor is a writing forest's.
  private let isFollowing: Bool
  /// The numbers of rows of each run before the cursor.
  var place = RunPlace()
  /// The entry that the cursor moved over last, if there are pending texts. The tree's cursor does not know it: it also
  /// steps over entries that pending rows have removed.
  var passed = Passed.nothing

  /// An entry that a cursor has moved over.
  enum Passed {
    /// None since the last seek or skip.
    case nothing
    /// The entry at this rank of the tree.
    case tree(Int)
    /// This row of a run.
    case large(Int)
    case small(Int)
  }

  init(_ base: consuming TextCursor, _ pending: PendingTexts?, isFollowing: Bool = false) {
    self.base = base
    runs = pending?.pair
    owner = pending
    self.isFollowing = isFollowing
  }

  /// Takes over what the forest has buffered by now. The base cursor must seek next.
  private mutating func renew() throws(IndexError) {
    owner = try base.forest.pendingTexts(base.tree)
    runs = owner?.pair
    place = RunPlace()
    passed = .nothing
  }

  /// The number of entries before the cursor.
  package var rank: Int {
    guard let runs else { return base.rank }
    return max(base.rank &+ runs.net(before: place), 0)
  }

  /// Moves to a bound. One descent, and a binary search in either run.
  package mutating func seek(to bound: TextBound) throws(IndexError) {
    if isFollowing { try renew() }
    try base.seek(to: bound)
    guard let runs else { return }
    place = runs.place(of: bound)
    passed = .nothing
  }

  /// Moves to a rank, or to the end if the rank is beyond it. Reads nothing until an entry is read, except for ranks of
  /// pending texts that nobody has asked for yet.
  package mutating func seek(toRank rank: Int) throws(IndexError) {
    if isFollowing { try renew() }
    guard let runs else { return try base.seek(toRank: rank) }
    // The tree's cursor adopts changes of the tree first, on which its number of entries depends.
    try base.seek(toRank: 0)
    try move(toRank: rank, runs)
  }

  /// Moves over `count` entries without reading them; moves back if `count` is negative. Stops at either end. Finds ranks
  /// of pending texts that nobody has asked for yet.
  package mutating func skip(_ count: Int) throws(IndexError) {
    guard let runs else { return base.skip(count) }
    // As in `MergedCursor`: ranks that are found now must be those of the tree that the texts are pending for.
    try base.expectCurrent()
    let (target, isBeyond) = rank.addingReportingOverflow(count)
    try move(toRank: isBeyond ? (count < 0 ? 0 : .max) : target, runs)
  }

  private mutating func move(toRank rank: Int, _ runs: TextRowPair) throws(IndexError) {
    var target = MergedPlace(base: 0, runs: RunPlace())
    if rank >= base.count &+ runs.net(before: runs.end) {
      target = MergedPlace(base: base.count, runs: runs.end)
    } else if rank > 0 {
      target = try runs.place(ofRank: rank, base.forest, base.tree)
    }
    base.skip(target.base &- base.rank)
    place = target.runs
    passed = .nothing
  }

  /// Moves over the next entry and returns its row. Returns nil at the end.
  package mutating func next() throws(IndexError) -> UInt64? {
    guard let runs else { return try base.next() }
    switch try piece(upTo: runs.end, limit: 1, runs) {
    case .tree:
      guard let row = try base.next() else { throw missing() }
      passed = .tree(base.passed)
      return row
    case .rest:
      guard let row = try base.next() else { return nil }
      passed = .tree(base.passed)
      return row
    case .large(let index):
      passed = .large(index)
      return runs.large.row(index)
    case .small(let index):
      passed = .small(index)
      return runs.small.row(index)
    }
  }

  /// Moves back over an entry and returns its row. Returns nil at the start.
  package mutating func previous() throws(IndexError) -> UInt64? {
    guard let runs else { return try base.previous() }
    switch try piece(downTo: RunPlace(), limit: 1, runs) {
    case .tree:
      guard let row = try base.previous() else { throw missing() }
      passed = .tree(base.passed)
      return row
    case .rest:
      guard let row = try base.previous() else { return nil }
      passed = .tree(base.passed)
      return row
    case .large(let index):
      passed = .large(index)
      return runs.large.row(index)
    case .small(let index):
      passed = .small(index)
      return runs.small.row(index)
    }
  }

  /// Returns the text of the entry that the cursor moved over last; nil after a seek or skip. O(1) if entries are read in
  /// order.
  package mutating func text() throws(IndexError) -> [UInt8]? { try key()?.text }

  /// Returns the entry that the cursor moved over last; nil after a seek or skip.
  package mutating func key() throws(IndexError) -> TextKey? {
    guard let runs else { return try base.key() }
    switch passed {
    case .nothing: return nil
    case .tree(let rank):
      base.passed = rank
      return try base.key()
    case .large(let index): return runs.large.key(index)
    case .small(let index): return runs.small.key(index)
    }
  }
}

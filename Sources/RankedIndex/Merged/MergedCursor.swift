package import RankedKeys

/// A cursor over a numeric tree with its pending rows, used like `TreeCursor`: it stands between two entries and moves over
/// the entries on either side. `Merge` tells how.
///
/// A cursor must not outlive its transaction. In a write it goes on over the rows of its last seek, whatever is changed
/// meanwhile; after a flush, moves to other leaves throw `cursorExpired` until the next seek.
package struct MergedCursor: ~Copyable {
  private var merge: Merge<TreeCursor>

  init(_ base: consuming TreeCursor, _ pending: consuming Runs<TreeSchema>?, isFollowing: Bool = false) {
    merge = Merge(base, pending, isFollowing: isFollowing)
  }

  /// The number of entries before the cursor.
  package var rank: Int { merge.rank }

  /// Moves to a bound. One descent, and a binary search in either run.
  package mutating func seek(to bound: Bound) throws(IndexError) { try merge.seek(to: bound) }

  /// Moves to a rank, or to the end if the rank is beyond it. Reads nothing until an entry is read, except for ranks of
  /// pending rows that nobody has asked for yet.
  package mutating func seek(toRank rank: Int) throws(IndexError) { try merge.seek(toRank: rank) }

  /// Moves over `count` entries without reading them; moves back if `count` is negative. Stops at either end.
  package mutating func skip(_ count: Int) throws(IndexError) { try merge.skip(count) }

  /// Whether there are pending rows.
  /// - Throws: `cursorExpired` if a flush has changed the tree since: it is not the one that they were pending for.
  @inline(__always)
  private func havePending() throws(IndexError) -> Bool {
    guard merge.havePending else { return false }
    try merge.base.expectCurrent()
    return true
  }

  /// Moves over the next entry and returns it. Returns nil at the end.
  package mutating func next() throws(IndexError) -> Words? {
    guard try havePending() else { return try merge.base.next() }
    return try merge.move(
      { (base: inout TreeCursor) throws(IndexError) in try base.next() }, { $0.value($1) })
  }

  /// Moves back over an entry and returns it. Returns nil at the start.
  package mutating func previous() throws(IndexError) -> Words? {
    guard try havePending() else { return try merge.base.previous() }
    return try merge.move(
      back: true, { (base: inout TreeCursor) throws(IndexError) in try base.previous() },
      { $0.value($1) })
  }

  /// Moves over the next entry. Returns false at the end.
  package mutating func step() throws(IndexError) -> Bool {
    guard try havePending() else { return try merge.base.step() }
    return try merge.move(
      { (base: inout TreeCursor) throws(IndexError) in try base.step() ? true : nil }, { _, _ in true })
      ?? false
  }

  /// Moves back over an entry. Returns false at the start.
  package mutating func stepBack() throws(IndexError) -> Bool {
    guard try havePending() else { return try merge.base.stepBack() }
    return try merge.move(
      back: true, { (base: inout TreeCursor) throws(IndexError) in try base.stepBack() ? true : nil },
      { _, _ in true }) ?? false
  }

  /// Returns one column of the entry before the cursor, which the last move, a `step`, has moved over.
  package mutating func passed(_ column: Int) -> UInt64 {
    pendingWord(column) ?? merge.base.passed(column)
  }

  /// Returns one column of the entry after the cursor, which the last move, a `stepBack`, has moved over.
  package mutating func ahead(_ column: Int) -> UInt64 {
    pendingWord(column) ?? merge.base.ahead(column)
  }

  /// Returns one column of the pending row that the last move has moved over; nil if that was an entry of the tree.
  @inline(__always)
  private func pendingWord(_ column: Int) -> UInt64? {
    guard let row = merge.moved else { return nil }
    precondition(column >= 0 && column < merge.base.tree.columns)
    return merge.runs.word(row, column)
  }

  /// Appends the next entries before `bound` to `rows`, at most `limit`. Returns false if there were fewer than
  /// `limit`.
  package mutating func read(
    into rows: inout [Words], upTo bound: Bound = .end, limit: Int
  ) throws(IndexError) -> Bool {
    guard try havePending() else { return try merge.base.read(into: &rows, upTo: bound, limit: limit) }
    return try merge.read(
      into: &rows, to: bound, all: .end, limit: limit,
      { (base: inout TreeCursor, rows: inout [Words], bound, limit) throws(IndexError) in
        try base.read(into: &rows, upTo: bound, limit: limit)
      }, { $0.value($1) })
  }

  /// Appends the entries between `bound` and the cursor to `rows`, those nearest the cursor first, at most `limit`.
  /// Returns false if there were fewer than `limit`.
  package mutating func readBack(
    into rows: inout [Words], downTo bound: Bound = .start, limit: Int
  ) throws(IndexError) -> Bool {
    guard try havePending() else {
      return try merge.base.readBack(into: &rows, downTo: bound, limit: limit)
    }
    return try merge.read(
      back: true, into: &rows, to: bound, all: .start, limit: limit,
      { (base: inout TreeCursor, rows: inout [Words], bound, limit) throws(IndexError) in
        try base.readBack(into: &rows, downTo: bound, limit: limit)
      }, { $0.value($1) })
  }

  /// Reads a single column like `read(into:upTo:limit:)`.
  package mutating func read(
    column: Int, into values: inout [UInt64], upTo bound: Bound = .end, limit: Int
  ) throws(IndexError) -> Bool {
    guard try havePending() else {
      return try merge.base.read(column: column, into: &values, upTo: bound, limit: limit)
    }
    precondition(column >= 0 && column < merge.base.tree.columns)
    return try merge.read(
      into: &values, to: bound, all: .end, limit: limit,
      { (base: inout TreeCursor, values: inout [UInt64], bound, limit) throws(IndexError) in
        try base.read(column: column, into: &values, upTo: bound, limit: limit)
      }, { $0.word($1, column) })
  }

  /// Reads a single column like `readBack(into:downTo:limit:)`.
  package mutating func readBack(
    column: Int, into values: inout [UInt64], downTo bound: Bound = .start, limit: Int
  ) throws(IndexError) -> Bool {
    guard try havePending() else {
      return try merge.base.readBack(column: column, into: &values, downTo: bound, limit: limit)
    }
    precondition(column >= 0 && column < merge.base.tree.columns)
    return try merge.read(
      back: true, into: &values, to: bound, all: .start, limit: limit,
      { (base: inout TreeCursor, values: inout [UInt64], bound, limit) throws(IndexError) in
        try base.readBack(column: column, into: &values, downTo: bound, limit: limit)
      }, { $0.word($1, column) })
  }
}

extension RunPair<TreeSchema> {
  @inline(__always)
  fileprivate func word(_ row: RunRow, _ column: Int) -> UInt64 {
    switch row {
    case .large(let index): large.keys.word(index, column)
    case .small(let index): small.keys.word(index, column)
    }
  }
}

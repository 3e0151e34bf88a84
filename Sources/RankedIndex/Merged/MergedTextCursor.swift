package import RankedKeys

/// A cursor over a string tree with its pending texts, used like `TextCursor`: what `MergedCursor` is for a numeric tree.
package struct MergedTextCursor: ~Copyable {
  private var merge: Merge<TextCursor>

  init(_ base: consuming TextCursor, _ pending: consuming Runs<TextTreeSchema>?, isFollowing: Bool = false) {
    merge = Merge(base, pending, isFollowing: isFollowing)
  }

  /// The number of entries before the cursor.
  package var rank: Int { merge.rank }

  /// Moves to a bound. One descent, and a binary search in either run.
  package mutating func seek(to bound: TextBound) throws(IndexError) { try merge.seek(to: bound) }

  /// Moves to a rank, or to the end if the rank is beyond it. Reads nothing until an entry is read, except for ranks of
  /// pending texts that nobody has asked for yet.
  package mutating func seek(toRank rank: Int) throws(IndexError) { try merge.seek(toRank: rank) }

  /// Moves over `count` entries without reading them; moves back if `count` is negative. Stops at either end. Finds ranks
  /// of pending texts that nobody has asked for yet.
  package mutating func skip(_ count: Int) throws(IndexError) { try merge.skip(count) }

  /// Whether there are pending rows.
  /// - Throws: `cursorExpired` if a flush has changed the tree since: it is not the one that they were pending for.
  @inline(__always)
  private func havePending() throws(IndexError) -> Bool {
    guard merge.havePending else { return false }
    try merge.base.expectCurrent()
    return true
  }

  /// Moves over the next entry and returns its row. Returns nil at the end.
  package mutating func next() throws(IndexError) -> UInt64? {
    guard try havePending() else { return try merge.base.next() }
    return try merge.move(
      { (base: inout TextCursor) throws(IndexError) in try base.next() }, { $0.value($1) })
  }

  /// Moves back over an entry and returns its row. Returns nil at the start.
  package mutating func previous() throws(IndexError) -> UInt64? {
    guard try havePending() else { return try merge.base.previous() }
    return try merge.move(
      back: true, { (base: inout TextCursor) throws(IndexError) in try base.previous() },
      { $0.value($1) })
  }

  /// Returns the text of the entry that the cursor moved over last; nil after a seek or skip. O(1) if entries are read in
  /// order.
  package mutating func text() throws(IndexError) -> [UInt8]? { try key()?.text }

  /// Returns the entry that the cursor moved over last; nil after a seek or skip.
  package mutating func key() throws(IndexError) -> TextKey? {
    guard let row = merge.moved else { return try merge.base.key() }
    return merge.runs.entry(row)
  }

  /// Puts the text of the entry that the cursor moved over last into `text`, in the memory that it has, and returns the text's group; nil
  /// after a seek or skip. It is for those who look at many texts and keep few.
  package mutating func read(text: inout [UInt8]) throws(IndexError) -> UInt64? {
    guard let row = merge.moved else { return try merge.base.read(text: &text) }
    let entry = merge.runs.entry(row)
    text = entry.text
    return entry.group
  }

  /// Appends the rows of the next entries before `bound`, at most `limit`. Returns false if there were fewer than
  /// `limit`.
  package mutating func read(
    into rows: inout [UInt64], upTo bound: TextBound = .end, limit: Int
  ) throws(IndexError) -> Bool {
    guard try havePending() else { return try merge.base.read(into: &rows, upTo: bound, limit: limit) }
    return try merge.read(
      into: &rows, to: bound, all: .end, limit: limit,
      { (base: inout TextCursor, rows: inout [UInt64], bound, limit) throws(IndexError) in
        try base.read(into: &rows, upTo: bound, limit: limit)
      }, { $0.value($1) })
  }

  /// Moves over some of the next entries that have the text of the entry that `next` has moved over, and appends their rows: those that lie side by side in
  /// a leaf; none if there are pending texts. Whoever wants all goes on with `next`.
  package mutating func readSame(into rows: inout [UInt64]) throws(IndexError) {
    if try !havePending() { try merge.base.readSame(into: &rows) }
  }

  /// Appends the rows of the entries between `bound` and the cursor, those nearest the cursor first, at most `limit`.
  /// Returns false if there were fewer than `limit`.
  package mutating func readBack(
    into rows: inout [UInt64], downTo bound: TextBound = .start, limit: Int
  ) throws(IndexError) -> Bool {
    guard try havePending() else {
      return try merge.base.readBack(into: &rows, downTo: bound, limit: limit)
    }
    return try merge.read(
      back: true, into: &rows, to: bound, all: .start, limit: limit,
      { (base: inout TextCursor, rows: inout [UInt64], bound, limit) throws(IndexError) in
        try base.readBack(into: &rows, downTo: bound, limit: limit)
      }, { $0.value($1) })
  }
}

package import RankedKeys
import SatchelBytes

/// A cursor that stands between two entries of a tree as it is in the file, or at an end, and moves over the entries on
/// either side. `MergedCursor` moves over the pending rows too.
///
/// `next` and `previous` return the entry that they move over. To read a range, seek to its lower bound and call
/// `next`, or seek to its upper bound and call `previous`. The batch methods take one to four nanoseconds per entry.
/// A cursor must not outlive its transaction. After a flush of changes of its forest, moves to other leaves throw
/// `cursorExpired` until the next seek.
///
/// It is safe to use within its transaction: it reads only bytes of the current leaf, which are its own copy or cannot
/// change, and only after their frame was checked.
@safe package struct TreeCursor: ~Copyable {
  let forest: Forest
  let tree: TreeSchema
  var record: DirectoryEntry
  var generation: UInt64
  /// The current leaf. In a write transaction it is a copy, because a change may move the original.
  var leaf: UnsafeRawBufferPointer
  private var copy: UnsafeMutableRawBufferPointer?
  var frame: Frame
  /// The number of rows of the leaf; 0 if there is no leaf.
  var rows: Int
  /// The number of rows of the leaf before the cursor.
  var index: Int
  /// The number of entries of the tree before the leaf.
  var leafRank: UInt64
  /// The parent of the leaf, in a read transaction.
  private var parent: NodePage?
  private var parentRow = 0

  init(_ forest: Forest, _ tree: TreeSchema, _ record: DirectoryEntry) {
    self.forest = forest
    self.tree = tree
    self.record = record
    generation = forest.store.generation
    unsafe leaf = UnsafeRawBufferPointer(start: nil, count: 0)
    frame = Frame.none
    rows = 0
    index = 0
    leafRank = 0
  }

  deinit {
    unsafe copy?.deallocate()
  }

  /// The number of entries before the cursor.
  package var rank: Int { Int(truncatingIfNeeded: leafRank) &+ index }

  /// Moves to a bound. One descent, or none if the bound is within the leaf that the cursor is in.
  package mutating func seek(to bound: Bound) throws(IndexError) {
    try renew()
    guard bound.columns > 0 else {
      leave(at: bound.isAfter ? record.count : 0)
      return
    }
    guard record.height > 0 else { return }
    if rows > 0 {
      let place = unsafe frame.index(leaf.bytes, of: bound, isAfter: bound.isAfter)
      // At an end of the leaf the bound may be in the next one.
      if place > 0, place < rows {
        index = place
        return
      }
    }
    var rank: UInt64 = 0
    var number = record.root
    var count = record.count
    var level = record.height - 1
    parent = nil
    while level > 0 {
      let page = try forest.node(tree, number, level, count)
      let bytes = unsafe page.buffer.bytes
      let frame = try forest.innerFrame(tree, number, bytes)
      let row = frame.child(bytes, for: bound)
      rank &+= frame.before(bytes, row)
      number = frame.child(bytes, row)
      count = frame.entries(bytes, row, total: count)
      if level == 1 { remember(page, row) }
      level &-= 1
    }
    try enter(number, count, rank)
    index = unsafe frame.index(leaf.bytes, of: bound, isAfter: bound.isAfter)
  }

  /// Moves to a rank, or to the end if the rank is beyond it. Reads no node until an entry is read.
  package mutating func seek(toRank rank: Int) throws(IndexError) {
    try renew()
    leave(at: min(UInt64(max(rank, 0)), record.count))
  }

  /// Moves over `count` entries without reading them; moves back if `count` is negative. Stops at either end.
  package mutating func skip(_ count: Int) throws(IndexError) {
    let (moved, overflow) = index.addingReportingOverflow(count)
    if !overflow, moved >= 0, moved <= rows {
      index = moved
      return
    }
    let (target, beyond) = rank.addingReportingOverflow(count)
    try expectCurrent()
    leave(at: min(UInt64(max(beyond ? (count < 0 ? 0 : .max) : target, 0)), record.count))
  }

  /// Moves over the next entry. Returns false at the end.
  package mutating func step() throws(IndexError) -> Bool {
    if index == rows, try !advance() { return false }
    index &+= 1
    return true
  }

  /// Moves back over an entry. Returns false at the start.
  package mutating func stepBack() throws(IndexError) -> Bool {
    if index == 0, try !retreat() { return false }
    index &-= 1
    return true
  }

  /// Returns one column of the entry before the cursor, which a `step` has moved over. That entry must exist.
  package mutating func passed(_ column: Int) -> UInt64 {
    precondition(index > 0 && column < tree.columns)
    return unsafe frame.value(leaf.bytes, row: index &- 1, column: column)
  }

  /// Returns one column of the entry after the cursor, which a `stepBack` has moved over. That entry must exist.
  package mutating func ahead(_ column: Int) -> UInt64 {
    precondition(index < rows && column < tree.columns)
    return unsafe frame.value(leaf.bytes, row: index, column: column)
  }

  /// Moves over the next entry and returns it. Returns nil at the end.
  package mutating func next() throws(IndexError) -> Words? {
    if index == rows, try !advance() { return nil }
    index &+= 1
    forest.store.counters.entriesRead &+= 1
    return unsafe frame.words(leaf.bytes, row: index &- 1)
  }

  /// Moves back over an entry and returns it. Returns nil at the start.
  package mutating func previous() throws(IndexError) -> Words? {
    if index == 0, try !retreat() { return nil }
    index &-= 1
    forest.store.counters.entriesRead &+= 1
    return unsafe frame.words(leaf.bytes, row: index)
  }

  /// Moves from the end of the leaf to the start of the next one. Returns false at the end of the tree.
  @inline(never)
  mutating func advance() throws(IndexError) -> Bool {
    let rank = leafRank &+ UInt64(rows)
    try expectCurrent()
    guard rank < record.count else { return false }
    if rows > 0, let parent {
      let bytes = unsafe parent.buffer.bytes
      let number = bytes.u64(NodeHeader.numberOffset)
      let frame = try forest.innerFrame(tree, number, bytes)
      let row = parentRow &+ 1
      if row < frame.rows {
        parentRow = row
        let total = bytes.u64(0) >> 32
        try enter(frame.child(bytes, row), frame.entries(bytes, row, total: total), rank)
        index = 0
        return true
      }
    }
    try descend(to: rank)
    return true
  }

  /// Moves from the start of the leaf to the end of the previous one. Returns false at the start of the tree.
  @inline(never)
  mutating func retreat() throws(IndexError) -> Bool {
    try expectCurrent()
    guard leafRank > 0 else { return false }
    if rows > 0, let parent, parentRow > 0 {
      let bytes = unsafe parent.buffer.bytes
      let frame = try forest.innerFrame(tree, bytes.u64(NodeHeader.numberOffset), bytes)
      parentRow &-= 1
      let entries = frame.entries(bytes, parentRow, total: 0)
      guard entries <= leafRank else { throw forest.damaged(tree, bytes.u64(NodeHeader.numberOffset)) }
      try enter(frame.child(bytes, parentRow), entries, leafRank &- entries)
      index = rows
      return true
    }
    try descend(to: leafRank &- 1)
    index &+= 1
    return true
  }

  /// Moves to a rank, which must be below the tree's count: enters the leaf with the entry at that rank.
  private mutating func descend(to rank: UInt64) throws(IndexError) {
    var rest = rank
    var number = record.root
    var count = record.count
    var level = record.height - 1
    parent = nil
    while level > 0 {
      let page = try forest.node(tree, number, level, count)
      let bytes = unsafe page.buffer.bytes
      let frame = try forest.innerFrame(tree, number, bytes)
      let row = frame.select(bytes, rest)
      rest &-= frame.before(bytes, row)
      number = frame.child(bytes, row)
      count = frame.entries(bytes, row, total: count)
      if level == 1 { remember(page, row) }
      level &-= 1
    }
    try enter(number, count, rank &- rest)
    guard rest < UInt64(rows) else { throw forest.damaged(tree, number) }
    index = Int(rest)
  }

  private mutating func enter(_ number: UInt64, _ count: UInt64, _ rank: UInt64) throws(IndexError) {
    let page = try forest.node(tree, number, 0, count)
    var bytes = unsafe page.buffer
    if forest.isWriting {
      let target =
        unsafe copy ?? UnsafeMutableRawBufferPointer.allocate(byteCount: forest.store.limit, alignment: 16)
      unsafe copy = target
      unsafe target.copyMemory(from: bytes)
      unsafe bytes = UnsafeRawBufferPointer(rebasing: target[0..<page.count])
    }
    frame = unsafe try forest.leafFrame(tree, number, bytes.bytes, count)
    unsafe leaf = bytes
    rows = frame.rows
    leafRank = rank
  }

  /// Moves to a rank without entering a leaf; the next move descends.
  private mutating func leave(at rank: UInt64) {
    rows = 0
    index = 0
    leafRank = rank
    parent = nil
  }

  private mutating func remember(_ page: NodePage, _ row: Int) {
    guard !forest.isWriting else { return }
    parent = page
    parentRow = row
  }

  /// Adopts the tree's changes since the cursor was created or last moved by a seek.
  private mutating func renew() throws(IndexError) {
    guard forest.isWriting else { return }
    record = try forest.directory.record(tree.id, kind: NodeKind.numeric)
    generation = forest.store.generation
    leave(at: 0)
  }

  /// Throws if a flush has changed the trees since the last seek.
  @inline(__always)
  func expectCurrent() throws(IndexError) {
    if generation != forest.store.generation { throw .cursorExpired(tree: tree.id) }
  }
}

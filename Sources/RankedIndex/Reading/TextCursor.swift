package import RankedKeys
import SatchelBytes

/// A cursor that stands between two entries of a string tree as it is in the file, or at an end, and moves over the entries
/// on either side. `MergedTextCursor` moves over the pending texts too.
///
/// `next` and `previous` return the row of the entry that they move over, without building its text; `text` and
/// `key` then return the rest of that entry. To read a range, seek to its lower bound and call `next`, or seek to
/// its upper bound and call `previous`. A cursor must not outlive its transaction. After a flush of changes of its
/// forest, moves to other leaves throw `cursorExpired` until the next seek.
///
/// It is safe to use within its transaction: it reads only bytes of the current leaf, which are its own copy or cannot
/// change, and only within the bounds of the node.
@safe package struct TextCursor: ~Copyable {
  let forest: Forest
  let tree: TextTreeSchema
  var store: TextTreeStore
  private var generation: UInt64
  /// The current leaf. In a write transaction it is a copy, because a change may move the original.
  var page = TextPage.none
  private var copy: UnsafeMutableRawBufferPointer?
  /// The number of entries before the current leaf, and in it: 0 until a leaf is entered.
  var leafStart = 0
  var leafCount = 0
  /// The number of entries before the cursor.
  package internal(set) var rank = 0
  /// The rank of the entry that the cursor moved over last; -1 after a seek or skip.
  var passed = -1
  var reader = TextRunReader()

  init(_ forest: Forest, _ tree: TextTreeSchema, _ store: TextTreeStore) {
    self.forest = forest
    self.tree = tree
    self.store = store
    generation = store.nodes.generation
  }

  deinit {
    unsafe copy?.deallocate()
  }

  /// The number of entries of the tree.
  package var count: Int { Int(store.root.count) }

  /// Moves to a bound. One descent.
  package mutating func seek(to bound: TextBound) throws(IndexError) {
    try renew()
    guard let bytes = bound.bytes, store.root.height > 0 else {
      rank = count
      return
    }
    rank = 0
    guard !bytes.isEmpty else { return }
    rank = unsafe try store.descend(to: bytes.span.bytes, row: bound.row, &page, leafStart: &leafStart)
    hold()
  }

  /// Moves to a rank, or to the end if the rank is beyond it. Reads no node until an entry is read.
  package mutating func seek(toRank rank: Int) throws(IndexError) {
    try renew()
    self.rank = min(max(rank, 0), count)
  }

  /// Moves over `count` entries without reading them; moves back if `count` is negative. Stops at either end.
  package mutating func skip(_ count: Int) {
    let (target, isBeyond) = rank.addingReportingOverflow(count)
    rank = isBeyond ? (count < 0 ? 0 : self.count) : min(max(target, 0), self.count)
    passed = -1
  }

  /// Moves over the next entry and returns its row. Returns nil at the end.
  package mutating func next() throws(IndexError) -> UInt64? {
    if rank >= count { return nil }
    let row = try row(rank)
    rank &+= 1
    return row
  }

  /// Moves back over an entry and returns its row. Returns nil at the start.
  package mutating func previous() throws(IndexError) -> UInt64? {
    if rank <= 0 { return nil }
    let row = try row(rank &- 1)
    rank &-= 1
    return row
  }

  /// Returns the text of the entry that the cursor moved over last; nil after a seek or skip. O(1) if entries are
  /// read in order.
  package mutating func text() throws(IndexError) -> [UInt8]? {
    try key()?.text
  }

  /// Returns the entry that the cursor moved over last; nil after a seek or skip.
  package mutating func key() throws(IndexError) -> TextKey? {
    if passed < 0 { return nil }
    try enter(passed)
    do throws(TextFault) {
      return try store.key(page, at: passed &- leafStart, &reader)
    } catch {
      throw store.error(error, node: page.number)
    }
  }

  /// Puts the text of the entry that the cursor moved over last into `text`, in the memory that it has, and returns the text's group; nil
  /// after a seek or skip. It is for those who look at many texts and keep few.
  package mutating func read(text: inout [UInt8]) throws(IndexError) -> UInt64? {
    if passed < 0 { return nil }
    try enter(passed)
    do throws(TextFault) {
      return try store.read(text: &text, page, at: passed &- leafStart, &reader)
    } catch {
      throw store.error(error, node: page.number)
    }
  }

  @inline(__always)
  private mutating func row(_ rank: Int) throws(IndexError) -> UInt64 {
    try enter(rank)
    passed = rank
    store.nodes.counters.entriesRead &+= 1
    do throws(TextFault) {
      return unsafe try page.node.row(page.buffer.bytes, at: rank &- leafStart)
    } catch {
      throw store.error(error, node: page.number)
    }
  }

  /// Enters the leaf with the entry at a rank, unless it is the current leaf. The entry must exist.
  @inline(__always)
  mutating func enter(_ rank: Int) throws(IndexError) {
    let offset = rank &- leafStart
    if UInt(bitPattern: offset) >= UInt(bitPattern: leafCount) { try enterLeaf(rank) }
  }

  @inline(never)
  private mutating func enterLeaf(_ rank: Int) throws(IndexError) {
    try expectCurrent()
    try store.descend(toRank: rank, &page, leafStart: &leafStart)
    hold()
  }

  /// Throws if a flush has changed the trees since the last seek.
  @inline(__always)
  func expectCurrent() throws(IndexError) {
    if generation != store.nodes.generation { throw .cursorExpired(tree: tree.id) }
  }

  /// Makes the leaf that a descent has found the current one; copies it in a write transaction.
  private mutating func hold() {
    leafCount = page.node.keyCount
    reader.reset()
    guard forest.isWriting else { return }
    let target = unsafe copy ?? .allocate(byteCount: forest.store.limit, alignment: 16)
    unsafe copy = target
    unsafe target.copyMemory(from: page.buffer)
    page = unsafe TextPage(
      number: page.number, buffer: UnsafeRawBufferPointer(rebasing: target[0..<page.buffer.count]),
      node: page.node)
  }

  /// Adopts the tree's changes since the cursor was created or last moved by a seek.
  private mutating func renew() throws(IndexError) {
    passed = -1
    guard forest.isWriting else { return }
    store = try forest.textStore(tree)
    generation = store.nodes.generation
    leafCount = 0
  }
}

import SatchelBytes

/// A place between two entries of a string tree, and ways to move over the entries on either side.
///
/// `next` and `previous` return the row of the entry that they move over, without building its text; `group`, `text`
/// and `key` then tell the rest. A seek to the lower bound of a range is followed by `next`, one to the upper bound by
/// `previous`. A cursor must not outlive its transaction; after a change of any tree of its forest, moves to other
/// leaves throw `cursorExpired` until the next seek.
package struct TextCursor: ~Copyable {
  let forest: Forest
  let tree: TextTreeSchema
  var store: TextTreeStore
  private var generation: UInt64
  /// The leaf at hand; of a write transaction a copy, because a change may move the original.
  var page = TextPage.none
  private var copy: UnsafeMutableRawBufferPointer?
  /// The entries before that leaf, and those in it: none before the first leaf is needed.
  var leafStart = 0
  var leafCount = 0
  /// The entries before the place.
  package internal(set) var rank = 0
  /// The rank of the entry that was moved over last; -1 if a seek came after it.
  var passed = -1
  private var reader = TextRunReader()

  init(_ forest: Forest, _ tree: TextTreeSchema, _ store: TextTreeStore) {
    self.forest = forest
    self.tree = tree
    self.store = store
    generation = store.nodes.generation
  }

  deinit {
    copy?.deallocate()
  }

  /// The entries of the tree.
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
    rank = try store.descend(to: bytes.span.bytes, row: bound.row, &page, leafStart: &leafStart)
    hold()
  }

  /// Moves to the place that `rank` entries stand before; beyond the end, to the end. No work until an entry is read.
  package mutating func seek(toRank rank: Int) throws(IndexError) {
    try renew()
    self.rank = min(max(rank, 0), count)
  }

  /// Moves over `count` entries without reading them; a negative count moves back. Stops at either end.
  package mutating func skip(_ count: Int) {
    let (target, isBeyond) = rank.addingReportingOverflow(count)
    rank = isBeyond ? (count < 0 ? 0 : self.count) : min(max(target, 0), self.count)
    passed = -1
  }

  /// Moves over the next entry and returns its row; nil at the end.
  package mutating func next() throws(IndexError) -> UInt64? {
    if rank >= count { return nil }
    let row = try row(rank)
    rank &+= 1
    return row
  }

  /// Moves back over an entry and returns its row; nil at the start.
  package mutating func previous() throws(IndexError) -> UInt64? {
    if rank <= 0 { return nil }
    let row = try row(rank &- 1)
    rank &-= 1
    return row
  }

  /// The group of the entry that was moved over last; nil after a seek or skip.
  package mutating func group() throws(IndexError) -> UInt64? {
    if passed < 0 { return nil }
    try enter(passed)
    do throws(TextFault) {
      return try page.node.group(page.buffer.bytes, at: passed &- leafStart, &reader)
    } catch {
      throw store.error(error, node: page.number)
    }
  }

  /// The text of the entry that was moved over last; nil after a seek or skip. O(1) when entries are taken in order.
  package mutating func text() throws(IndexError) -> [UInt8]? {
    try key()?.text
  }

  /// The entry that was moved over last; nil after a seek or skip.
  package mutating func key() throws(IndexError) -> TextKey? {
    if passed < 0 { return nil }
    try enter(passed)
    do throws(TextFault) {
      return try store.key(page, at: passed &- leafStart, &reader)
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
      return try page.node.row(page.buffer.bytes, at: rank &- leafStart)
    } catch {
      throw store.error(error, node: page.number)
    }
  }

  /// Makes the leaf with the entry of this rank, which exists, the one at hand.
  @inline(__always)
  mutating func enter(_ rank: Int) throws(IndexError) {
    let offset = rank &- leafStart
    if UInt(bitPattern: offset) >= UInt(bitPattern: leafCount) { try enterLeaf(rank) }
  }

  @inline(never)
  private mutating func enterLeaf(_ rank: Int) throws(IndexError) {
    if generation != store.nodes.generation { throw .cursorExpired(tree: tree.id) }
    try store.descend(toRank: rank, &page, leafStart: &leafStart)
    hold()
  }

  /// Keeps the leaf that a descent has found.
  private mutating func hold() {
    leafCount = page.node.keyCount
    reader.reset()
    guard forest.isWriting else { return }
    let target = copy ?? .allocate(byteCount: forest.store.limit, alignment: 16)
    copy = target
    target.copyMemory(from: page.buffer)
    page = TextPage(
      number: page.number, buffer: UnsafeRawBufferPointer(rebasing: target[0..<page.buffer.count]),
      node: page.node)
  }

  /// Takes in changes of the tree, at a seek.
  private mutating func renew() throws(IndexError) {
    passed = -1
    guard forest.isWriting else { return }
    store = try forest.textStore(tree)
    generation = store.nodes.generation
    leafCount = 0
  }
}

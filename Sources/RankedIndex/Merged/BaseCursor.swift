internal import RankedKeys

/// What is needed of a cursor over a tree alone to move over its pending rows too.
protocol BaseCursor: ~Copyable {
  associatedtype Tree: BaseTree

  var forest: Forest { get }
  var tree: Tree { get }

  /// The number of entries before the cursor.
  var rank: Int { get }

  /// Throws if a flush has changed the trees since the last seek.
  func expectCurrent() throws(IndexError)

  /// Counts an entry that is read.
  func countEntry()

  mutating func seek(to bound: Tree.Keys.Bound) throws(IndexError)
  mutating func seek(toRank rank: Int) throws(IndexError)
  mutating func skip(_ count: Int) throws(IndexError)

  /// Moves over the next entry, and back over an entry. False is the end, or the start.
  mutating func step() throws(IndexError) -> Bool
  mutating func stepBack() throws(IndexError) -> Bool
}

extension TreeCursor: BaseCursor {
  @inline(__always)
  func countEntry() { forest.store.counters.entriesRead &+= 1 }
}

extension TextCursor: BaseCursor {
  @inline(__always)
  func countEntry() { forest.store.counters.entriesRead &+= 1 }

  /// Leaves what the last move has read as it is.
  mutating func step() -> Bool {
    guard rank < count else { return false }
    rank &+= 1
    return true
  }

  mutating func stepBack() -> Bool {
    guard rank > 0 else { return false }
    rank &-= 1
    return true
  }
}

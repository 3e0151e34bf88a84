internal import RankedKeys

/// What the algorithms over runs know of a tree: all else is the same for numeric and for string trees.
package protocol RunTree: Sendable {
  associatedtype Keys: RunKeys where Keys.Tree == Self

  var id: UInt16 { get }
  var name: String { get }
}

/// The keys of a run's rows in memory, and all else that only rows of this sort of tree have. Like `RunRows`, this is the
/// addresses and not their owner.
package protocol RunKeys: BitwiseCopyable {
  associatedtype Tree: RunTree
  /// A boundary between two keys.
  associatedtype Bound
  /// An entry of the tree, as it is selected.
  associatedtype Entry
  /// What a cursor over the tree returns of an entry.
  associatedtype Value

  /// Whether an entry is more than its key. If it is not, an entry that is removed and inserted again is what it was, and
  /// nothing is left of both changes.
  static var havePayload: Bool { get }

  /// Returns the bytes that the keys of so many rows take, without those that `textBytes` counts.
  static func byteCount(_ tree: Tree, _ rows: Int) -> Int

  /// - Parameters:
  ///   - base: Memory for the keys, at a multiple of eight bytes.
  ///   - capacity: The number of rows that it has room for.
  init(_ tree: Tree, at base: UnsafeMutableRawPointer, capacity: Int)

  /// Makes them the keys of no rows, in memory that is new.
  func clear()

  /// Returns the bytes of the texts of the first rows. O(1).
  func textBytes(_ count: Int) -> Int

  /// Whether a row's key is before a bound.
  func isBefore(_ row: Int, _ bound: Bound) -> Bool

  /// Compares the keys of two runs' rows. The result is negative, 0 or positive.
  func compare(_ row: Int, _ other: Self, _ otherRow: Int) -> Int

  /// Returns the bounds beside a row's key.
  func bounds(_ row: Int) -> (before: Bound, after: Bound)

  func entry(_ row: Int) -> Entry

  func value(_ row: Int) -> Value

  /// Returns the key as an error names it.
  func words(_ row: Int) -> [UInt64]

  /// Copies the keys of a stretch of another run's rows behind the first `count` rows of this one, for which there must be
  /// room.
  func copy(_ other: Self, _ range: Range<Int>, behind count: Int)
}

extension IndexError {
  /// The error for a row, or a change, that contradicts the tree or another change.
  static func outOfStep(_ tree: some RunTree, key: [UInt64], _ what: String) -> IndexError {
    .outOfStep(tree: tree.id, key: key, what: "\(what) in \(tree.name)")
  }

  static func outOfStep(_ tree: TreeSchema, _ row: Words, _ what: String) -> IndexError {
    .outOfStep(tree, key: (0..<tree.keyColumns).map { row[$0] }, what)
  }
}

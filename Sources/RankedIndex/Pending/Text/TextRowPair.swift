internal import RankedKeys
import SatchelBytes

/// The addresses of both runs of pending texts, which `PendingTexts` owns; with the searches of `RunPair`.
struct TextRowPair {
  let large: TextRows
  let small: TextRows

  /// The place after all rows.
  var end: RunPlace { RunPlace(large: large.count, small: small.count) }

  /// Returns the numbers of rows of each run before a bound.
  func place(of bound: TextBound) -> RunPlace {
    guard let bytes = bound.bytes else { return end }
    return unsafe place(of: bytes.span.bytes, bound.row)
  }

  /// Returns the numbers of rows of each run before a key. The small rows beside the key narrow the search in the large
  /// run.
  func place(of bytes: borrowing RawSpan, _ row: UInt64) -> RunPlace {
    let index = small.position(of: bytes, row, in: 0..<small.count)
    let low = index > 0 ? small.place(index &- 1) : 0
    let high = index < small.count ? small.place(index) : large.count
    return RunPlace(large: large.position(of: bytes, row, in: low..<high), small: index)
  }

  /// Returns by how many the rows before a place change the number of entries.
  @inline(__always)
  func net(before place: RunPlace) -> Int { large.net(place.large) &+ small.net(place.small) }

  /// Returns the number of rows of the large run up to a small row's key, including that key.
  @inline(__always)
  func after(_ smallRow: Int) -> Int {
    small.place(smallRow) &+ (small.isOverLarge(smallRow) ? 1 : 0)
  }

  /// Whether the tree, without any pending row, holds the key of a small row. A small row is about the tree with the
  /// large run, and takes back a large row of its key: then the tree holds what the small row inserts.
  @inline(__always)
  func treeHolds(smallRow: Int) -> Bool {
    small.isOverLarge(smallRow) == small.isInsertion(smallRow)
  }
}

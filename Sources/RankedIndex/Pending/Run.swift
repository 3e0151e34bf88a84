/// A sorted run of pending rows, which versions of `Runs` share. `RunRows` reads it.
///
/// It is no generic type, so that nothing has to be looked up when a run is freed.
@safe
final class Run: Sendable {
  /// Sendable because nothing changes once the run is shared but ranks, which are atomic; safe because of that, too.
  @safe nonisolated(unsafe) let base: UnsafeMutableRawPointer
  /// The number of rows that there is room for.
  let capacity: Int
  @safe nonisolated(unsafe) fileprivate(set) var count = 0

  fileprivate init(byteCount: Int, capacity: Int) {
    base = .allocate(byteCount: byteCount, alignment: 8)
    self.capacity = capacity
  }

  /// A run without rows, of any tree.
  static let empty: Run = {
    let run = Run(byteCount: 16, capacity: 0)
    unsafe run.base.initializeMemory(as: UInt8.self, repeating: 0, count: 16)
    return run
  }()

  deinit {
    unsafe base.deallocate()
  }
}

/// A run that is being made.
struct RunBuilder<Tree: RunTree> {
  private let run: Run
  var rows: RunRows<Tree>

  /// - Parameters:
  ///   - capacity: The most rows that there will be.
  ///   - textBytes: The most bytes of their texts.
  init(_ tree: Tree, capacity: Int, textBytes: Int) {
    run = Run(
      byteCount: RunRows<Tree>.byteCount(tree, capacity: capacity, textBytes: textBytes), capacity: capacity)
    rows = RunRows(tree, run)
    rows.clear()
  }

  /// Returns the run. Nothing is added to it any more. Where most of many changes have come to nothing, it is one of the
  /// rows' size.
  func build(_ tree: Tree) -> Run {
    run.count = rows.count
    guard run.capacity > 1024, rows.count < run.capacity / 2 else { return run }
    var fitting = RunBuilder(tree, capacity: rows.count, textBytes: rows.textBytes)
    fitting.rows.append(rows, 0..<rows.count)
    return fitting.build(tree)
  }
}

extension RunRows {
  /// Returns this small run with the changes of a commit. One pass: what lies between two keys is copied as it is, and
  /// only the changes' own places in the large run are looked for. O(rows + changes x log(large run)).
  /// - Throws: `outOfStep` if a change contradicts what is known of its key: from either run, or from a change before;
  ///   `overflow` if the texts of all are more than 4 GiB.
  @inline(__always)
  func adding<Changes: SortedChanges>(
    _ changes: Changes, over large: RunRows, _ tree: Tree
  ) throws(IndexError) -> Run where Changes.Tree == Tree {
    // Sums of signs, places and the ends of texts are kept in 32 bits.
    guard large.count + count + changes.count <= Int(Int32.max),
      large.textBytes + textBytes + changes.textBytes <= Int(UInt32.max)
    else { throw .overflow(tree: tree.id) }
    let most = count + changes.count
    var builder = RunBuilder(
      tree, capacity: count == 0 ? most : Self.usualCapacity(most), textBytes: textBytes + changes.textBytes)
    // With many changes, the next one belongs near the one before.
    let isDense = changes.count > large.count / 32
    var from = 0
    var place = 0
    var index = 0
    while index < changes.count {
      let first = index
      let position = position(of: first, changes, in: from..<count, isDense)
      if position > from { builder.rows.append(self, from..<position) }
      from = position
      var kind: ChangeKind?
      var isPresent: Bool?
      var rank = Self.unknownRank
      let isOverLarge: Bool
      if position < count, changes.compare(position, of: keys, with: first) == 0 {
        from += 1
        place = self.place(position)
        isOverLarge = self.isOverLarge(position)
        rank = knownRank(position)
        kind = self.kind(position)
        isPresent = kind != .remove
      } else {
        // The neighbours in the small run narrow the search in the large one.
        let low = max(place, position > 0 ? self.place(position - 1) : 0)
        let high = position < count ? self.place(position) : large.count
        place = large.position(of: first, changes, in: low..<high, isDense)
        isOverLarge = place < large.count && changes.compare(place, of: large.keys, with: first) == 0
        if isOverLarge {
          rank = large.knownRank(place)
          isPresent = large.kind(place) != .remove
        }
      }
      repeat {
        let next = changes.kind(index)
        if let isPresent, isPresent == (next == .insert) {
          throw .outOfStep(tree, key: changes.words(index), next.contradiction)
        }
        isPresent = next != .remove
        if let earlier = kind {
          kind = next.folded(onto: earlier, havePayload: Tree.Keys.havePayload)
        } else {
          kind = next
        }
        index += 1
      } while index < changes.count && changes.haveSameKey(first, index)
      guard let kind else { continue }
      changes.append(index - 1, to: builder.rows.keys, behind: builder.rows.count)
      builder.rows.append(kind, rank: rank, place: place, isOverLarge: isOverLarge)
    }
    builder.rows.append(self, from..<count)
    return builder.build(tree)
  }

  /// Returns the number of rows before a change's key, which is known to lie in `range`.
  @inline(__always)
  private func position<Changes: SortedChanges>(
    of change: Int, _ changes: Changes, in range: Range<Int>, _ isNear: Bool
  ) -> Int where Changes.Tree == Tree {
    isNear
      ? positionNear(in: range) { changes.compare($0, of: keys, with: change) < 0 }
      : position(in: range) { changes.compare($0, of: keys, with: change) < 0 }
  }

  /// Each commit makes a run and frees one that is a little shorter. With few sizes, that one's memory is fit for the next.
  private static func usualCapacity(_ rows: Int) -> Int { (rows + 31) & ~31 }

  /// Returns this large run with a small one merged into it. No key is compared: each small row knows its place. O(rows of
  /// both), most of it copying.
  func promoting(_ small: RunRows, _ tree: Tree) -> Run {
    var builder = RunBuilder(tree, capacity: count + small.count, textBytes: textBytes + small.textBytes)
    var from = 0
    for index in 0..<small.count {
      let place = small.place(index)
      builder.rows.append(self, from..<place)
      from = place
      var kind = small.kind(index)
      if small.isOverLarge(index) {
        from += 1
        guard let folded = kind.folded(onto: self.kind(place), havePayload: Tree.Keys.havePayload)
        else { continue }
        kind = folded
      }
      builder.rows.keys.copy(small.keys, index..<index + 1, behind: builder.rows.count)
      builder.rows.append(kind, rank: small.knownRank(index))
    }
    builder.rows.append(self, from..<count)
    return builder.build(tree)
  }
}

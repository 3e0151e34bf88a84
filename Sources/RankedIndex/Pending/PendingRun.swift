internal import RankedKeys

/// A sorted run of pending rows, which versions of `PendingRuns` share.
final class PendingRun: Sendable {
  /// Sendable because nothing changes after `init` but ranks, which are atomic; safe because of that, too.
  @safe nonisolated(unsafe) let rows: RunRows

  init(_ tree: TreeSchema) {
    rows = RunRows(capacity: 0, tree: tree)
  }

  init(owning rows: RunRows) {
    self.rows = rows
  }

  deinit {
    rows.deallocate()
  }

  /// Returns the small run with the changes of a commit, which must be sorted by key and, for one key, by arrival. One
  /// pass: what lies between two keys is copied as it is, and only the changes' own places in the large run are looked
  /// for. O(rows + changes x log(large run)).
  /// - Throws: `outOfStep` if a change contradicts what is known of its key: from either run, or from a change before.
  func adding(
    _ operations: [Operation], over large: PendingRun, _ tree: TreeSchema
  ) throws(IndexError) -> PendingRun {
    let small = rows
    let large = large.rows
    var builder = RunBuilder(capacity: Self.capacity(small.count + operations.count), tree)
    // With many changes, the next one belongs near the one before.
    let isDense = operations.count > large.count / 32
    var from = 0
    var place = 0
    var index = 0
    while index < operations.count {
      var operation = operations[index]
      let key = operation.row
      let bound = Bound.before(key, columns: tree.keyColumns)
      let position =
        isDense
        ? small.positionNear(of: bound, in: from..<small.count)
        : small.position(of: bound, in: from..<small.count)
      builder.rows.append(small, from..<position)
      from = position
      var kind: Operation.Kind?
      var isPresent: Bool?
      var rank = RunRows.unknownRank
      let isOverLarge: Bool
      if position < small.count, small.hasKey(position, key) {
        from += 1
        place = small.place(position)
        isOverLarge = small.isOverLarge(position)
        rank = small.knownRank(position)
        kind = small.kind(position)
        isPresent = small.kind(position) != .remove
      } else {
        // The neighbours in the small run narrow the search in the large one.
        let low = max(place, position > 0 ? small.place(position - 1) : 0)
        let high = position < small.count ? small.place(position) : large.count
        place =
          isDense
          ? large.positionNear(of: bound, in: low..<high) : large.position(of: bound, in: low..<high)
        isOverLarge = place < large.count && large.hasKey(place, key)
        if isOverLarge {
          rank = large.knownRank(place)
          isPresent = large.kind(place) != .remove
        }
      }
      while true {
        if let isPresent, isPresent == (operation.kind == .insert) { throw operation.contradiction(tree) }
        isPresent = operation.kind != .remove
        if let earlier = kind { kind = operation.kind.folded(onto: earlier) } else { kind = operation.kind }
        index += 1
        guard index < operations.count, operations[index].row.compare(key, columns: tree.keyColumns) == 0
        else { break }
        operation = operations[index]
      }
      guard let kind else { continue }
      builder.rows.append(kind, operation.row, rank: rank, place: place, isOverLarge: isOverLarge)
    }
    builder.rows.append(small, from..<small.count)
    return PendingRun(owning: builder.take())
  }

  /// Each commit makes a run and frees one that is a little shorter. With few sizes, that one's memory is fit for the next.
  private static func capacity(_ rows: Int) -> Int { (rows + 31) & ~31 }

  /// Returns this large run with a small one merged into it, after which the small one is empty. No key is compared:
  /// each small row knows its place. O(rows of both), most of it copying.
  func promoting(_ run: PendingRun, _ tree: TreeSchema) -> PendingRun {
    let small = run.rows
    guard small.count > 0 else { return self }
    // All places are 0, which is what the rows of a large run have.
    guard rows.count > 0 else { return run }
    var builder = RunBuilder(capacity: rows.count + small.count, tree)
    var from = 0
    for index in 0..<small.count {
      let place = small.place(index)
      builder.rows.append(rows, from..<place)
      from = place
      var kind = small.kind(index)
      if small.isOverLarge(index) {
        from += 1
        guard let folded = kind.folded(onto: rows.kind(place)) else { continue }
        kind = folded
      }
      builder.rows.append(kind, small.row(index), rank: small.knownRank(index))
    }
    builder.rows.append(rows, from..<rows.count)
    return PendingRun(owning: builder.take())
  }
}

/// A run that is being made. It frees its rows if making it fails.
struct RunBuilder: ~Copyable {
  var rows: RunRows

  init(capacity: Int, _ tree: TreeSchema) {
    rows = RunRows(capacity: capacity, tree: tree)
  }

  /// Gives the rows to an owner that frees them.
  consuming func take() -> RunRows {
    let rows = rows
    discard self
    return rows
  }

  deinit {
    rows.deallocate()
  }
}

extension Operation.Kind {
  /// Combines this change with a pending one of the same key that came before it and that it does not contradict.
  /// Returns nil if nothing is left of both: an entry that was inserted and then removed. Otherwise the earlier kind
  /// tells whether what lies below, the tree or the tree with the large run, holds the key, and the result says the
  /// same: an insert stays an insert until the rows are in the tree, and what is removed and inserted again is replaced.
  func folded(onto earlier: Self) -> Self? {
    switch (earlier, self) {
    case (.insert, .remove): nil
    case (.insert, _): .insert
    case (_, .remove): .remove
    default: .replace
    }
  }
}

extension Operation {
  /// The error for a change that contradicts what is pending.
  func contradiction(_ tree: TreeSchema) -> IndexError {
    switch kind {
    case .insert: IndexError.outOfStep(tree, row, "inserted twice")
    case .remove: IndexError.outOfStep(tree, row, "removed twice")
    case .replace: IndexError.outOfStep(tree, row, "replaced after it was removed")
    }
  }
}

import RankedIndex
import RankedKeys
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelReading

extension IndexedResult {
  /// Returns how a batch changes the ranks of results. The old ranks follow from the new ones and from the entries that
  /// were removed and added: no row is held.
  /// For runs of a declared index it is a reset, because the log does not say what was removed from them.
  /// - Parameter showing: The results with which something comes that the batch has changed.
  /// - Complexity: O(k log n) for k changed objects.
  func ranks(
    after batch: CommitBatch, totalBefore: Int, _ kind: ObjectKind, _ showing: ResultsShowing
  ) throws -> RankDelta {
    let total = try total(in: batch.snapshot)
    var delta = RankDelta(totalBefore: totalBefore, totalAfter: total)
    guard case .words(let tree, let ranges) = runs else {
      delta.isReset = true
      return delta
    }
    func holds(_ row: Words) -> Bool { ranges.contains { $0.contains(row) } }
    func rank(of row: Words) throws -> Int {
      try Self.rank(of: row, in: ranges, of: tree, batch.snapshot)
    }
    var objects: [(reference: RowReference, before: Words?, after: Words?)] = []
    for reference in showing.joined(to: batch.touched(kind)) {
      let rows = try IndexRows.rows(of: reference, kind, in: tree, batch)
      let before = rows.before.first(where: holds)
      let after = rows.after.first(where: holds)
      if before != nil || after != nil { objects.append((reference, before, after)) }
    }
    let columns = tree.keyColumns
    let gone = objects.compactMap(\.before).sorted { $0.compare($1, columns: columns) < 0 }
    let come = objects.compactMap(\.after).sorted { $0.compare($1, columns: columns) < 0 }
    for object in objects {
      let before = try object.before.map { row in
        let ascending =
          try rank(of: row) - come.rank(of: row, columns) + gone.rank(of: row, columns)
        return isDescending ? totalBefore - 1 - ascending : ascending
      }
      let after = try object.after.map { row in
        let ascending = try rank(of: row)
        return isDescending ? total - 1 - ascending : ascending
      }
      delta.entries[object.reference] = RankDelta.Entry(before: before, after: after, isChanged: true)
    }
    return delta
  }

  private var isDescending: Bool { plan.path.ordering == .index(descending: true) }

  /// Returns how many entries of the runs come before an entry, in ascending order.
  private static func rank(
    of row: Words, in ranges: [KeyRange], of tree: TreeSchema, _ snapshot: Snapshot
  ) throws -> Int {
    var rank = 0
    for range in ranges {
      let end = Bound.before(row, columns: tree.keyColumns)
      guard !range.lower.isPast(row) else { break }
      if range.contains(row) {
        return rank + (try snapshot.forest.count(tree, in: KeyRange(lower: range.lower, upper: end)))
      }
      rank += try snapshot.forest.count(tree, in: range)
    }
    return rank
  }

  /// Returns whether both have the same runs of the same index in the same direction.
  func hasSameRuns(as other: IndexedResult) -> Bool {
    runs == other.runs && plan.path.ordering == other.plan.path.ordering
  }
}

extension [Words] {
  /// Returns how many entries of an ascending list come before an entry.
  fileprivate func rank(of row: Words, _ columns: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].compare(row, columns: columns) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

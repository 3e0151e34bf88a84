internal import RankedKeys

extension MergedTree {
  /// Checks the pending rows by themselves and against the tree: the order of their keys, what they keep of each other
  /// (sums of signs, places) and of the tree (ranks), and whether the tree holds what they replace or remove and does
  /// not hold what they insert. Each fault goes to `report`. Two descents a row. Does not check the tree itself, which
  /// `Forest.verify` does.
  /// - Throws: The tree's errors.
  package func verify(report: (IndexError) -> Void) throws(IndexError) {
    guard let runs else { return }
    defer { withExtendedLifetime(runs) {} }
    try verify(runs.large.rows, under: nil, report)
    try verify(runs.small.rows, under: runs.large.rows, report)
  }

  /// - Parameter large: The large run if these rows are the small one's.
  private func verify(
    _ rows: RunRows, under large: RunRows?, _ report: (IndexError) -> Void
  ) throws(IndexError) {
    var net = 0
    for index in 0..<rows.count {
      let row = rows.row(index)
      func fault(_ what: String) { report(IndexError.outOfStep(tree, row, what)) }
      if index > 0, rows.row(index - 1).compare(row, columns: tree.keyColumns) >= 0 {
        fault("pending out of order")
      }
      if rows.net(index) != net { fault("pending with the wrong sum of signs") }
      net += rows.kind(index).sign
      let before = Bound.before(row, columns: tree.keyColumns)
      let rank = try forest.baseRank(tree, of: before)
      var isPresent = try forest.baseRank(tree, of: .after(row, columns: tree.keyColumns)) > rank
      if let large {
        let place = large.position(of: before)
        let isOverLarge = place < large.count && large.hasKey(place, row)
        if rows.place(index) != place || rows.isOverLarge(index) != isOverLarge {
          fault("pending with the wrong place in the large run")
        }
        if isOverLarge { isPresent = large.kind(place) != .remove }
      }
      let known = rows.knownRank(index)
      if known != RunRows.unknownRank, Int(known) != rank {
        fault("pending with the wrong rank \(known) instead of \(rank)")
      }
      if isPresent != (rows.kind(index) != .insert) {
        fault(isPresent ? "inserted but present" : "changed but absent")
      }
    }
    if rows.net(rows.count) != net {
      report(.outOfStep(tree: tree.id, key: [], what: "wrong sum of signs of a run in \(tree.name)"))
    }
  }
}

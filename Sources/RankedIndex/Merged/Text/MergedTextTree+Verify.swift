internal import RankedKeys

extension MergedTextTree {
  /// Checks the pending texts by themselves and against the tree: the order of their keys, what they keep of each other
  /// (sums of signs, places) and of the tree (ranks), and whether the tree holds what they remove and does not hold what
  /// they insert. Each fault goes to `report`. Two descents a row. Does not check the tree itself, which `Forest.verify`
  /// does.
  /// - Throws: The tree's errors.
  package func verify(report: (IndexError) -> Void) throws(IndexError) {
    guard let runs else { return }
    defer { withExtendedLifetime(runs) {} }
    try verify(runs.large.rows, under: nil, report)
    try verify(runs.small.rows, under: runs.large.rows, report)
  }

  /// - Parameter large: The large run if these rows are the small one's.
  private func verify(
    _ rows: TextRows, under large: TextRows?, _ report: (IndexError) -> Void
  ) throws(IndexError) {
    var net = 0
    var last: TextKey?
    for index in 0..<rows.count {
      let key = rows.key(index)
      func fault(_ what: String) { report(PendingTexts.outOfStep(tree, rows, index, what)) }
      if let last, last >= key { fault("pending out of order") }
      last = key
      if rows.net(index) != net { fault("pending with the wrong sum of signs") }
      net += rows.isInsertion(index) ? 1 : -1
      let rank = try forest.baseRank(tree, of: .before(key))
      var isPresent = try forest.baseRank(tree, of: .after(key)) > rank
      if let large {
        let place = unsafe large.position(of: rows.bytes(index).bytes, key.row, in: 0..<large.count)
        let isOverLarge = place < large.count && large.key(place) == key
        if rows.place(index) != place || rows.isOverLarge(index) != isOverLarge {
          fault("pending with the wrong place in the large run")
        }
        if isOverLarge { isPresent = large.isInsertion(place) }
      }
      let known = rows.knownRank(index)
      if known != RunRows.unknownRank, Int(known) != rank {
        fault("pending with the wrong rank \(known) instead of \(rank)")
      }
      if isPresent == rows.isInsertion(index) {
        fault(isPresent ? "inserted but present" : "removed but absent")
      }
    }
    if rows.net(rows.count) != net {
      report(.outOfStep(tree: tree.id, key: [], what: "wrong sum of signs of a run in \(tree.name)"))
    }
  }
}

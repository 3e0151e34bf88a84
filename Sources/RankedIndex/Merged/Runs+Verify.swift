extension Runs where Tree: BaseTree {
  /// Checks the pending rows by themselves and against the tree: the order of their keys, what they keep of each other
  /// (sums of signs, places) and of the tree (ranks), and whether the tree holds what they replace or remove and does
  /// not hold what they insert. Each fault goes to `report`. Two descents a row. Does not check the tree itself, which
  /// `Forest.verify` does.
  /// - Throws: The tree's errors.
  func verify(in forest: Forest, report: (IndexError) -> Void) throws(IndexError) {
    defer { withExtendedLifetime(self) {} }
    try verify(large, under: nil, forest, report)
    try verify(small, under: large, forest, report)
  }

  /// - Parameter large: The large run if these rows are the small one's.
  private func verify(
    _ rows: RunRows<Tree>, under large: RunRows<Tree>?, _ forest: Forest, _ report: (IndexError) -> Void
  ) throws(IndexError) {
    var net = 0
    for index in 0..<rows.count {
      func fault(_ what: String) { report(.outOfStep(tree, key: rows.keys.words(index), what)) }
      let bounds = rows.keys.bounds(index)
      if index > 0, !rows.keys.isBefore(index - 1, bounds.before) { fault("pending out of order") }
      if rows.net(index) != net { fault("pending with the wrong sum of signs") }
      net += rows.kind(index).sign
      let rank = try tree.baseRank(of: bounds.before, in: forest)
      var isPresent = try tree.baseRank(of: bounds.after, in: forest) > rank
      if let large {
        let row = large.row(between: bounds)
        if rows.place(index) != large.position(of: bounds.before) || rows.isOverLarge(index) != (row != nil) {
          fault("pending with the wrong place in the large run")
        }
        if let row { isPresent = large.kind(row) != .remove }
      }
      let known = rows.knownRank(index)
      if known != RunRows<Tree>.unknownRank, Int(known) != rank {
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

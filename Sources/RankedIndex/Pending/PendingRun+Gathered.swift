internal import RankedKeys

extension PendingRuns {
  /// Returns the pending rows with the changes of many commits.
  /// - Throws: `outOfStep` if a change contradicts a pending row, or another change.
  package func adding(_ changes: GatheredRows) throws(IndexError) -> PendingRuns {
    // Sums of signs and places are kept in 32 bits.
    guard count + changes.count <= Int(Int32.max) else { throw .overflow(tree: tree.id) }
    let order = changes.order()
    guard isEmpty else {
      return try adding(
        (0..<changes.count).map { changes.operation(order.isEmpty ? $0 : Int(order[$0]), order: $0) })
    }
    let run = try PendingRun(changes, order)
    return run.rows.count > Self.smallRunBound(tree)
      ? PendingRuns(tree, large: run, small: PendingRun(tree))
      : PendingRuns(tree, large: PendingRun(tree), small: run)
  }
}

extension PendingRun {
  /// Makes a run of changes alone, with nothing pending below them: no key has to be looked for.
  /// - Parameter order: The indices of the changes in the order of their keys; empty if that is how they came.
  /// - Throws: `outOfStep` if a change contradicts one before.
  fileprivate convenience init(_ changes: GatheredRows, _ order: [UInt32]) throws(IndexError) {
    var capacity = changes.count
    if !changes.areInsertions {
      // Much may come to nothing: the run is to take no more memory than its rows.
      capacity = 0
      try changes.forEachKey(order) { _, _ in capacity += 1 }
    }
    var builder = RunBuilder(capacity: capacity, changes.tree)
    try changes.forEachKey(order) { kind, last in unsafe builder.rows.append(kind, changes.row(last)) }
    self.init(owning: builder.take())
  }
}

extension GatheredRows {
  /// Calls a closure for each key of which something is left: with the kind of change that all changes of the key come to,
  /// and the index of the last one.
  /// - Throws: `outOfStep` if a change contradicts one before.
  @inline(__always)
  fileprivate func forEachKey(
    _ order: [UInt32], _ body: (Operation.Kind, Int) -> Void
  ) throws(IndexError) {
    var position = 0
    while position < count {
      let first = order.isEmpty ? position : Int(order[position])
      var last = first
      var kind: Operation.Kind? = kind(first)
      var isPresent = kind != .remove
      position &+= 1
      while position < count {
        let next = order.isEmpty ? position : Int(order[position])
        guard haveSameKey(first, next) else { break }
        let later = self.kind(next)
        if isPresent == (later == .insert) { throw operation(next, order: 0).contradiction(tree) }
        isPresent = later != .remove
        if let earlier = kind { kind = later.folded(onto: earlier) } else { kind = later }
        last = next
        position &+= 1
      }
      if let kind { body(kind, last) }
    }
  }
}

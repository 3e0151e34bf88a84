package import RankedKeys

extension MergedTextCursor {
  /// Appends the rows of the next entries before `bound`, at most `limit`. Returns false if there were fewer than
  /// `limit`.
  package mutating func read(
    into rows: inout [UInt64], upTo bound: TextBound = .end, limit: Int
  ) throws(IndexError) -> Bool {
    guard let runs else { return try base.read(into: &rows, upTo: bound, limit: limit) }
    let end = runs.place(of: bound)
    var rest = limit
    while rest > 0 {
      switch try piece(upTo: end, limit: rest, runs) {
      case .tree(let count):
        // These come before a pending row before the bound, so that the tree need not look for the bound.
        guard try base.read(into: &rows, limit: count) else { throw missing() }
        passed = .tree(base.passed)
        rest &-= count
      case .large(let index):
        passed = .large(index)
        rows.append(runs.large.row(index))
        rest &-= 1
      case .small(let index):
        passed = .small(index)
        rows.append(runs.small.row(index))
        rest &-= 1
      case .rest:
        let first = rows.count
        let isFull = try base.read(into: &rows, upTo: bound, limit: rest)
        if rows.count > first { passed = .tree(base.passed) }
        return isFull
      }
    }
    return true
  }

  /// Appends the rows of the entries between `bound` and the cursor, those nearest the cursor first, at most `limit`.
  /// Returns false if there were fewer than `limit`.
  package mutating func readBack(
    into rows: inout [UInt64], downTo bound: TextBound = .start, limit: Int
  ) throws(IndexError) -> Bool {
    guard let runs else { return try base.readBack(into: &rows, downTo: bound, limit: limit) }
    let start = runs.place(of: bound)
    var rest = limit
    while rest > 0 {
      switch try piece(downTo: start, limit: rest, runs) {
      case .tree(let count):
        guard try base.readBack(into: &rows, limit: count) else { throw missing() }
        passed = .tree(base.passed)
        rest &-= count
      case .large(let index):
        passed = .large(index)
        rows.append(runs.large.row(index))
        rest &-= 1
      case .small(let index):
        passed = .small(index)
        rows.append(runs.small.row(index))
        rest &-= 1
      case .rest:
        let first = rows.count
        let isFull = try base.readBack(into: &rows, downTo: bound, limit: rest)
        if rows.count > first { passed = .tree(base.passed) }
        return isFull
      }
    }
    return true
  }
}

package import RankedKeys

extension MergedCursor {
  /// Appends the next entries before `bound` to `rows`, at most `limit`. Returns false if there were fewer than
  /// `limit`.
  package mutating func read(
    into rows: inout [Words], upTo bound: Bound = .end, limit: Int
  ) throws(IndexError) -> Bool {
    guard let runs else { return try base.read(into: &rows, upTo: bound, limit: limit) }
    let end = runs.place(of: bound)
    var rest = limit
    while rest > 0 {
      switch try piece(upTo: end, limit: rest, runs) {
      case .tree(let count):
        // These come before a pending row before the bound, so that the tree need not look for the bound.
        guard try base.read(into: &rows, limit: count) else { throw missing() }
        rest &-= count
      case .large(let row):
        rows.append(runs.large.row(row))
        rest &-= 1
      case .small(let row):
        rows.append(runs.small.row(row))
        rest &-= 1
      case .rest:
        return try base.read(into: &rows, upTo: bound, limit: rest)
      }
    }
    return true
  }

  /// Appends the entries between `bound` and the cursor to `rows`, those nearest the cursor first, at most `limit`.
  /// Returns false if there were fewer than `limit`.
  package mutating func readBack(
    into rows: inout [Words], downTo bound: Bound = .start, limit: Int
  ) throws(IndexError) -> Bool {
    guard let runs else { return try base.readBack(into: &rows, downTo: bound, limit: limit) }
    let start = runs.place(of: bound)
    var rest = limit
    while rest > 0 {
      switch try piece(downTo: start, limit: rest, runs) {
      case .tree(let count):
        guard try base.readBack(into: &rows, limit: count) else { throw missing() }
        rest &-= count
      case .large(let row):
        rows.append(runs.large.row(row))
        rest &-= 1
      case .small(let row):
        rows.append(runs.small.row(row))
        rest &-= 1
      case .rest:
        return try base.readBack(into: &rows, downTo: bound, limit: rest)
      }
    }
    return true
  }

  /// Reads a single column like `read(into:upTo:limit:)`.
  package mutating func read(
    column: Int, into values: inout [UInt64], upTo bound: Bound = .end, limit: Int
  ) throws(IndexError) -> Bool {
    guard let runs else { return try base.read(column: column, into: &values, upTo: bound, limit: limit) }
    precondition(column >= 0 && column < base.tree.columns)
    let end = runs.place(of: bound)
    var rest = limit
    while rest > 0 {
      switch try piece(upTo: end, limit: rest, runs) {
      case .tree(let count):
        guard try base.read(column: column, into: &values, limit: count) else { throw missing() }
        rest &-= count
      case .large(let row):
        values.append(runs.large.word(row, column))
        rest &-= 1
      case .small(let row):
        values.append(runs.small.word(row, column))
        rest &-= 1
      case .rest:
        return try base.read(column: column, into: &values, upTo: bound, limit: rest)
      }
    }
    return true
  }

  /// Reads a single column like `readBack(into:downTo:limit:)`.
  package mutating func readBack(
    column: Int, into values: inout [UInt64], downTo bound: Bound = .start, limit: Int
  ) throws(IndexError) -> Bool {
    guard let runs else {
      return try base.readBack(column: column, into: &values, downTo: bound, limit: limit)
    }
    precondition(column >= 0 && column < base.tree.columns)
    let start = runs.place(of: bound)
    var rest = limit
    while rest > 0 {
      switch try piece(downTo: start, limit: rest, runs) {
      case .tree(let count):
        guard try base.readBack(column: column, into: &values, limit: count) else { throw missing() }
        rest &-= count
      case .large(let row):
        values.append(runs.large.word(row, column))
        rest &-= 1
      case .small(let row):
        values.append(runs.small.word(row, column))
        rest &-= 1
      case .rest:
        return try base.readBack(column: column, into: &values, downTo: bound, limit: rest)
      }
    }
    return true
  }
}

import SatchelPlanning

/// Gives the rows of an access path that meet its residual condition: what its source does not ensure.
struct RowFilter {
  private let source: RowSource
  private let evaluator: ConditionEvaluator

  init(_ source: RowSource) {
    self.source = source
    evaluator = ConditionEvaluator(
      source.path.residual, of: source.kind, on: source.path.index, in: source.snapshot)
  }

  /// Calls `body` with each row until it returns false, in the path's order if it has one.
  /// - Parameters: As of `RowSource.forEach`.
  func forEach(
    skipping skip: Int = 0, from cut: ScanCut? = nil, atMost limit: Int? = nil,
    _ body: (inout RowContext) throws -> Bool
  ) throws {
    try source.forEach(skipping: skip, from: cut, atMost: limit) { row in
      guard try evaluator.matches(&row) else { return true }
      return try body(&row)
    }
  }

  /// Returns the rows in creation order.
  func sortedRows() throws -> [RowReference] {
    var rows: [RowReference] = []
    try forEach { row in
      rows.append(row.reference)
      return true
    }
    rows.sort()
    return rows
  }
}

internal import RankedKeys

extension PendingRuns {
  /// Buffers all rows in a writing forest, whose tree must be in the state that they belong to. Its next flush merges
  /// them leaf by leaf, and throws `outOfStep` if the tree does not agree with a row.
  package func write(into forest: Forest) {
    let buffer = forest.pending.rows(tree)
    let operations = operations()
    buffer.reserve(operations.count)
    for operation in operations { buffer.append(operation.kind, operation.row) }
  }
}

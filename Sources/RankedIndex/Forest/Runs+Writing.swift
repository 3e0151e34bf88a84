internal import RankedKeys

extension Runs<TreeSchema> {
  /// Buffers all rows in a writing forest, whose tree must be in the state that they belong to. Its next flush merges
  /// them leaf by leaf, and throws `outOfStep` if the tree does not agree with a row.
  package func write(into forest: Forest) {
    let buffer = forest.pending.rows(tree)
    for operation in operations() { buffer.append(operation.kind, operation.row) }
  }
}

extension Runs<TextTreeSchema> {
  /// Buffers all rows in a writing forest, as those of a numeric tree.
  package func write(into forest: Forest) {
    let buffer = forest.pending.texts(tree)
    for change in textChanges { buffer.append(change.key, isInsertion: change.kind == .insert) }
  }
}

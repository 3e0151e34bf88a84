internal import RankedKeys

extension PendingTexts {
  /// Buffers all rows in a writing forest, whose tree must be in the state that they belong to. Its next flush merges
  /// them leaf by leaf, and throws `outOfStep` if the tree does not agree with a row.
  package func write(into forest: Forest) {
    let run = large.promoting(small)
    defer { withExtendedLifetime(run) {} }
    for index in 0..<run.rows.count {
      let key = run.rows.key(index)
      if run.rows.isInsertion(index) { forest.insert(tree, key) } else { forest.remove(tree, key) }
    }
  }
}

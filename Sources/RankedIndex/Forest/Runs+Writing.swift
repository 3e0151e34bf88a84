internal import RankedKeys

extension Runs<TreeSchema> {
  /// Buffers all rows in a writing forest, whose tree must be in the state that they belong to. Its next flush merges
  /// them leaf by leaf, and throws `outOfStep` if the tree does not agree with a row.
  package func write(into forest: Forest) {
    let changes = ChangeRun(tree, whole)
    defer { withExtendedLifetime(changes) {} }
    for index in 0..<changes.count {
      let row = changes.rows.keys.value(index)
      forest.pending.rows(tree).buffer.add { $0.append(changes.kind(index), row) }
    }
  }
}

extension Runs<TextTreeSchema> {
  /// Buffers all rows in a writing forest, as those of a numeric tree.
  package func write(into forest: Forest) {
    let changes = ChangeRun(tree, whole)
    defer { withExtendedLifetime(changes) {} }
    for index in 0..<changes.count {
      let key = changes.rows.keys.entry(index)
      if changes.kind(index) == .insert { forest.insert(tree, key) } else { forest.remove(tree, key) }
    }
  }
}

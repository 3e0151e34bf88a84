internal import RankedKeys

extension Runs<TreeSchema> {
  /// Returns the pending rows with a commit's changes.
  /// - Throws: `outOfStep` if a change contradicts a pending row or another change, `misuse` if the changes are those
  ///   of another tree.
  package func adding(_ changes: RowChanges) throws(IndexError) -> Runs {
    guard changes.tree.id == tree.id, changes.tree.columns == tree.columns else {
      throw .misuse(tree: tree.id, what: "changes of \(changes.tree.name) for \(tree.name)")
    }
    return try merging(sorted: changes.sorted(from: 0))
  }
}

extension Runs<TextTreeSchema> {
  /// Returns the pending rows with a commit's changes.
  /// - Throws: `outOfStep` if a change contradicts a pending row or another change, `misuse` if the changes are those
  ///   of another tree.
  package func adding(_ changes: TextChanges) throws(IndexError) -> Runs {
    guard changes.tree.id == tree.id else {
      throw .misuse(tree: tree.id, what: "changes of \(changes.tree.name) for \(tree.name)")
    }
    return try merging(sorted: changes.sorted(from: 0))
  }
}

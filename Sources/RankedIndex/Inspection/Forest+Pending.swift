package import RankedKeys

/// Which entries of a merged tree the tree itself does not have in this form.
extension Forest {
  /// Whether an entry that a cursor has given comes from the pending rows. O(log(pending rows)).
  package func isPending(_ tree: TreeSchema, _ row: Words) throws(IndexError) -> Bool {
    let columns = tree.keyColumns
    return try runs(tree)?.have((.before(row, columns: columns), .after(row, columns: columns))) ?? false
  }

  /// Whether an entry that a cursor has given comes from the pending texts. O(log(pending texts)).
  package func isPending(_ tree: TextTreeSchema, _ key: TextKey) throws(IndexError) -> Bool {
    try runs(tree)?.have((.before(key), .after(key))) ?? false
  }
}

extension Runs {
  /// Whether there is a row between these bounds.
  fileprivate func have(_ bounds: (before: Tree.Keys.Bound, after: Tree.Keys.Bound)) -> Bool {
    defer { withExtendedLifetime(self) {} }
    return small.row(between: bounds) != nil || large.row(between: bounds) != nil
  }
}

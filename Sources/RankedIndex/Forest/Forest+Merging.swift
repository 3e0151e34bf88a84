extension Forest {
  /// Merges all that is pending for a numeric tree into the tree.
  func merge(_ rows: RowBuffer) throws(IndexError) {
    let changes = try rows.buffer.take()
    guard changes.count > 0 else { return }
    let tree = changes.tree
    var update = TreeUpdate(store, tree, try directory.record(tree.id, kind: NodeKind.numeric))
    defer { withExtendedLifetime(changes) {} }
    try update.apply(changes.rows)
    directory.set(update.record)
  }

  /// Merges all that is pending for a string tree into the tree.
  func merge(_ texts: TextBuffer) throws(IndexError) {
    let changes = try texts.buffer.take()
    guard changes.count > 0 else { return }
    defer { withExtendedLifetime(changes) {} }
    directory.set(try textStore(changes.tree).flush(changes.rows))
  }
}

extension Forest {
  /// Merges all that is pending for a numeric tree into the tree. Called once for a buffer.
  func merge(_ rows: PendingRows) throws(IndexError) {
    let sorted = try rows.take()
    guard !sorted.isEmpty else { return }
    var update = TreeUpdate(store, rows.tree, try directory.record(rows.tree.id, kind: NodeKind.numeric))
    try update.apply(sorted)
    directory.set(update.record)
  }

  /// Merges all that is pending for a string tree into the tree. Called once for a buffer.
  func merge(_ texts: PendingTextRows) throws(IndexError) {
    let sorted = try texts.take()
    guard !sorted.isEmpty else { return }
    let store = try TextTreeStore(
      nodes: store, continuations: overflow, root: try directory.record(texts.tree.id, kind: NodeKind.text))
    directory.set(try store.flush(sorted))
  }
}

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
    let unread = texts.buffer.unread
    let changes = try texts.buffer.take()
    let store = try textStore(changes.tree)
    if let unread, changes.count < unread.count { try store.check(unread) }
    guard changes.count > 0 else { return }
    defer { withExtendedLifetime(changes) {} }
    directory.set(try store.flush(changes.rows))
  }
}

extension TextTreeStore {
  /// Checks that the tree agrees with changes of one key that come to nothing: they are not merged into it.
  /// - Throws: `outOfStep` if it does not.
  fileprivate func check(_ changes: TextChanges) throws(IndexError) {
    for key in changes.cancelled {
      let isPresent = try rank(of: .after(key.key)) > rank(of: .before(key.key))
      if isPresent == key.isInsertion {
        throw .outOfStep(
          changes.tree, key: key.key.words,
          isPresent ? "inserted but present" : "removed but absent")
      }
    }
  }
}

extension Forest {
  /// Buffers a new entry. Its key must be absent when the tree is flushed, or the flush throws `outOfStep`.
  package func insert(_ tree: TreeSchema, _ row: Words) {
    buffer(tree).append(.insert, row)
  }

  /// Buffers the removal of an entry, known by its key columns, which must be present at the flush.
  package func remove(_ tree: TreeSchema, _ row: Words) {
    buffer(tree).append(.remove, row)
  }

  /// Buffers a new payload for a key that must be present at the flush.
  package func replace(_ tree: TreeSchema, _ row: Words) {
    buffer(tree).append(.replace, row)
  }

  private func buffer(_ tree: TreeSchema) -> PendingRows {
    if let rows = pending[tree.id] as? PendingRows { return rows }
    let rows = PendingRows(tree)
    pending[tree.id] = rows
    return rows
  }

  /// Removes all entries of a tree and frees its nodes. O(nodes).
  package func drop(_ tree: TreeSchema) throws(IndexError) {
    pending[tree.id] = nil
    try poisoning { () throws(IndexError) in
      var update = TreeUpdate(store, tree, try directory.record(tree.id, kind: NodeKind.numeric))
      try update.removeAll()
      directory.set(update.record)
    }
  }
}

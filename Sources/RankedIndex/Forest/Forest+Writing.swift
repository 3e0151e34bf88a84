package import RankedKeys

extension Forest {
  /// Buffers a new entry. Its key must be absent when the tree is flushed; otherwise the flush throws `outOfStep`.
  package func insert(_ tree: TreeSchema, _ row: Words) {
    pending.rows(tree).buffer.changes.append(.insert, row)
  }

  /// Buffers the new entries that `row` returns for the indices from 0 to `count` - 1; nil adds none.
  package func insert(_ tree: TreeSchema, count: Int, _ row: (Int) -> Words?) {
    let rows = pending.rows(tree)
    rows.buffer.changes.reserve(count)
    for index in 0..<count {
      if let row = row(index) { rows.buffer.changes.append(.insert, row) }
    }
  }

  /// Buffers the removal of the entry with the key columns of `row`. The entry must be present when the tree is
  /// flushed.
  package func remove(_ tree: TreeSchema, _ row: Words) {
    pending.rows(tree).buffer.changes.append(.remove, row)
  }

  /// Buffers a new payload for a key that must be present when the tree is flushed.
  package func replace(_ tree: TreeSchema, _ row: Words) {
    pending.rows(tree).buffer.changes.append(.replace, row)
  }

  /// Removes all entries of a tree whose word in a column is one of some numbers. O(entries of the tree), in which an entry
  /// costs a hundredth of one that is removed by its key.
  package func sweep(_ tree: TreeSchema, column: Int, of numbers: NumberSet) throws(IndexError) {
    try check()
    try flush(tree.id)
    hasFlushed = true
    try poisoning { () throws(IndexError) in
      var update = TreeUpdate(store, tree, try directory.record(tree.id, kind: NodeKind.numeric))
      try update.sweep(column, numbers)
      directory.set(update.record)
    }
  }

  /// Removes all entries of a tree and frees its nodes. O(nodes).
  package func drop(_ tree: TreeSchema) throws(IndexError) {
    _ = pending.remove(tree.id)
    hasFlushed = true
    try poisoning { () throws(IndexError) in
      var update = TreeUpdate(store, tree, try directory.record(tree.id, kind: NodeKind.numeric))
      try update.removeAll()
      directory.set(update.record)
    }
  }
}

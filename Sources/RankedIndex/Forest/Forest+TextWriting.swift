package import RankedKeys
import SatchelBytes

extension Forest {
  /// Buffers a new entry. It must be absent when the tree is flushed; otherwise the flush throws `outOfStep`.
  package func insert(_ tree: TextTreeSchema, _ key: TextKey) {
    pending.texts(tree).buffer.changes.insert(key)
  }

  /// Buffers the removal of an entry, which must be present when the tree is flushed. A continuation of its text in
  /// the side table is removed with it.
  package func remove(_ tree: TextTreeSchema, _ key: TextKey) {
    pending.texts(tree).buffer.changes.remove(key)
  }

  /// Removes the entries in some ranges of a tree whose rows are some numbers. O(entries of the ranges), in which an entry costs a small
  /// part of one that is removed by its text.
  package func sweep(
    _ tree: TextTreeSchema, in ranges: [TextRange], of rows: NumberSet
  ) throws(IndexError) {
    try check()
    try flush(tree.id)
    hasFlushed = true
    for range in ranges {
      try poisoning { () throws(IndexError) in
        directory.set(try textStore(tree).sweep(range, of: rows))
      }
    }
  }

  /// Removes all entries of a tree and frees its nodes and continuations. O(nodes).
  package func drop(_ tree: TextTreeSchema) throws(IndexError) {
    _ = pending.remove(tree.id)
    hasFlushed = true
    try poisoning { () throws(IndexError) in directory.set(try textStore(tree).drop()) }
  }

  /// Fills an empty tree from entries in order; each node is written once. `next` returns nil at the end. `spare` is
  /// the part of each leaf that stays free for later inserts.
  /// - Throws: `IndexError.misuse` if the tree is not empty, `outOfStep` if entries are out of order, and what `next`
  ///   throws.
  package func build(
    _ tree: TextTreeSchema, spare: Double = 0.05, sorted next: () throws -> TextKey?
  ) throws {
    let store = try flushedTextStore(tree)
    guard store.root.height == 0 else {
      throw IndexError.misuse(tree: tree.id, what: "\(tree.name) is not empty")
    }
    hasFlushed = true
    var builder = TextTreeBuilder(store, spare: spare)
    while let key = try next() {
      try poisoning { () throws(IndexError) in try builder.append(key) }
    }
    directory.set(try poisoning { () throws(IndexError) in try builder.finish() })
  }

  /// Writes a tree's entries into new, well-filled nodes, and frees the old nodes one by one. The continuations of
  /// entries stay in the side table unchanged.
  package func rebuild(_ tree: TextTreeSchema, spare: Double = 0.05) throws(IndexError) {
    let store = try flushedTextStore(tree)
    guard store.root.height > 0 else { return }
    hasFlushed = true
    try poisoning { () throws(IndexError) in directory.set(try store.rebuild(spare: spare)) }
  }
}

extension Forest {
  /// Returns this forest's changes since it was opened, or since the forest that it continues was. They must all be
  /// pending still: none has been flushed.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  package func changes() throws(IndexError) -> ForestChanges {
    try poisoning { () throws(IndexError) in try pending.folded() }
  }

  /// Buffers new entries, each of which must be absent when the tree is flushed: see `insert`.
  package func insert(_ batch: TextBatch) {
    if batch.count > 0 { pending.texts(batch.tree).buffer.changes.append(batch.changes) }
  }
}

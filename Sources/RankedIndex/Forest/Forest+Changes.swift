extension Forest {
  /// Returns this forest's changes since it was opened, or since the forest that it continues was. They must all be
  /// pending still: none has been flushed.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  package func changes() throws(IndexError) -> ForestChanges {
    try poisoning { () throws(IndexError) in try pending.folded() }
  }
}

extension Forest {
  /// Returns this forest's changes since it was opened, or since the forest that it continues was. They must all be
  /// pending still: none has been flushed.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  package func changes() throws(IndexError) -> ForestChanges {
    try poisoning { () throws(IndexError) in
      var changes = ForestChanges()
      for buffer in pending.buffers {
        switch buffer {
        case .none: break
        case .rows(let rows):
          let folded = try rows.folded()
          if !folded.isEmpty { changes.rows.append((rows.tree, folded)) }
        case .texts(let texts):
          var kept = TextChanges(texts.tree)
          for change in try texts.folded() where change.kind == .insert || change.kind == .remove {
            kept.append(change.key, isInsertion: change.kind == .insert)
          }
          if kept.count > 0 { changes.texts.append(kept) }
        }
      }
      return changes
    }
  }
}

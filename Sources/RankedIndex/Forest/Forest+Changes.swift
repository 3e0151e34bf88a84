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
          let folded = try rows.buffer.folded()
          if folded.count > 0 { changes.rows.append(folded) }
        case .texts(let texts):
          let folded = try texts.buffer.folded()
          if folded.count > 0 { changes.texts.append(folded) }
        }
      }
      return changes
    }
  }
}

internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing

/// When a conversation becomes visible or hidden, so do its messages: in the same commit, their entries move between
/// the trees of visible messages and `message.hidden`.
extension Writer {
  func moveMessagesOfChangedVisibility(_ changes: inout IndexChanges) throws {
    lazy var unchanged = unchangedMessages()
    for case .conversation(let row) in overlay.order {
      guard let state = overlay.conversations[row], let before = state.original, let after = state.fields,
        before.isVisible != after.isVisible
      else { continue }
      var moved = SequenceRange()
      try forEachIndexedMessage(of: row) { batch in
        for key in batch {
          let old = try indexed(key, isVisible: before.isVisible)
          var new = old
          new.isVisible = after.isVisible
          changes.change(from: old, to: new)
          try moveDeclared(.message(key), in: after.isVisible, &changes)
          moved.add(key.sequence)
        }
        try apply(&changes)
      }
      // Messages that were changed and changed back belong to the range as well: the log lists no change of theirs.
      for sequence in unchanged[row] ?? [] { moved.add(sequence) }
      log.noteMove(of: row, moved)
    }
  }

  /// Returns the messages that were changed in the overlay and are equal to their original state again, by
  /// conversation.
  private func unchangedMessages() -> [UInt32: [UInt64]] {
    var sequences: [UInt32: [UInt64]] = [:]
    for case .message(let key) in overlay.order {
      guard let state = overlay.messages[key], !state.isStored, let original = state.original,
        state.current == original
      else { continue }
      sequences[key.conversation, default: []].append(key.sequence)
    }
    return sequences
  }

  /// Calls `body` with the messages of a conversation that are in the indexes, in batches. Skips messages that the overlay has
  /// added or changed: their own changes move them.
  func forEachIndexedMessage(of row: UInt32, _ body: ([MessageKey]) throws -> Void) throws {
    let range = KeyRange.prefix(Words(UInt64(row)), columns: 1)
    let index = IndexCatalog.messagePlace
    var lower = range.lower
    while true {
      // The cursor must not outlive a batch, because `body` may change the trees.
      var entries: [Words] = []
      var cursor = try forest.cursor(index.tree)
      try cursor.seek(to: lower)
      _ = try cursor.read(into: &entries, upTo: range.upper, limit: Self.batchSize)
      guard let last = entries.last else { return }
      var keys: [MessageKey] = []
      keys.reserveCapacity(entries.count)
      for entry in entries {
        let key = index.message(of: entry)
        if let state = overlay.messages[key], !state.isStored || state.original == nil { continue }
        if overlay.added.find(key) != nil { continue }
        keys.append(MessageKey(conversation: row, sequence: key.sequence))
      }
      try body(keys)
      lower = .after(last, columns: index.tree.keyColumns)
    }
  }

  private static let batchSize = 1000
}

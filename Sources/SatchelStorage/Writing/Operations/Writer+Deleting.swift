internal import SatchelCoding
internal import SatchelIndexing
package import SatchelModel

extension Writer {
  /// Deletes a message or an announcement.
  /// - Parameter isAnnouncement: Which of the two it must be; nil for either.
  /// - Throws: ``SatchelError`` `unknownMessage`.
  package func deleteMessage(_ id: Message.ID, isAnnouncement: Bool? = nil) throws {
    let key = try existingMessage(id, isAnnouncement: isAnnouncement)
    let state = try message(key)
    guard let fields = state.current else { return }
    try changing {
      try purgeQueue.removeContents(of: fields, key, commit: commit)
      state.update(nil)
      overlay.noteRemoval(ofMessage: id.rawValue)
      if !key.isAnnouncement { try noteRemoval(of: fields, key) }
      try flushIfFull()
    }
  }

  /// Deletes a conversation with its messages. They leave every index now; later commits remove the messages' bytes.
  /// - Throws: ``SatchelError`` `unknownConversation`.
  /// - Complexity: O(messages of the conversation).
  package func deleteConversation(_ id: Conversation.ID) throws {
    let row = try existingConversation(id)
    try flush()
    let state = try conversation(row)
    guard let fields = state.current else { return }
    try changing { try delete(row, state, fields) }
  }

  private func delete(_ row: UInt32, _ state: ConversationState, _ fields: StoredConversation) throws {
    let listsMessages = fields.messageCount <= UInt64(ChangeLogEntry.maximumObjects)
    var changes = IndexChanges()
    var deleted = SequenceRange()
    try forEachIndexedMessage(of: row) { batch in
      for key in batch {
        deleted.add(key.sequence)
        guard listsMessages else {
          changes.change(from: try flushed.indexed(key, isVisible: fields.isVisible), to: nil)
          continue
        }
        let (indexed, message, metadata) = try flushed.deleted(key, isVisible: fields.isVisible)
        changes.change(from: indexed, to: nil)
        try log.note(deleted: message, metadata: metadata, interning: interner.knownNumber(ofPath:))
      }
      try apply(&changes)
    }
    if !listsMessages { log.noteRange(of: row, .deleted, deleted) }
    if deleted.count > 0 {
      try purgeQueue.add(
        MessageKey(conversation: row, sequence: MessageKey.wholeConversation), remaining: deleted.count,
        commit: commit)
    }
    state.update(nil)
    try flush()
  }
}

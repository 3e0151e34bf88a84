internal import SatchelCoding
internal import SatchelIndexing
package import SatchelModel

extension Writer {
  /// Marks messages and announcements as read. Those that are already read do not change.
  /// - Parameter isAnnouncement: Which of the two they must be; nil for either.
  /// - Throws: ``SatchelError`` `unknownMessage`. Then nothing has changed.
  package func markRead(_ ids: some Sequence<Message.ID>, isAnnouncement: Bool? = nil) throws {
    for key in try ids.map({ try existingMessage($0, isAnnouncement: isAnnouncement) }) { try markRead(key) }
  }

  private func markRead(_ key: MessageKey) throws {
    let state = try message(key)
    guard let old = state.fields, old.isUnread else { return }
    var fields = old
    fields.isUnread = false
    try changing {
      try change(state, key, from: old, to: fields)
      try flushIfFull()
    }
  }

  /// Marks all messages of a conversation as read.
  /// - Returns: How many were unread.
  /// - Throws: ``SatchelError`` `unknownConversation`.
  /// - Complexity: O(unread messages). Each takes a copy of its record, of which one byte changes, and three entries of
  ///   indexes; it does not become an object of the overlay. The change log has one entry for more than 1,000 of them.
  @discardableResult
  package func markAllRead(in conversation: Conversation.ID) throws -> Int {
    let row = try existingConversation(conversation)
    try flush()
    let sequences = try unreadMessages(of: row)
    guard !sequences.isEmpty else { return 0 }
    let state = try self.conversation(row)
    guard let fields = state.fields else { return 0 }
    try changing {
      try markRead(sequences, of: row, isVisible: fields.isVisible)
      state.edit {
        $0.unreadCount -= min(UInt64(sequences.count), $0.unreadCount)
        $0.last?.isUnread = false
      }
    }
    return sequences.count
  }

  /// Marks unread messages of a conversation as read that are in no overlay, without changing their conversation.
  private func markRead(_ sequences: [UInt64], of row: UInt32, isVisible: Bool) throws {
    let listsMessages = sequences.count <= ChangeLogEntry.maximumObjects
    var changes = IndexChanges()
    var marked = SequenceRange()
    for sequence in sequences {
      let key = MessageKey(conversation: row, sequence: sequence)
      let (record, fields, replaced) = try flushed.markedRead(key)
      try noteDeclared(.message(key), wasThere: isVisible, isThere: isVisible, reads: true)
      try tables.put(.messages, key.bytes, record, replacing: replaced)
      changes.markRead(key, fields, isVisible: isVisible)
      if listsMessages {
        log.noteMarkedRead(key)
      } else {
        marked.add(sequence)
      }
      if changes.numeric.count > Self.changesInCache { try apply(&changes) }
    }
    log.noteRange(of: row, .updated, marked)
    try settleDeclared(&changes)
    try apply(&changes)
  }
}

internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
package import SatchelModel
internal import SatchelReading

extension Writer {
  /// Deletes a message or an announcement.
  /// - Parameter isAnnouncement: Which of the two it must be; nil for either.
  /// - Throws: ``SatchelError`` `unknownMessage`.
  package func deleteMessage(_ id: Message.ID, isAnnouncement: Bool? = nil) throws {
    let key = try existingMessage(id, isAnnouncement: isAnnouncement)
    guard let fields = try message(key).current else { return }
    try changing {
      try deletions.note(fields, key)
      try remove(key, fields)
      try flushIfFull()
    }
  }

  /// Removes an existing message or announcement. The caller flushes the overlay if it is full.
  func remove(_ key: MessageKey, _ fields: StoredMessage) throws {
    let state = try message(key)
    if fields.life.deletedAt != nil { log.forgetContents(of: key, names: fields.nameBytes) }
    for (part, length) in fields.contentsInBodies {
      try overlay.noteFormerContent(of: key, part: part) { try loggedContent(of: key, part, length: length) }
    }
    if !fields.contentsInBodies.isEmpty { try leaveWords(key) }
    try purgeQueue.removeContents(of: fields, key, commit: commit)
    state.update(nil)
    try noteRemoval(of: Reference.messages, fields.names)
    overlay.noteRemoval(of: fields)
    if !key.isAnnouncement { try noteRemoval(of: fields, key) }
  }

  /// Returns what the log keeps of a content in `bodies` that is about to be removed; nil if this is not worth the time or the room.
  private func loggedContent(of key: MessageKey, _ part: Int, length: UInt64) throws -> LoggedContent? {
    guard log.isListing, length <= readableContents, !tables.transaction.isShortOfRoom else { return nil }
    readableContents -= length
    return LoggedContent(try flushed.content(of: key, part: part, length: length))
  }

  /// Returns the number of a key path in the metadata of an object that is deleted. A store that is short of room gives no new ones:
  /// it can always delete.
  var interningOfDeleted: (String) throws -> UInt32? {
    tables.transaction.isShortOfRoom ? interner.knownNumber(ofPath:) : interner.intern(path:)
  }

  /// Deletes a conversation with its messages. They leave every index now; later commits remove the messages' bytes.
  /// - Throws: ``SatchelError`` `unknownConversation`.
  /// - Complexity: O(messages of the conversation); in a write that deletes a large part of the store, O(messages of the store) for all
  ///   of its conversations together.
  package func deleteConversation(_ id: Conversation.ID) throws {
    let row = try existingConversation(id)
    try flush()
    let state = try conversation(row)
    guard let fields = state.current else { return }
    try changing { try delete(row, state, fields) }
  }

  private func delete(_ row: UInt32, _ state: ConversationState, _ fields: StoredConversation) throws {
    try deletions.note(fields, row, floor: floor(of: row))
    let listsMessages =
      fields.messageCount <= UInt64(ChangeLogEntry.maximumObjects) && log.listsConversations
    // What declared indexes have of a message is read from its record.
    let isDeclared = try fields.isVisible && hasDeclaredIndexes(of: .messages)
    let leavesLater = leaving.takes(fields.messageCount) && gathered == nil && !isDeclared
    var changes = IndexChanges()
    var deleted = SequenceRange()
    try forEachIndexedMessage(of: row) { batch in
      for key in batch {
        deleted.add(key.sequence)
        if isDeclared { try moveDeclared(.message(key), in: false, &changes) }
        if listsMessages {
          var (indexed, message) = try flushed.deleted(key, isVisible: fields.isVisible)
          if !leavesLater {
            indexed.metadata = try self.indexed(message.metadata, of: key)
            changes.change(from: indexed, to: nil)
          }
          var contents: [Int: LoggedContent] = [:]
          for (part, length) in message.contentsInBodies {
            contents[part] = try loggedContent(of: key, part, length: length)
          }
          try log.note(key, from: message, to: nil, contents: contents, interning: interningOfDeleted)
        } else if !leavesLater {
          changes.change(from: try indexed(key, isVisible: fields.isVisible), to: nil)
        }
      }
      try apply(&changes)
    }
    try noteRemoval(of: Reference.conversations, fields.names)
    try noteRemoval(ofMessagesOf: row, count: deleted.count)
    if !listsMessages { log.noteRange(of: row, .deleted, deleted) }
    if deleted.count > 0 {
      try purgeQueue.add(
        MessageKey(conversation: row, sequence: MessageKey.wholeConversation), remaining: deleted.count,
        commit: commit)
      if leavesLater {
        leaving.add(row, isVisible: fields.isVisible, messages: deleted.count)
        identifiers.leave(row)
      }
    }
    state.update(nil)
    try flush()
  }

  /// Returns how far the messages of a conversation reach, of which the overlay has changed none: to the greatest position, and to the
  /// latest date among the last ones. What was never sent does not count: nobody delivers it.
  private func floor(of row: UInt32) throws -> DeletionFloor {
    var floor = DeletionFloor()
    let index = IndexCatalog.messagePlace
    var cursor = try forest.cursor(index.tree)
    try cursor.seek(to: .after(Words(UInt64(row)), columns: 1))
    for _ in 0..<Self.datesOfFloor {
      guard let place = try cursor.previous(), index.conversation(of: place) == row else { return floor }
      let key = MessageKey(conversation: row, sequence: index.sequence(of: place))
      if let (position, sentAt) = try flushed.reach(key) { floor.rise(toPosition: position, sentAt: sentAt) }
    }
    return floor
  }

  /// Of how many messages, the last ones by position, the dates are looked at.
  private static let datesOfFloor = 100

  /// Takes the messages of deleted conversations out of the indexes, if they have not left them: before the indexes are read as
  /// queries do, and before the write ends.
  ///
  /// If they are a large part of all messages, the indexes are swept: each leaf is read once, and written once if it has any.
  /// Otherwise each message is looked up, and its entries are removed by their keys.
  func settleLeaving() throws {
    guard !leaving.isEmpty else { return }
    try changing {
      let leaving = leaving.take()
      try settleIdentifiers()
      identifiers.endLeaving()
      let total = try forest.count(IndexCatalog.messagePlace.tree)
      if leaving.messages > UInt64(total / Self.shareToSweep),
        let rows = NumberSet(leaving.conversations.keys.map { UInt64($0) })
      {
        try removeMetadata(of: leaving)
        try beginChanges()
        for index in IndexCatalog.numeric {
          guard let column = index.columnOfConversation else { continue }
          try forest.sweep(index.tree, column: column, of: rows)
        }
        return
      }
      var changes = IndexChanges()
      for (row, isVisible) in leaving.conversations.sorted(by: { $0.key < $1.key }) {
        try forEachIndexedMessage(of: row) { batch in
          for key in batch {
            changes.change(from: try indexed(key, isVisible: isVisible), to: nil)
          }
          try apply(&changes)
        }
      }
    }
  }

  /// Takes the metadata of the messages of deleted conversations out of its index, which does not say to which conversation an entry
  /// belongs.
  private func removeMetadata(of leaving: LeavingConversations) throws {
    let tree = IndexCatalog.messageMetadata.tree
    guard try forest.count(tree) > 0 else { return }
    for (row, isVisible) in leaving.conversations.sorted(by: { $0.key < $1.key }) where isVisible {
      var changes = IndexChanges()
      try forEachIndexedMessage(of: row) { batch in
        for key in batch {
          for entry in try indexed(key, isVisible: isVisible).metadataKeys { changes.remove(tree, entry) }
        }
        try apply(&changes)
      }
    }
  }

  /// Of how many objects one must go for a sweep to cost less.
  static let shareToSweep = 32
}

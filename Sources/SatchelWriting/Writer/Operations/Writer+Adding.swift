internal import SatchelCoding
internal import SatchelGathering
internal import SatchelIndexing
internal import SatchelModel
internal import SatchelRecords
import SatchelText

/// New messages and announcements in the overlay.
extension Writer {
  /// Adds a checked draft under a new identifier, to a conversation or to the announcements.
  /// - Parameter staged: The message as which contents of the draft were stored before.
  func add(
    _ draft: MessageDraft, identifier: String, to conversation: UInt32,
    replacing staged: StagedMessage.Found? = nil
  ) throws {
    if keepsResponses {
      try takeResponses(
        to: RecordSubject(
          names: names(identifier, draft.remoteID?.rawValue), isWithdrawn: draft.deletedAt != nil,
          isAnnouncement: conversation == MessageKey.announcements))
    }
    var message = try messageRecords.store(
      draft, identifier: identifier, conversation: conversation,
      replacing: staged.map { ($0.message.key, $0.checksum) })
    let key = MessageKey(conversation: conversation, sequence: message.sequence)
    if let staged { try remove(staged.entry, of: staged.message.importNumber) }
    if staged != nil || key.isAnnouncement || message.remoteIDHash != nil && gathered == nil {
      if key.isAnnouncement { gathered?.hasAnnouncements = true }
      let (fields, checksum) = try flushed.message(key)
      return try enter(key, fields, checksum: checksum)
    }
    message.metadata = try indexed(draft.metadata, of: key)
    if let gathered {
      try gathered.append(message)
      if let row = message.remoteIDRow { forest.insert(IndexCatalog.messageRemoteID.tree, row) }
      log.note(LoggedChange(.message(key), .created))
    } else {
      identifiers.insert(message.identifierRow)
      if identifiers.isFull { try settleIdentifiers() }
      overlay.add(message)
      // The overlay has nil for this identifier if its former message was deleted since the last flush.
      if !overlay.messageIdentifiers.isEmpty, overlay.messageIdentifiers[ByteString(identifier)] != nil {
        overlay.noteAgain(identifier: identifier, of: key)
      }
    }
    let fields = message.fields
    try noteInsertion(
      of: StoredConversation.Last(
        sequence: key.sequence, position: fields.position, sentAt: fields.sentAt,
        receivedAt: fields.receivedAt, isUnread: fields.isUnread, sender: fields.sender), in: conversation)
  }

  /// Enters a message or announcement into the overlay that has a record, but no index entries.
  func enter(_ key: MessageKey, _ fields: StoredMessage, checksum: UInt64) throws {
    overlay.note(namesOf: fields, of: key)
    overlay.insert(key, MessageState(staged: fields, checksum: checksum))
    if !key.isAnnouncement {
      try noteInsertion(of: StoredConversation.Last(fields, key.sequence), in: key.conversation)
    }
  }

  /// Turns an added message, which is about to be changed, into a state.
  func claim(_ index: Int, _ key: MessageKey, _ fields: StoredMessage, checksum: UInt64) -> MessageState {
    let state = MessageState(staged: fields, checksum: checksum)
    // The flush adds the identifier with the other entries, if the message still exists.
    identifiers.remove(overlay.added.messages[index].identifierRow)
    overlay.note(namesOf: fields, of: key)
    overlay.claim(index, key, state)
    return state
  }
}

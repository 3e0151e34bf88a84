internal import SatchelCoding
package import SatchelModel

extension Writer {
  /// Adds a message of the store's user. It is sent and received now, not confirmed yet (`isSent` is false), not
  /// unread, and pending for all other participants.
  /// - Throws: ``SatchelError`` `unknownConversation`, `identifierExists`, `invalidIdentifier`, `invalidKey` or
  ///   `invalidValue`. In each case nothing has changed.
  package func send(
    _ parts: [MessagePart.Draft], to conversation: Conversation.ID, identifier: Message.ID? = nil,
    metadata: Metadata = Metadata()
  ) throws -> Message.ID {
    let row = try existingConversation(conversation)
    var draft = MessageDraft(
      identifier: identifier, sender: user, sentAt: now, receivedAt: now, isSent: false, parts: parts,
      metadata: metadata)
    try storeParticipants(of: row)
    let set = try self.conversation(row).fields?.participantSet
    for member in try set.map({ try flushed.participantSets.members($0) }) ?? [] {
      let participant = Identity.ID(try flushed.users.text(member))
      if participant != user {
        draft.recipientStatus.append(RecipientStatusEntry(user: participant, status: .pending))
      }
    }
    return try insert(draft, row)
  }

  /// Adds a message exactly as the draft gives it, for example one from another source.
  /// - Throws: As `send`.
  package func insertMessage(_ draft: MessageDraft, in conversation: Conversation.ID) throws -> Message.ID {
    try insert(draft, existingConversation(conversation))
  }

  /// Adds an announcement exactly as the draft gives it.
  /// - Throws: As `send`.
  package func insertAnnouncement(_ draft: MessageDraft) throws -> Announcement.ID {
    Announcement.ID(try insert(draft, MessageKey.announcements).rawValue)
  }

  private func insert(_ draft: MessageDraft, _ conversation: UInt32) throws -> Message.ID {
    try Self.check(draft)
    var identifier = ""
    if let given = draft.identifier?.rawValue {
      try checkNew(message: given)
      identifier = given
    } else {
      identifier = makeIdentifier()
    }
    try changing {
      try add(draft, identifier: identifier, to: conversation)
      try flushIfFull()
    }
    return Message.ID(identifier)
  }

  /// Changes properties of a message or announcement.
  /// - Parameter isAnnouncement: Which of the two it must be; nil for either.
  /// - Throws: ``SatchelError`` `unknownMessage`, `invalidIdentifier`, `invalidKey` or `invalidValue`. In each case
  ///   nothing has changed.
  package func updateMessage(
    _ id: Message.ID, isAnnouncement: Bool? = nil, _ update: MessageUpdate
  ) throws {
    let key = try existingMessage(id, isAnnouncement: isAnnouncement)
    let state = try message(key)
    guard let old = state.fields else { return }
    for user in update.recipientStatus.keys { try Self.check(identifier: user.rawValue, "recipient") }
    for edit in update.metadata { try edit.validate() }
    try Self.check(parts: update.transferStatus.keys.sorted(), of: old)
    var fields = old
    fields.position = update.position.applied(to: old.position)
    fields.sentAt = update.sentAt.applied(to: old.sentAt.map(Timestamp.init(microseconds:)))?.microseconds
    fields.receivedAt =
      update.receivedAt.applied(to: old.receivedAt.map(Timestamp.init(microseconds:)))?.microseconds
    if let isSent = update.isSent { fields.isSent = isSent }
    if let isUnread = update.isUnread { fields.isUnread = isUnread }
    if update.completesTransfers {
      for part in fields.parts.indices { fields.parts[part].transferStatus = .complete }
    }
    for (part, status) in update.transferStatus { fields.parts[part].transferStatus = status }
    try changing {
      // Sorted, so that the same update always gives the same numbers to new users.
      let statuses = try update.recipientStatus.sorted { $0.key < $1.key }
        .map { (user: try interner.intern(.users, $0.key.rawValue), status: $0.value) }
      _ = try state.gather { edits, fields in
        let hasMetadata = try edits.add(update.metadata, to: fields.metadata)
        let hasRecipients = edits.add(
          statuses, isCleared: update.clearsRecipientStatus, to: fields.recipients)
        return hasMetadata || hasRecipients
      }
      try change(state, key, from: old, to: fields)
      try flushIfFull()
    }
  }

  /// Changes fields other than those that edits are gathered for.
  func change(
    _ state: MessageState, _ key: MessageKey, from old: StoredMessage, to new: StoredMessage
  ) throws {
    guard old != new else { return }
    state.edit { $0 = new }
    if !key.isAnnouncement { try noteChange(from: old, to: new, key) }
  }
}

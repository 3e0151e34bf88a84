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
  /// - Parameter conversation: Nil for an announcement.
  package func insertMessage(_ draft: MessageDraft, in conversation: Conversation.ID?) throws -> Message.ID {
    try insert(draft, conversation.map { try existingConversation($0) } ?? MessageKey.announcements)
  }

  /// Adds an announcement exactly as the draft gives it.
  /// - Throws: As `send`.
  package func insertAnnouncement(_ draft: MessageDraft) throws -> Announcement.ID {
    Announcement.ID(try insert(draft, MessageKey.announcements).rawValue)
  }

  private func insert(_ draft: MessageDraft, _ conversation: UInt32) throws -> Message.ID {
    try check(draft)
    var identifier = ""
    if let given = draft.identifier?.rawValue {
      try checkNew(message: given, remoteID: draft.remoteID)
      identifier = given
    } else {
      if let remoteID = draft.remoteID { try checkNew(message: remoteID.rawValue) }
      identifier = makeIdentifier()
    }
    let staged = try stagedMessage(of: draft.parts, in: conversation)
    try changing {
      try add(draft, identifier: identifier, to: conversation, replacing: staged)
      try flushIfFull()
    }
    return Message.ID(identifier)
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

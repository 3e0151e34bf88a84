/// A conversation that is to be created.
package struct ConversationDraft: Sendable, Hashable {
  /// Nil to have a new identifier made.
  package var identifier: Conversation.ID?
  /// The identifier that a server has given it.
  package var remoteID: Conversation.ID?
  package var participants: [Identity.ID]
  package var createdAt: Timestamp?
  /// When it changed last before it came into this store.
  package var updatedAt: Timestamp?
  package var isDistinct: Bool
  package var metadata: Metadata

  package init(
    identifier: Conversation.ID? = nil, remoteID: Conversation.ID? = nil, participants: [Identity.ID],
    createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil, isDistinct: Bool = false,
    metadata: Metadata = Metadata()
  ) {
    self.identifier = identifier
    self.remoteID = remoteID
    self.participants = participants
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.isDistinct = isDistinct
    self.metadata = metadata
  }
}

/// A message or announcement that is to be stored, with every property given.
package struct MessageDraft: Sendable, Hashable {
  /// Nil to have a new identifier made.
  package var identifier: Message.ID?
  /// The identifier that a server has given it.
  package var remoteID: Message.ID?
  package var sender: Identity.ID
  package var position: Int64?
  package var sentAt: Timestamp?
  package var receivedAt: Timestamp?
  /// When it was edited, deleted for everyone, or changed at all before it came into this store.
  package var editedAt: Timestamp?
  package var deletedAt: Timestamp?
  package var updatedAt: Timestamp?
  package var isSent: Bool
  package var isUnread: Bool
  package var parts: [MessagePart.Draft]
  package var recipientStatus: [RecipientStatusEntry]
  package var metadata: Metadata

  package init(
    identifier: Message.ID? = nil, remoteID: Message.ID? = nil, sender: Identity.ID, position: Int64? = nil,
    sentAt: Timestamp? = nil, receivedAt: Timestamp? = nil, editedAt: Timestamp? = nil,
    deletedAt: Timestamp? = nil,
    updatedAt: Timestamp? = nil, isSent: Bool = true, isUnread: Bool = false,
    parts: [MessagePart.Draft] = [],
    recipientStatus: [RecipientStatusEntry] = [], metadata: Metadata = Metadata()
  ) {
    self.identifier = identifier
    self.remoteID = remoteID
    self.sender = sender
    self.position = position
    self.sentAt = sentAt
    self.receivedAt = receivedAt
    self.editedAt = editedAt
    self.deletedAt = deletedAt
    self.updatedAt = updatedAt
    self.isSent = isSent
    self.isUnread = isUnread
    self.parts = parts
    self.recipientStatus = recipientStatus
    self.metadata = metadata
  }
}

/// A staged object as it was given to the import.
package enum StagedDraft: Sendable {
  case identity(Identity)
  case conversation(ConversationDraft)
  /// The conversation is nil for an announcement.
  case message(MessageDraft, in: Conversation.ID?)
}

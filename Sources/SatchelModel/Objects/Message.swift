/// A message as one snapshot of the store shows it.
public struct Message: Identifiable, Hashable, Sendable {
  /// A message's identifier.
  public typealias ID = ObjectID<Message>

  /// The identifier, unique among messages and announcements.
  public let id: ID
  /// The conversation that the message belongs to.
  public let conversation: Conversation.ID
  /// What a message shares with an announcement.
  package let envelope: Envelope

  package init(id: ID, conversation: Conversation.ID, envelope: Envelope) {
    self.id = id
    self.conversation = conversation
    self.envelope = envelope
  }
}

/// A message outside any conversation, such as a notice to all users.
public struct Announcement: Identifiable, Hashable, Sendable {
  /// An announcement's identifier.
  public typealias ID = ObjectID<Announcement>

  /// The identifier, unique among messages and announcements.
  public let id: ID
  /// What an announcement shares with a message.
  package let envelope: Envelope

  package init(id: ID, envelope: Envelope) {
    self.id = id
    self.envelope = envelope
  }
}

/// The properties that messages and announcements have in common.
package struct Envelope: Hashable, Sendable {
  package var sender: Identity.ID
  package var position: Int64?
  package var sentAt: Timestamp?
  package var receivedAt: Timestamp?
  package var isSent: Bool
  package var isUnread: Bool
  package var parts: [MessagePart]
  /// By ascending user id.
  package var recipientStatus: [RecipientStatusEntry]
  package var metadata: Metadata

  package init(
    sender: Identity.ID, position: Int64?, sentAt: Timestamp?, receivedAt: Timestamp?, isSent: Bool,
    isUnread: Bool,
    parts: [MessagePart], recipientStatus: [RecipientStatusEntry], metadata: Metadata
  ) {
    self.sender = sender
    self.position = position
    self.sentAt = sentAt
    self.receivedAt = receivedAt
    self.isSent = isSent
    self.isUnread = isUnread
    self.parts = parts
    self.recipientStatus = recipientStatus
    self.metadata = metadata
  }
}

/// One recipient and how far the message has come on its way there.
package struct RecipientStatusEntry: Hashable, Sendable {
  package let user: Identity.ID
  package let status: RecipientStatus

  package init(user: Identity.ID, status: RecipientStatus) {
    self.user = user
    self.status = status
  }
}

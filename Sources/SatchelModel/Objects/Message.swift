/// A message as one snapshot of the store shows it. A value: it does not change when the store does.
public struct Message: Identifiable, Hashable, Sendable {
  /// The type of a message's identifier.
  public typealias ID = ObjectID<Message>

  /// The identifier, unique among messages and announcements.
  public let id: ID
  /// The conversation that the message belongs to.
  public let conversation: Conversation.ID
  /// The properties that messages and announcements have in common.
  package let envelope: Envelope

  package init(id: ID, conversation: Conversation.ID, envelope: Envelope) {
    self.id = id
    self.conversation = conversation
    self.envelope = envelope
  }
}

/// A message outside any conversation, such as a notice to all users. A value, as one snapshot of the store shows it.
public struct Announcement: Identifiable, Hashable, Sendable {
  /// The type of an announcement's identifier.
  public typealias ID = ObjectID<Announcement>

  /// The identifier, unique among messages and announcements.
  public let id: ID
  /// The properties that messages and announcements have in common.
  package let envelope: Envelope

  package init(id: ID, envelope: Envelope) {
    self.id = id
    self.envelope = envelope
  }
}

/// A recipient of a message, and how far the message has been delivered to that user.
package struct RecipientStatusEntry: Hashable, Sendable {
  package let user: Identity.ID
  package let status: RecipientStatus

  package init(user: Identity.ID, status: RecipientStatus) {
    self.user = user
    self.status = status
  }
}

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

/// One recipient and how far the message has come on its way there.
package struct RecipientStatusEntry: Hashable, Sendable {
  package let user: Identity.ID
  package let status: RecipientStatus

  package init(user: Identity.ID, status: RecipientStatus) {
    self.user = user
    self.status = status
  }
}

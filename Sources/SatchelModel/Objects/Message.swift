/// A message as one snapshot of the store shows it. A value: it does not change when the store does.
///
/// Messages that were read together share one block of memory: a message is a reference to the block and a place in it,
/// and a text is made of its bytes when you ask for it. To keep a few messages of a large result for long, keep
/// ``detached()`` ones, or their block stays as well.
public struct Message: Identifiable, Hashable, Sendable {
  /// The type of a message's identifier.
  public typealias ID = ObjectID<Message>

  /// The identifier and the properties.
  package let envelope: Envelope

  package init(_ envelope: Envelope) { self.envelope = envelope }

  /// The identifier, unique among messages and announcements. Made at each access.
  public var id: ID { ID(envelope.identifier) }
  /// The conversation that the message belongs to.
  public var conversation: Conversation.ID { envelope.conversation ?? "" }

  /// Returns the same message in memory of its own, which keeps nothing of what was read with it.
  /// - Complexity: O(size of the message).
  public func detached() -> Message { Message(envelope.detached) }
}

/// A message outside any conversation, such as a notice to all users. A value, as one snapshot of the store shows it.
public struct Announcement: Identifiable, Hashable, Sendable {
  /// The type of an announcement's identifier.
  public typealias ID = ObjectID<Announcement>

  /// The identifier and the properties.
  package let envelope: Envelope

  package init(_ envelope: Envelope) { self.envelope = envelope }

  /// The identifier, unique among messages and announcements. Made at each access.
  public var id: ID { ID(envelope.identifier) }
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

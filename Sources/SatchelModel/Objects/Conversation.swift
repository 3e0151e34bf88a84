#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A conversation as one snapshot of the store shows it. A value: it does not change when the store does.
public struct Conversation: Identifiable, Hashable, Sendable {
  /// The type of a conversation's identifier.
  public typealias ID = ObjectID<Conversation>

  /// The identifier, unique among conversations.
  public let id: ID
  /// The identifier that a server has given the conversation, set once; nil if it has given none. Where an identifier of a
  /// conversation is asked for, this one finds it as well.
  public let remoteID: ID?
  /// The user ids of the current participants, in ascending order of their UTF-8 bytes.
  public let participants: [Identity.ID]
  /// The time at which the conversation was created, exact to the microsecond. Nil if unknown.
  public let createdTimestamp: Timestamp?
  /// The time of the last change of the conversation's participants, metadata or remote identifier, exact to the microsecond; if
  /// nothing of them has changed, when it was created. What changes in its messages does not count: see ``lastMessage``.
  public var updatedTimestamp: Timestamp? { lastUpdate ?? createdTimestamp }
  /// The time of the last change; nil if nothing has changed that counts.
  package let lastUpdate: Timestamp?
  /// True if the store refuses a second distinct conversation of the same participants.
  public let isDistinct: Bool
  /// The metadata that the application has attached to the conversation.
  public let metadata: Metadata
  /// The last message, ordered by position, then by creation; nil in an empty conversation.
  ///
  /// It comes with its ``Message/preview`` and with contents of up to ``MessagePart/inlineBytes``: a longer ``Message/text`` is
  /// nil here, so that a list of conversations reads no more of long messages than it shows. `text(of:)` of its part, or
  /// `message(_:)` of the store, reads the whole of it.
  public let lastMessage: Message?
  /// The number of unread messages of the conversation.
  public let unreadCount: Int
  /// The number of messages of the conversation.
  public let messageCount: Int
  /// Which objects were asked to come with it; nil if none were.
  package let inclusions: Inclusions?
  /// What the conversation is to the store's user; nil if that does not come along.
  package let own: OwnParticipation?

  /// The time at which the conversation was created, as a `Date`; see ``createdTimestamp`` for the exact value.
  public var createdAt: Date? { createdTimestamp?.date }
  /// The time of the last change, as a `Date`; see ``updatedTimestamp`` for the exact value and for what counts.
  public var updatedAt: Date? { updatedTimestamp?.date }
  /// True if at least one message is unread.
  public var hasUnreadMessages: Bool { unreadCount > 0 }
  /// The number of participants.
  public var participantCount: Int { participants.count }

  package init(
    id: ID, remoteID: String? = nil, participants: [Identity.ID], createdTimestamp: Timestamp?,
    updatedTimestamp: Timestamp? = nil, isDistinct: Bool, metadata: Metadata,
    lastMessage: Message?, unreadCount: Int, messageCount: Int, inclusions: Inclusions? = nil,
    own: OwnParticipation? = nil
  ) {
    self.id = id
    self.remoteID = remoteID.map { ID($0) }
    self.participants = participants
    self.createdTimestamp = createdTimestamp
    lastUpdate = updatedTimestamp
    self.isDistinct = isDistinct
    self.metadata = metadata
    self.lastMessage = lastMessage
    self.unreadCount = unreadCount
    self.messageCount = messageCount
    self.inclusions = inclusions
    self.own = own
  }
}

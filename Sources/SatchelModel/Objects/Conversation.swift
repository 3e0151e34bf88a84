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
  /// The user ids of the current participants, in ascending order of their UTF-8 bytes.
  public let participants: [Identity.ID]
  /// The time at which the conversation was created, exact to the microsecond. Nil if unknown.
  public let createdTimestamp: Timestamp?
  /// True if the store refuses a second distinct conversation of the same participants.
  public let isDistinct: Bool
  /// The metadata that the application has attached to the conversation.
  public let metadata: Metadata
  /// The last message, ordered by position, then by creation; nil in an empty conversation.
  public let lastMessage: Message?
  /// The number of unread messages of the conversation.
  public let unreadCount: Int
  /// The number of messages of the conversation.
  public let messageCount: Int

  /// The time at which the conversation was created, as a `Date`; see ``createdTimestamp`` for the exact value.
  public var createdAt: Date? { createdTimestamp?.date }
  /// True if at least one message is unread.
  public var hasUnreadMessages: Bool { unreadCount > 0 }
  /// The number of participants.
  public var participantCount: Int { participants.count }

  package init(
    id: ID, participants: [Identity.ID], createdTimestamp: Timestamp?, isDistinct: Bool, metadata: Metadata,
    lastMessage: Message?, unreadCount: Int, messageCount: Int
  ) {
    self.id = id
    self.participants = participants
    self.createdTimestamp = createdTimestamp
    self.isDistinct = isDistinct
    self.metadata = metadata
    self.lastMessage = lastMessage
    self.unreadCount = unreadCount
    self.messageCount = messageCount
  }
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A conversation as one snapshot of the store shows it.
public struct Conversation: Identifiable, Hashable, Sendable {
  /// A conversation's identifier.
  public typealias ID = ObjectID<Conversation>

  /// The identifier, unique among conversations.
  public let id: ID
  /// The user ids of the current participants, by ascending UTF-8 bytes.
  public let participants: [Identity.ID]
  /// When the conversation was created, with the store's microseconds; see ``createdAt``.
  public let createdTimestamp: Timestamp?
  /// True when a second conversation of the same participants is refused.
  public let isDistinct: Bool
  /// What the application has tagged the conversation with.
  public let metadata: Metadata
  /// The message that sorts last by position, then creation; nil in an empty conversation.
  public let lastMessage: Message?
  /// How many messages of the conversation are unread.
  public let unreadCount: Int
  /// How many messages the conversation has.
  public let messageCount: Int

  /// When the conversation was created.
  public var createdAt: Date? { createdTimestamp?.date }
  /// True when at least one message is unread.
  public var hasUnreadMessages: Bool { unreadCount > 0 }
  /// How many participants there are.
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

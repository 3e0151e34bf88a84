public import SatchelModel

/// The queryable properties of a conversation, which compares as its identifier where another object refers to it.
public struct ConversationFields: Sendable {
  let prefix: [String]

  init(_ prefix: [String]) { self.prefix = prefix }

  /// The identifier.
  public var identifier: FieldTypes.Identifier<Conversation> { .init(propertyPath: prefix + ["identifier"]) }
  /// The users who take part now.
  public var participants: FieldTypes.Participants { .init(propertyPath: prefix + ["participants"]) }
  /// How many they are.
  public var participantCount: FieldTypes.Number { .init(propertyPath: prefix + ["participantCount"]) }
  /// When it was made.
  public var createdAt: FieldTypes.OptionalDate { .init(propertyPath: prefix + ["createdAt"]) }
  /// Whether it is the only one of its participants.
  public var isDistinct: FieldTypes.Boolean { .init(propertyPath: prefix + ["isDistinct"]) }
  /// Whether one of its messages is unread.
  public var hasUnreadMessages: FieldTypes.Boolean { .init(propertyPath: prefix + ["hasUnreadMessages"]) }
  /// How many of its messages are unread.
  public var unreadCount: FieldTypes.Number { .init(propertyPath: prefix + ["unreadCount"]) }
  /// How many messages it has.
  public var messageCount: FieldTypes.Number { .init(propertyPath: prefix + ["messageCount"]) }
  /// Its last message.
  public var lastMessage: LastMessageFields { LastMessageFields(prefix + ["lastMessage"]) }
  /// What it is tagged with.
  public var metadata: FieldTypes.WholeMetadata { .init(propertyPath: prefix + ["metadata"]) }
}

/// What a conversation shows of its last message; itself, it compares as the message's identifier.
public struct LastMessageFields: TextualField, OptionalField {
  public typealias Operand = Message.ID
  public let propertyPath: [String]

  init(_ path: [String]) { propertyPath = path }

  /// When it was sent.
  public var sentAt: FieldTypes.OptionalDate { .init(propertyPath: propertyPath + ["sentAt"]) }
  /// When it was received.
  public var receivedAt: FieldTypes.OptionalDate { .init(propertyPath: propertyPath + ["receivedAt"]) }
  /// Its place in the conversation.
  public var position: FieldTypes.OptionalNumber { .init(propertyPath: propertyPath + ["position"]) }
  /// Whether it is unread.
  public var isUnread: FieldTypes.OptionalBoolean { .init(propertyPath: propertyPath + ["isUnread"]) }
  /// Who sent it.
  public var sender: LastSenderFields { LastSenderFields(propertyPath + ["sender"]) }
}

/// What a conversation shows of its last message's sender.
public struct LastSenderFields: Sendable {
  let prefix: [String]

  init(_ prefix: [String]) { self.prefix = prefix }

  /// The user id.
  public var userID: FieldTypes.OptionalIdentifier<Identity> { .init(propertyPath: prefix + ["userID"]) }
}

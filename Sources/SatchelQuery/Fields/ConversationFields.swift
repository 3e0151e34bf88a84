public import SatchelModel

/// The queryable properties of a conversation. A reference from another object to a conversation compares as the
/// conversation's identifier.
public struct ConversationFields: Sendable {
  let prefix: [String]

  init(_ prefix: [String]) { self.prefix = prefix }

  /// The identifier.
  public var identifier: FieldTypes.Identifier<Conversation> { .init(propertyPath: prefix + ["identifier"]) }
  /// The identifier that a server has given the conversation; missing if it has given none.
  public var remoteID: FieldTypes.OptionalIdentifier<Conversation> {
    .init(propertyPath: prefix + ["remoteID"])
  }
  /// The current participants.
  public var participants: FieldTypes.Participants { .init(propertyPath: prefix + ["participants"]) }
  /// The number of current participants.
  public var participantCount: FieldTypes.Number { .init(propertyPath: prefix + ["participantCount"]) }
  /// When the conversation was created.
  public var createdAt: FieldTypes.OptionalDate { .init(propertyPath: prefix + ["createdAt"]) }
  /// When the participants, the metadata or the remote identifier changed last; before that when the conversation was created.
  public var updatedAt: FieldTypes.OptionalDate { .init(propertyPath: prefix + ["updatedAt"]) }
  /// Whether a second conversation with the same participants is refused.
  public var isDistinct: FieldTypes.Boolean { .init(propertyPath: prefix + ["isDistinct"]) }
  /// Whether at least one message of the conversation is unread.
  public var hasUnreadMessages: FieldTypes.Boolean { .init(propertyPath: prefix + ["hasUnreadMessages"]) }
  /// The number of unread messages of the conversation.
  public var unreadCount: FieldTypes.Number { .init(propertyPath: prefix + ["unreadCount"]) }
  /// The number of messages of the conversation.
  public var messageCount: FieldTypes.Number { .init(propertyPath: prefix + ["messageCount"]) }
  /// The last message of the conversation.
  public var lastMessage: LastMessageFields { LastMessageFields(prefix + ["lastMessage"]) }
  /// The metadata that the application has given the conversation.
  public var metadata: FieldTypes.WholeMetadata { .init(propertyPath: prefix + ["metadata"]) }
}

/// The queryable properties of a conversation's last message. The field itself compares as the message's identifier.
public struct LastMessageFields: TextualField, OptionalField, ReferenceField {
  /// What the property leads to.
  public typealias Target = Message
  /// What values of the field are compared with.
  public typealias Operand = Message.ID
  /// The names of the key path, from the queried object on.
  public let propertyPath: [String]

  init(_ path: [String]) { propertyPath = path }

  /// When it was sent.
  public var sentAt: FieldTypes.OptionalDate { .init(propertyPath: propertyPath + ["sentAt"]) }
  /// When it was received.
  public var receivedAt: FieldTypes.OptionalDate { .init(propertyPath: propertyPath + ["receivedAt"]) }
  /// The position of the message in the conversation.
  public var position: FieldTypes.OptionalNumber { .init(propertyPath: propertyPath + ["position"]) }
  /// Whether the message is unread.
  public var isUnread: FieldTypes.OptionalBoolean { .init(propertyPath: propertyPath + ["isUnread"]) }
  /// The sender of the message.
  public var sender: LastSenderFields { LastSenderFields(propertyPath + ["sender"]) }
}

/// The queryable properties of the sender of a conversation's last message.
public struct LastSenderFields: ReferenceField {
  /// What the property leads to.
  public typealias Target = Identity
  /// The names of the key path, from the queried object on.
  public let propertyPath: [String]

  init(_ path: [String]) { propertyPath = path }

  /// The user id.
  public var userID: FieldTypes.OptionalIdentifier<Identity> {
    .init(propertyPath: propertyPath + ["userID"])
  }
}

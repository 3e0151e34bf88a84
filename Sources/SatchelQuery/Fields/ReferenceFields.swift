public import SatchelModel

/// A message's conversation. It compares as the conversation's identifier, and gives access to the conversation's
/// properties.
@dynamicMemberLookup
public struct ConversationReferenceFields: TextualField {
  /// What values of the field are compared with.
  public typealias Operand = Conversation.ID
  /// The names of the key path, from the queried object on.
  public let propertyPath: [String]

  init(_ path: [String]) { propertyPath = path }

  /// A property of the conversation.
  public subscript<Member>(dynamicMember member: KeyPath<ConversationFields, Member>) -> Member {
    ConversationFields(propertyPath)[keyPath: member]
  }
}

/// A part's message. It compares as the message's identifier, and gives access to the message's properties.
@dynamicMemberLookup
public struct MessageReferenceFields: TextualField {
  /// What values of the field are compared with.
  public typealias Operand = Message.ID
  /// The names of the key path, from the queried object on.
  public let propertyPath: [String]

  init(_ path: [String]) { propertyPath = path }

  /// A property of the message.
  public subscript<Member>(dynamicMember member: KeyPath<MessageFields, Member>) -> Member {
    MessageFields(propertyPath)[keyPath: member]
  }
}

/// The queryable properties of the sender of a message or an announcement.
public struct SenderFields: Sendable {
  let prefix: [String]

  init(_ prefix: [String]) { self.prefix = prefix }

  /// The user id.
  public var userID: FieldTypes.Identifier<Identity> { .init(propertyPath: prefix + ["userID"]) }
  /// The display name; missing if the user has no identity, or an identity without a display name.
  public var displayName: FieldTypes.OptionalText { .init(propertyPath: prefix + ["displayName"]) }
}

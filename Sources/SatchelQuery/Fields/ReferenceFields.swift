public import SatchelModel

/// A property that leads to another object, which can come with the results of a query: see ``Query/including(_:as:)``.
public protocol ReferenceField<Target>: QueryField {
  /// The type of the object that it leads to.
  associatedtype Target: Sendable
}

/// A message's conversation. It compares as the conversation's identifier, and gives access to the conversation's
/// properties.
@dynamicMemberLookup
public struct ConversationReferenceFields: TextualField, ReferenceField {
  /// What the property leads to.
  public typealias Target = Conversation
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
public struct MessageReferenceFields: TextualField, ReferenceField {
  /// What the property leads to.
  public typealias Target = Message
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
public struct SenderFields: ReferenceField {
  /// What the property leads to.
  public typealias Target = Identity
  /// The names of the key path, from the queried object on.
  public let propertyPath: [String]

  init(_ path: [String]) { propertyPath = path }

  /// The user id.
  public var userID: FieldTypes.Identifier<Identity> { .init(propertyPath: propertyPath + ["userID"]) }
  /// The display name; missing if the user has no identity, or an identity without a display name.
  public var displayName: FieldTypes.OptionalText { .init(propertyPath: propertyPath + ["displayName"]) }
}

public import SatchelModel

/// A message's conversation: its identifier to compare with, and its properties.
@dynamicMemberLookup
public struct ConversationReferenceFields: TextualField {
  public typealias Operand = Conversation.ID
  public let propertyPath: [String]

  init(_ path: [String]) { propertyPath = path }

  /// A property of that object.
  public subscript<Member>(dynamicMember member: KeyPath<ConversationFields, Member>) -> Member {
    ConversationFields(propertyPath)[keyPath: member]
  }
}

/// A part's message: its identifier to compare with, and its properties.
@dynamicMemberLookup
public struct MessageReferenceFields: TextualField {
  public typealias Operand = Message.ID
  public let propertyPath: [String]

  init(_ path: [String]) { propertyPath = path }

  /// A property of that object.
  public subscript<Member>(dynamicMember member: KeyPath<MessageFields, Member>) -> Member {
    MessageFields(propertyPath)[keyPath: member]
  }
}

/// What a message shows of its sender.
public struct SenderFields: Sendable {
  let prefix: [String]

  init(_ prefix: [String]) { self.prefix = prefix }

  /// The user id.
  public var userID: FieldTypes.Identifier<Identity> { .init(propertyPath: prefix + ["userID"]) }
  /// The name to show; missing when the user has none or no identity.
  public var displayName: FieldTypes.OptionalText { .init(propertyPath: prefix + ["displayName"]) }
}

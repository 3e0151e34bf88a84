public import SatchelModel

/// The queryable properties of a message.
public struct MessageFields: Sendable {
  let prefix: [String]

  init(_ prefix: [String]) { self.prefix = prefix }

  /// The identifier.
  public var identifier: FieldTypes.Identifier<Message> { .init(propertyPath: prefix + ["identifier"]) }
  /// Its conversation.
  public var conversation: ConversationReferenceFields {
    ConversationReferenceFields(prefix + ["conversation"])
  }
  /// The place in the conversation; missing while unsent.
  public var position: FieldTypes.OptionalNumber { .init(propertyPath: prefix + ["position"]) }
  /// Who sent it.
  public var sender: SenderFields { SenderFields(prefix + ["sender"]) }
  /// When it was sent.
  public var sentAt: FieldTypes.OptionalDate { .init(propertyPath: prefix + ["sentAt"]) }
  /// When it was received.
  public var receivedAt: FieldTypes.OptionalDate { .init(propertyPath: prefix + ["receivedAt"]) }
  /// Whether the service has it.
  public var isSent: FieldTypes.Boolean { .init(propertyPath: prefix + ["isSent"]) }
  /// Whether the store's user has not read it.
  public var isUnread: FieldTypes.Boolean { .init(propertyPath: prefix + ["isUnread"]) }
  /// Its parts.
  public var parts: FieldTypes.Parts { .init(propertyPath: prefix + ["parts"]) }
  /// How far it has come on its way to each user.
  public var recipientStatus: FieldTypes.Statuses { .init(propertyPath: prefix + ["recipientStatus"]) }
  /// What it is tagged with.
  public var metadata: FieldTypes.WholeMetadata { .init(propertyPath: prefix + ["metadata"]) }
}

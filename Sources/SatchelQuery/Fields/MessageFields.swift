public import SatchelModel

/// The queryable properties of a message.
public struct MessageFields: Sendable {
  let prefix: [String]

  init(_ prefix: [String]) { self.prefix = prefix }

  /// The identifier.
  public var identifier: FieldTypes.Identifier<Message> { .init(propertyPath: prefix + ["identifier"]) }
  /// The identifier that a server has given the message; missing if it has given none.
  public var remoteID: FieldTypes.OptionalIdentifier<Message> { .init(propertyPath: prefix + ["remoteID"]) }
  /// The conversation of the message.
  public var conversation: ConversationReferenceFields {
    ConversationReferenceFields(prefix + ["conversation"])
  }
  /// The position in the conversation; missing while the message is unsent.
  public var position: FieldTypes.OptionalNumber { .init(propertyPath: prefix + ["position"]) }
  /// The sender.
  public var sender: SenderFields { SenderFields(prefix + ["sender"]) }
  /// When it was sent.
  public var sentAt: FieldTypes.OptionalDate { .init(propertyPath: prefix + ["sentAt"]) }
  /// When it was received.
  public var receivedAt: FieldTypes.OptionalDate { .init(propertyPath: prefix + ["receivedAt"]) }
  /// When its parts were edited last; missing if they are as they were sent.
  public var editedAt: FieldTypes.OptionalDate { .init(propertyPath: prefix + ["editedAt"]) }
  /// When it was deleted for everyone; missing if it was not.
  public var deletedAt: FieldTypes.OptionalDate { .init(propertyPath: prefix + ["deletedAt"]) }
  /// When anything of it changed last that users see, its arrival included.
  public var updatedAt: FieldTypes.OptionalDate { .init(propertyPath: prefix + ["updatedAt"]) }
  /// Whether the service has accepted the message.
  public var isSent: FieldTypes.Boolean { .init(propertyPath: prefix + ["isSent"]) }
  /// Whether the store's user has not read the message.
  public var isUnread: FieldTypes.Boolean { .init(propertyPath: prefix + ["isUnread"]) }
  /// The parts.
  public var parts: FieldTypes.Parts { .init(propertyPath: prefix + ["parts"]) }
  /// The delivery status for each recipient.
  public var recipientStatus: FieldTypes.Statuses { .init(propertyPath: prefix + ["recipientStatus"]) }
  /// The metadata that the application has given the message.
  public var metadata: FieldTypes.WholeMetadata { .init(propertyPath: prefix + ["metadata"]) }
}

public import SatchelModel

/// The queryable properties of an announcement.
public struct AnnouncementFields: Sendable {
  init() {}

  /// The identifier.
  public var identifier: FieldTypes.Identifier<Announcement> { .init(propertyPath: ["identifier"]) }
  /// The place in the conversation; missing while unsent.
  public var position: FieldTypes.OptionalNumber { .init(propertyPath: ["position"]) }
  /// Who sent it.
  public var sender: SenderFields { SenderFields(["sender"]) }
  /// When it was sent.
  public var sentAt: FieldTypes.OptionalDate { .init(propertyPath: ["sentAt"]) }
  /// When it was received.
  public var receivedAt: FieldTypes.OptionalDate { .init(propertyPath: ["receivedAt"]) }
  /// Whether the service has it.
  public var isSent: FieldTypes.Boolean { .init(propertyPath: ["isSent"]) }
  /// Whether the store's user has not read it.
  public var isUnread: FieldTypes.Boolean { .init(propertyPath: ["isUnread"]) }
  /// Its parts.
  public var parts: FieldTypes.Parts { .init(propertyPath: ["parts"]) }
  /// How far it has come on its way to each user.
  public var recipientStatus: FieldTypes.Statuses { .init(propertyPath: ["recipientStatus"]) }
  /// What it is tagged with.
  public var metadata: FieldTypes.WholeMetadata { .init(propertyPath: ["metadata"]) }
}

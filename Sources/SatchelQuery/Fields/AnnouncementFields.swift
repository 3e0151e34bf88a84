public import SatchelModel

/// The queryable properties of an announcement.
public struct AnnouncementFields: Sendable {
  init() {}

  /// The identifier.
  public var identifier: FieldTypes.Identifier<Announcement> { .init(propertyPath: ["identifier"]) }
  /// The identifier that a server has given the announcement; missing if it has given none.
  public var remoteID: FieldTypes.OptionalIdentifier<Announcement> { .init(propertyPath: ["remoteID"]) }
  /// The position; missing while the announcement is unsent.
  public var position: FieldTypes.OptionalNumber { .init(propertyPath: ["position"]) }
  /// The sender.
  public var sender: SenderFields { SenderFields(["sender"]) }
  /// When it was sent.
  public var sentAt: FieldTypes.OptionalDate { .init(propertyPath: ["sentAt"]) }
  /// When it was received.
  public var receivedAt: FieldTypes.OptionalDate { .init(propertyPath: ["receivedAt"]) }
  /// When its parts were edited last; missing if they are as they were sent.
  public var editedAt: FieldTypes.OptionalDate { .init(propertyPath: ["editedAt"]) }
  /// When it was deleted for everyone; missing if it was not.
  public var deletedAt: FieldTypes.OptionalDate { .init(propertyPath: ["deletedAt"]) }
  /// When anything of it changed last that users see, its arrival included.
  public var updatedAt: FieldTypes.OptionalDate { .init(propertyPath: ["updatedAt"]) }
  /// Whether the service has accepted the announcement.
  public var isSent: FieldTypes.Boolean { .init(propertyPath: ["isSent"]) }
  /// Whether the store's user has not read the announcement.
  public var isUnread: FieldTypes.Boolean { .init(propertyPath: ["isUnread"]) }
  /// The parts.
  public var parts: FieldTypes.Parts { .init(propertyPath: ["parts"]) }
  /// The delivery status for each recipient.
  public var recipientStatus: FieldTypes.Statuses { .init(propertyPath: ["recipientStatus"]) }
  /// The metadata that the application has given the announcement.
  public var metadata: FieldTypes.WholeMetadata { .init(propertyPath: ["metadata"]) }
}

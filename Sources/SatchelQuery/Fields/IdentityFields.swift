public import SatchelModel

/// The queryable properties of an identity.
public struct IdentityFields: Sendable {
  init() {}

  /// The user id.
  public var identifier: FieldTypes.Identifier<Identity> { .init(propertyPath: ["identifier"]) }
  /// The user id.
  public var userID: FieldTypes.Identifier<Identity> { .init(propertyPath: ["userID"]) }
  /// The display name.
  public var displayName: FieldTypes.OptionalText { .init(propertyPath: ["displayName"]) }
  /// The given name.
  public var firstName: FieldTypes.OptionalText { .init(propertyPath: ["firstName"]) }
  /// The family name.
  public var lastName: FieldTypes.OptionalText { .init(propertyPath: ["lastName"]) }
  /// The mail address.
  public var emailAddress: FieldTypes.OptionalText { .init(propertyPath: ["emailAddress"]) }
  /// The telephone number.
  public var phoneNumber: FieldTypes.OptionalText { .init(propertyPath: ["phoneNumber"]) }
  /// The URL of a picture.
  public var avatarURL: FieldTypes.OptionalText { .init(propertyPath: ["avatarURL"]) }
  /// The key with which messages to the user are encrypted.
  public var publicKey: FieldTypes.OptionalText { .init(propertyPath: ["publicKey"]) }
  /// Whether the store's user follows this identity.
  public var followed: FieldTypes.Boolean { .init(propertyPath: ["followed"]) }
  /// When the user was last seen.
  public var lastSeenAt: FieldTypes.OptionalDate { .init(propertyPath: ["lastSeenAt"]) }
  /// Whether the user can be reached. Sorts from offline to invisible.
  public var presenceStatus: FieldTypes.OptionalEnumeration<PresenceStatus> {
    .init(propertyPath: ["presenceStatus"])
  }
  /// The metadata that the application has given the identity.
  public var metadata: FieldTypes.WholeMetadata { .init(propertyPath: ["metadata"]) }
}

extension PresenceStatus: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { .text(name) }
}

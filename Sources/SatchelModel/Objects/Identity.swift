#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What is known of a user: names, addresses and metadata. A participant or sender need not have an identity.
public struct Identity: Identifiable, Hashable, Sendable {
  /// The type of a user id.
  public typealias ID = ObjectID<Identity>

  /// The user id, which is also the identity's identifier.
  public package(set) var userID: ID
  /// The name to show.
  public var displayName: String?
  /// The given name.
  public var firstName: String?
  /// The family name.
  public var lastName: String?
  /// The mail address.
  public var emailAddress: String?
  /// The telephone number.
  public var phoneNumber: String?
  /// The URL of a picture of the user.
  public var avatarURL: String?
  /// The key with which messages to the user are encrypted, in the application's own notation.
  public var publicKey: String?
  /// True if the store's user follows this user.
  public var followed: Bool
  /// When the user was last seen; see ``lastSeenAt`` for a `Date`.
  public var lastSeenTimestamp: Timestamp?
  /// Whether the user can be reached; nil if that is not known.
  public var presenceStatus: PresenceStatus?
  /// The metadata that the application has attached to the identity.
  public var metadata: Metadata

  /// The identifier of the identity, which is the user id.
  public var id: ID { userID }

  /// When the user was last seen, as a `Date`; see ``lastSeenTimestamp`` for the exact value.
  public var lastSeenAt: Date? {
    get { lastSeenTimestamp?.date }
    set { lastSeenTimestamp = newValue.map { Timestamp($0) } }
  }

  /// Makes an identity. It is not in a store until it is put there.
  public init(
    userID: ID, displayName: String? = nil, firstName: String? = nil, lastName: String? = nil,
    emailAddress: String? = nil, phoneNumber: String? = nil, avatarURL: String? = nil,
    publicKey: String? = nil, followed: Bool = false, lastSeenAt: Date? = nil,
    presenceStatus: PresenceStatus? = nil, metadata: Metadata = Metadata()
  ) {
    self.userID = userID
    self.displayName = displayName
    self.firstName = firstName
    self.lastName = lastName
    self.emailAddress = emailAddress
    self.phoneNumber = phoneNumber
    self.avatarURL = avatarURL
    self.publicKey = publicKey
    self.followed = followed
    lastSeenTimestamp = lastSeenAt.map { Timestamp($0) }
    self.presenceStatus = presenceStatus
    self.metadata = metadata
  }
}

/// What is known of a user: names, addresses and metadata. A participant or sender need not have an identity.
public struct Identity: Identifiable, Hashable, Sendable {
  /// The type of a user id.
  public typealias ID = ObjectID<Identity>

  /// The user id, which is also the identity's identifier.
  public let userID: ID
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
  /// True if the store's user follows this user.
  public var followed: Bool
  /// The metadata that the application has attached to the identity.
  public var metadata: Metadata

  /// The identifier of the identity, which is the user id.
  public var id: ID { userID }

  /// Makes an identity. It is not in a store until it is put there.
  public init(
    userID: ID, displayName: String? = nil, firstName: String? = nil, lastName: String? = nil,
    emailAddress: String? = nil, phoneNumber: String? = nil, avatarURL: String? = nil, followed: Bool = false,
    metadata: Metadata = Metadata()
  ) {
    self.userID = userID
    self.displayName = displayName
    self.firstName = firstName
    self.lastName = lastName
    self.emailAddress = emailAddress
    self.phoneNumber = phoneNumber
    self.avatarURL = avatarURL
    self.followed = followed
    self.metadata = metadata
  }
}

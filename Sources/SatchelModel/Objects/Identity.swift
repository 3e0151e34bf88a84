/// What is known of a user. A user id needs no identity: participants and senders may have none.
public struct Identity: Identifiable, Hashable, Sendable {
  /// A user id.
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
  /// Where a picture of the user is.
  public var avatarURL: String?
  /// True when the store's user follows this one.
  public var followed: Bool
  /// What the application has tagged the identity with.
  public var metadata: Metadata

  /// The user id.
  public var id: ID { userID }

  /// An identity.
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

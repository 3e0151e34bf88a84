internal import SatchelBytes
package import SatchelModel

/// The values that the record of an identity holds.
package struct StoredIdentity: Sendable, Hashable {
  /// The optional texts, by their order in the record.
  package enum Text: UInt8, Sendable, Hashable, CaseIterable {
    case displayName = 0
    case firstName = 1
    case lastName = 2
    case emailAddress = 3
    case phoneNumber = 4
    case avatarURL = 5
  }

  /// The interned user id.
  package var user: UInt32
  package var displayName: String?
  package var firstName: String?
  package var lastName: String?
  package var emailAddress: String?
  package var phoneNumber: String?
  package var avatarURL: String?
  package var followed: Bool
  package var metadata: Metadata

  package init(
    user: UInt32, displayName: String? = nil, firstName: String? = nil, lastName: String? = nil,
    emailAddress: String? = nil, phoneNumber: String? = nil, avatarURL: String? = nil, followed: Bool = false,
    metadata: Metadata = Metadata()
  ) {
    self.user = user
    self.displayName = displayName
    self.firstName = firstName
    self.lastName = lastName
    self.emailAddress = emailAddress
    self.phoneNumber = phoneNumber
    self.avatarURL = avatarURL
    self.followed = followed
    self.metadata = metadata
  }

  /// One of the optional texts.
  package subscript(text: Text) -> String? {
    get {
      switch text {
      case .displayName: displayName
      case .firstName: firstName
      case .lastName: lastName
      case .emailAddress: emailAddress
      case .phoneNumber: phoneNumber
      case .avatarURL: avatarURL
      }
    }
    set {
      switch text {
      case .displayName: displayName = newValue
      case .firstName: firstName = newValue
      case .lastName: lastName = newValue
      case .emailAddress: emailAddress = newValue
      case .phoneNumber: phoneNumber = newValue
      case .avatarURL: avatarURL = newValue
      }
    }
  }

  /// Returns the bytes of the record of the identity in `row`.
  package func encode(row: UInt32) -> [UInt8] {
    var writer = RecordFrame.writer(.identity, capacity: 256)
    var flags: UInt8 = followed ? IdentityView.followedFlag : 0
    for text in Text.allCases where self[text] != nil { flags |= 1 << text.rawValue }
    writer.u8(flags)
    writer.u8(0)
    writer.u32(user)
    for text in Text.allCases {
      if let string = self[text] { writer.counted(string) }
    }
    MetadataView.write(metadata, to: &writer)
    return RecordFrame.finish(&writer, key: ObjectKey.identity(row: row).bytes)
  }
}

extension Identity {
  /// The value of one of `ObjectField.ofIdentities`. It must be set to a value of the field's type.
  package subscript(field: ObjectField) -> FieldValue {
    get {
      switch field {
      case .displayName: .text(displayName)
      case .firstName: .text(firstName)
      case .lastName: .text(lastName)
      case .emailAddress: .text(emailAddress)
      case .phoneNumber: .text(phoneNumber)
      case .avatarURL: .text(avatarURL)
      case .publicKey: .text(publicKey)
      case .followed: .boolean(followed)
      case .lastSeenAt: .date(lastSeenTimestamp)
      case .presenceStatus: .choice(presenceStatus?.rawValue)
      default: preconditionFailure("an identity has no \(field)")
      }
    }
    set {
      switch (field, newValue) {
      case (.displayName, .text(let text)): displayName = text
      case (.firstName, .text(let text)): firstName = text
      case (.lastName, .text(let text)): lastName = text
      case (.emailAddress, .text(let text)): emailAddress = text
      case (.phoneNumber, .text(let text)): phoneNumber = text
      case (.avatarURL, .text(let text)): avatarURL = text
      case (.publicKey, .text(let text)): publicKey = text
      case (.followed, .boolean(let value)): followed = value
      case (.lastSeenAt, .date(let date)): lastSeenTimestamp = date
      case (.presenceStatus, .choice(let number)):
        presenceStatus = number.flatMap(PresenceStatus.init(rawValue:))
      default: preconditionFailure("\(newValue) is no \(field) of an identity")
      }
    }
  }
}

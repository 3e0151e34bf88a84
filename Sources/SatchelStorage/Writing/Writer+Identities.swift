internal import SatchelCoding
package import SatchelModel

extension Writer {
  /// Stores what is known of a user, replacing what was known before.
  /// - Throws: ``SatchelError`` `invalidIdentifier`, `invalidKey` or `invalidValue`. In each case nothing has changed.
  package func putIdentity(_ identity: Identity) throws {
    try Self.check(identity)
    if let row = try locateIdentity(identity.userID.rawValue) {
      let state = try self.identity(row)
      guard let old = state.current else { return }
      let fields = StoredIdentity(identity, user: old.user)
      if !old.hasSameBytes(as: fields) { state.update(fields) }
      try flushIfFull()
    } else {
      try addIdentity(identity)
    }
  }

  /// Stores what is known of a user who has no identity yet.
  /// - Throws: ``SatchelError`` `identifierExists`, or as `putIdentity`.
  package func insertIdentity(_ identity: Identity) throws {
    try Self.check(identity)
    guard try locateIdentity(identity.userID.rawValue) == nil else {
      throw SatchelError(
        .identifierExists, "An identity with that user id is in the store already",
        ["identity": identity.userID.rawValue])
    }
    try addIdentity(identity)
  }

  private func addIdentity(_ identity: Identity) throws {
    try changing {
      let (row, fields) = try store(identity)
      overlay.identityUsers[fields.user] = row
      overlay.insert(identity: row, IdentityState(created: fields))
      try flushIfFull()
    }
  }

  static func check(_ identity: Identity) throws {
    try check(identifier: identity.userID.rawValue, "identity")
    try identity.metadata.validate()
  }

  /// Gives a checked identity its row. The caller has to write the record.
  func store(_ identity: Identity) throws -> (UInt32, StoredIdentity) {
    guard seal.nextIdentity < .max else {
      throw SatchelError(.storeFull, "The store has no numbers left for identities")
    }
    let row = seal.nextIdentity
    seal.nextIdentity += 1
    return (row, StoredIdentity(identity, user: try intern(.users, identity.userID.rawValue)))
  }

  /// Changes properties of an identity.
  /// - Throws: ``SatchelError`` `unknownIdentity`, `invalidKey` or `invalidValue`. In each case nothing has changed.
  package func updateIdentity(_ id: Identity.ID, _ update: IdentityUpdate) throws {
    let row = try existingIdentity(id)
    let state = try identity(row)
    guard let old = state.fields else { return }
    for edit in update.metadata { try edit.validate() }
    var fields = old
    fields.displayName = update.displayName.applied(to: old.displayName)
    fields.firstName = update.firstName.applied(to: old.firstName)
    fields.lastName = update.lastName.applied(to: old.lastName)
    fields.emailAddress = update.emailAddress.applied(to: old.emailAddress)
    fields.phoneNumber = update.phoneNumber.applied(to: old.phoneNumber)
    fields.avatarURL = update.avatarURL.applied(to: old.avatarURL)
    if let followed = update.followed { fields.followed = followed }
    try changing {
      _ = try state.gather { edits, fields in try edits.add(update.metadata, to: fields.metadata) }
      if !old.hasSameTexts(as: fields) { state.edit { $0 = fields } }
      try flushIfFull()
    }
  }

  /// Follows or unfollows a user. A followed user who has no identity yet gets one without names.
  /// - Throws: ``SatchelError`` `invalidIdentifier`.
  package func setFollowed(_ followed: Bool, _ id: Identity.ID) throws {
    try Self.check(identifier: id.rawValue, "identity")
    if try locateIdentity(id.rawValue) == nil {
      if followed { try addIdentity(Identity(userID: id, followed: true)) }
      return
    }
    var update = IdentityUpdate()
    update.followed = followed
    try updateIdentity(id, update)
  }
}

extension StoredIdentity {
  init(_ identity: Identity, user: UInt32) {
    self.init(
      user: user, displayName: identity.displayName, firstName: identity.firstName,
      lastName: identity.lastName,
      emailAddress: identity.emailAddress, phoneNumber: identity.phoneNumber, avatarURL: identity.avatarURL,
      followed: identity.followed, metadata: identity.metadata)
  }

  /// Whether both would be the same record. `==` is not enough: Swift's strings are equal in any normal form.
  func hasSameBytes(as other: StoredIdentity) -> Bool {
    hasSameTexts(as: other) && metadata.hasSameBytes(as: other.metadata)
  }

  /// Whether both would be the same record if they had the same metadata.
  func hasSameTexts(as other: StoredIdentity) -> Bool {
    user == other.user && followed == other.followed
      && Text.allCases.allSatisfy { text in
        switch (self[text], other[text]) {
        case (nil, nil): true
        case (let left?, let right?): UTF8Order.areEqual(left, right)
        default: false
        }
      }
  }
}

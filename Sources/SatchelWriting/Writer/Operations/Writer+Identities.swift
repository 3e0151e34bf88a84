internal import SatchelCoding
package import SatchelModel

extension Writer {
  /// Stores what is known of a user, replacing what was known before.
  /// - Throws: ``SatchelError`` `invalidIdentifier`, `invalidKey` or `invalidValue`. In each case nothing has changed.
  package func putIdentity(_ identity: Identity) throws {
    try check(identity)
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
    try check(identity)
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

  func check(_ identity: Identity) throws {
    try Self.check(identifier: identity.userID.rawValue, "identity")
    try identity.metadata.validate(environmentOfWrites.metadataKeys)
  }

  /// Gives a checked identity its row. The caller has to write the record.
  func store(_ identity: Identity) throws -> (UInt32, StoredIdentity) {
    let row = try tables.takeIdentity()
    return (row, StoredIdentity(identity, user: try interner.intern(.users, identity.userID.rawValue)))
  }

  /// Changes properties of an identity.
  /// - Throws: ``SatchelError`` `unknownIdentity`, `invalidKey` or `invalidValue`. In each case nothing has changed.
  package func updateIdentity(_ id: Identity.ID, _ update: IdentityUpdate) throws {
    let row = try existingIdentity(id)
    let state = try identity(row)
    guard let old = state.fields else { return }
    for edit in update.metadata { try edit.validate(environmentOfWrites.metadataKeys) }
    var fields = old
    for (field, value) in update.values { fields[field] = value }
    try changing {
      _ = state.gather { edits, fields in edits.add(update.metadata, to: fields.metadata) }
      if !old.hasSameValues(as: fields) { state.edit { $0 = fields } }
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
    update.values[.followed] = .boolean(followed)
    try updateIdentity(id, update)
  }
}

extension StoredIdentity {
  /// Whether both would be the same record.
  func hasSameBytes(as other: StoredIdentity) -> Bool {
    hasSameValues(as: other) && metadata.hasSameBytes(as: other.metadata)
  }

  /// Whether both would be the same record if they had the same metadata.
  func hasSameValues(as other: StoredIdentity) -> Bool {
    user == other.user && ObjectField.ofIdentities.allSatisfy { self[$0].hasSameBytes(as: other[$0]) }
  }
}

internal import SatchelBytes
package import SatchelModel

/// The values that the record of an identity holds.
package struct StoredIdentity: Sendable, Hashable {
  /// The interned user id.
  package var user: UInt32
  /// All values but the user id: the record has only its number, so that it is empty here.
  package private(set) var values: Identity

  /// - Parameter user: The number of the identity's user id.
  package init(_ identity: Identity, user: UInt32) {
    self.user = user
    values = identity
    values.userID = Identity.ID("")
  }

  package var metadata: Metadata {
    get { values.metadata }
    set { values.metadata = newValue }
  }

  /// The value of one of `ObjectField.ofIdentities`.
  package subscript(field: ObjectField) -> FieldValue {
    get { values[field] }
    set { values[field] = newValue }
  }

  /// Returns the identity of a user.
  package func identity(_ userID: Identity.ID) -> Identity {
    var identity = values
    identity.userID = userID
    return identity
  }

  /// The optional texts, by their order in the record, which is that of the bits that say whether they exist.
  static let texts = ObjectField.ofIdentities.filter { $0.type == .text }

  /// Returns the bytes of the record of the identity in `row`.
  package func encode(row: UInt32) -> [UInt8] {
    var writer = RecordFrame.writer(.identity, capacity: 256)
    var flags: UInt8 = values.followed ? IdentityView.followedFlag : 0
    var texts: [String] = []
    for (bit, field) in Self.texts.enumerated() {
      guard case .text(let text?) = values[field] else { continue }
      flags |= 1 << UInt8(bit)
      texts.append(text)
    }
    writer.u8(flags)
    let presence = values.presenceStatus.map { $0.rawValue + 1 } ?? 0
    writer.u8(presence | (values.lastSeenTimestamp == nil ? 0 : IdentityView.lastSeenFlag))
    writer.u32(user)
    if let lastSeen = values.lastSeenTimestamp { writer.u64(UInt64(bitPattern: lastSeen.microseconds)) }
    for text in texts { writer.counted(text) }
    MetadataView.write(metadata, to: &writer)
    return RecordFrame.finish(&writer, key: ObjectKey.identity(row: row).bytes)
  }
}

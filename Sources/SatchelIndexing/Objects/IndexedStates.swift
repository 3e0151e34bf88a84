package import SatchelCoding
package import SatchelModel
import SatchelText

extension IndexedMessage {
  /// Makes what the indexes are to hold of a message, without its metadata.
  package init(_ fields: StoredMessage, _ key: MessageKey, isVisible: Bool) {
    self.init(
      conversation: key.conversation, sequence: key.sequence,
      identifierHash: KeyWords.identifierHash(fields.identifier),
      remoteIDHash: fields.remoteID.map { KeyWords.identifierHash($0) }, fields: fields.fixed,
      parts: fields.parts.map { Part(mimeType: $0.mimeType, size: $0.size) }, isVisible: isVisible)
  }

  /// Makes what the indexes are to hold of a message, without its metadata.
  package init(_ view: MessageView, isVisible: Bool) {
    var parts: [Part] = []
    parts.reserveCapacity(view.partCount)
    view.forEachPart { parts.append(Part(mimeType: $0.mimeType, size: $0.size)) }
    self.init(
      conversation: view.key.conversation, sequence: view.key.sequence,
      identifierHash: unsafe KeyWords.identifierHash(view.identifierBytes),
      remoteIDHash: unsafe view.remoteIDBytes.map { unsafe KeyWords.identifierHash($0) },
      fields: view.head.fields,
      parts: parts, isVisible: isVisible)
  }
}

extension IndexedConversation {
  /// Makes what the indexes are to hold of a conversation, without its members and metadata.
  package init(_ fields: StoredConversation, row: UInt32) {
    self.init(
      row: row, identifierHash: KeyWords.identifierHash(fields.identifier),
      remoteIDHash: fields.remoteID.map { KeyWords.identifierHash($0) }, createdAt: fields.createdAt,
      memberSet: fields.participantSet, members: [], lastReceivedAt: fields.last?.receivedAt,
      lastSentAt: fields.last?.sentAt, hasUnread: fields.unreadCount > 0, metadata: [],
      isVisible: fields.isVisible)
  }
}

extension IndexedIdentity {
  /// Makes what the indexes are to hold of an identity, without its metadata.
  package init(_ fields: StoredIdentity, row: UInt32) {
    let texts: [(NameGroup, String?)] = [
      (.displayName, fields.values.displayName), (.firstName, fields.values.firstName),
      (.lastName, fields.values.lastName), (.emailAddress, fields.values.emailAddress),
      (.phoneNumber, fields.values.phoneNumber),
    ]
    self.init(
      row: row, user: fields.user,
      names: texts.compactMap { group, text in text.map { Name(group: group, text: NFC.bytes($0)) } },
      metadata: [])
  }
}

extension IndexedValue {
  /// Returns the values of metadata as the indexes hold them. `number` returns the number of a key path.
  package static func all(_ metadata: Metadata, number: (String) throws -> UInt32) rethrows -> [IndexedValue]
  {
    var values: [(path: [String], value: MetadataValue)] = []
    metadata.forEachValue { values.append(($0, $1)) }
    return try values.flatMap { path, value in
      let number = try number(MetadataPath(path).stored)
      return Value.all(value).map { IndexedValue(path: number, value: $0) }
    }
  }
}

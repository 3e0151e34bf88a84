internal import SatchelBytes
package import SatchelModel

/// The values that the record of a message or an announcement holds.
package struct StoredMessage: Sendable, Hashable {
  /// The UTF-8 bytes of the identifier.
  package var identifier: [UInt8]
  /// The UTF-8 bytes of the identifier that a server has given the message; nil if it has given none.
  package var remoteID: [UInt8]?
  /// The interned user id of the sender.
  package var sender: UInt32
  package var position: Int64?
  /// Microseconds since 1970.
  package var sentAt: Int64?
  /// Microseconds since 1970.
  package var receivedAt: Int64?
  package var life: MessageLife
  package var isSent: Bool
  package var isUnread: Bool
  /// The interned set of the parts' MIME types.
  package var typeSet: UInt32
  /// The recipients, by ascending user, each user once.
  package var recipients: [RecipientFields]
  package var metadata: Metadata
  package var parts: [StoredPart]

  package init(
    identifier: [UInt8], remoteID: [UInt8]? = nil, sender: UInt32, position: Int64? = nil,
    sentAt: Int64? = nil,
    receivedAt: Int64? = nil, life: MessageLife = MessageLife(),
    isSent: Bool = false, isUnread: Bool = false, typeSet: UInt32, recipients: [RecipientFields] = [],
    metadata: Metadata = Metadata(), parts: [StoredPart] = []
  ) {
    self.identifier = identifier
    self.remoteID = remoteID
    self.sender = sender
    self.position = position
    self.sentAt = sentAt
    self.receivedAt = receivedAt
    self.life = life
    self.isSent = isSent
    self.isUnread = isUnread
    self.typeSet = typeSet
    self.recipients = recipients
    self.metadata = metadata
    self.parts = parts
  }
}

extension StoredMessage {
  /// The parts whose contents are in `bodies`, with their lengths.
  package var contentsInBodies: [(part: Int, length: UInt64)] {
    parts.enumerated().compactMap { index, part in
      guard case .stored(let length, _) = part.content else { return nil }
      return (index, length)
    }
  }

  /// Returns the bytes of the record under `key`. Recipients that are not in order are sorted; of two entries for one
  /// user the later one is kept.
  package func encode(key: MessageKey) -> [UInt8] {
    var encoder = MessageEncoder(
      capacity: 64 + identifier.count + (remoteID?.count ?? 0) + 4 * recipients.count + inlineBytes
        + RecordFrame.checksumBytes)
    encoder.begin(
      fixed, life: life, identifier: identifier, remoteID: remoteID, recipients: recipients,
      metadata: metadata,
      parts: parts.count)
    for part in parts {
      switch part.content {
      case .inline(let bytes):
        encoder.part(
          part.kind, mimeType: part.mimeType, size: part.size, transferStatus: part.transferStatus,
          length: UInt64(bytes.count))
        encoder.append(bytes)
      case .stored(let length, let digest):
        encoder.part(
          part.kind, mimeType: part.mimeType, size: part.size, transferStatus: part.transferStatus,
          length: length, storedDigest: digest)
      }
    }
    encoder.finish(key: key)
    return encoder.bytes
  }

  /// The fields at fixed offsets of the record.
  package var fixed: MessageFixedFields {
    MessageFixedFields(
      sender: sender, position: position, sentAt: sentAt, receivedAt: receivedAt, isSent: isSent,
      isUnread: isUnread, typeSet: typeSet)
  }

  private var inlineBytes: Int {
    parts.reduce(0) { total, part in
      if case .inline(let bytes) = part.content { total + bytes.count + 16 } else { total + 32 }
    }
  }
}

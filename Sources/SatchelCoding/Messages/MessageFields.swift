internal import SatchelBytes
package import SatchelModel

/// What the record of a message or an announcement holds.
package struct MessageFields: Sendable, Hashable {
  /// The UTF-8 bytes of the identifier.
  package var identifier: [UInt8]
  /// The interned user id of the sender.
  package var sender: UInt32
  package var position: Int64?
  /// Microseconds since 1970.
  package var sentAt: Int64?
  /// Microseconds since 1970.
  package var receivedAt: Int64?
  package var isSent: Bool
  package var isUnread: Bool
  /// The interned set of the parts' MIME types.
  package var typeSet: UInt32
  /// By ascending user, each user once.
  package var recipients: [RecipientFields]
  package var metadata: Metadata
  package var parts: [PartFields]

  package init(
    identifier: [UInt8], sender: UInt32, position: Int64? = nil, sentAt: Int64? = nil,
    receivedAt: Int64? = nil,
    isSent: Bool = false, isUnread: Bool = false, typeSet: UInt32, recipients: [RecipientFields] = [],
    metadata: Metadata = Metadata(), parts: [PartFields] = []
  ) {
    self.identifier = identifier
    self.sender = sender
    self.position = position
    self.sentAt = sentAt
    self.receivedAt = receivedAt
    self.isSent = isSent
    self.isUnread = isUnread
    self.typeSet = typeSet
    self.recipients = recipients
    self.metadata = metadata
    self.parts = parts
  }
}

extension MessageFields {
  /// The bytes of the record under `key`. Recipients that are not in order are put in order; of two entries of one
  /// user the later one stands.
  package func encode(key: MessageKey) -> [UInt8] {
    var recipientBytes = ByteWriter()
    Self.write(recipients, to: &recipientBytes)
    var metadataBytes = ByteWriter()
    MetadataView.write(metadata, to: &metadataBytes)

    var writer = RecordFrame.writer(
      .message, capacity: 64 + identifier.count + recipientBytes.count + metadataBytes.count + inlineBytes)
    writer.u8(
      (isSent ? MessageView.Flag.isSent : 0) | (isUnread ? MessageView.Flag.isUnread : 0)
        | (position != nil ? MessageView.Flag.hasPosition : 0)
        | (sentAt != nil ? MessageView.Flag.hasSentAt : 0)
        | (receivedAt != nil ? MessageView.Flag.hasReceivedAt : 0))
    writer.u8(0)
    writer.u32(sender)
    writer.u64(UInt64(bitPattern: position ?? 0))
    writer.u64(UInt64(bitPattern: sentAt ?? 0))
    writer.u64(UInt64(bitPattern: receivedAt ?? 0))
    writer.u32(typeSet)
    writer.varint(UInt64(identifier.count))
    writer.varint(UInt64(recipientBytes.count))
    writer.varint(UInt64(metadataBytes.count))
    writer.varint(UInt64(parts.count))
    writer.append(identifier)
    writer.append(recipientBytes.bytes)
    writer.append(metadataBytes.bytes)
    for part in parts { part.write(to: &writer) }
    return RecordFrame.finish(&writer, key: key.bytes)
  }

  private var inlineBytes: Int {
    parts.reduce(0) { total, part in
      if case .inline(let bytes) = part.content { total + bytes.count + 16 } else { total + 32 }
    }
  }

  /// Each user as the difference to the one before, three bits up, with the status in the three bits below.
  private static func write(_ recipients: [RecipientFields], to writer: inout ByteWriter) {
    var ordered = recipients
    if !zip(recipients, recipients.dropFirst()).allSatisfy({ $0.user < $1.user }) {
      var latest: [UInt32: RecipientStatus] = [:]
      for recipient in recipients { latest[recipient.user] = recipient.status }
      ordered = latest.map { RecipientFields(user: $0.key, status: $0.value) }.sorted { $0.user < $1.user }
    }
    var previous: UInt64 = 0
    for recipient in ordered {
      let user = UInt64(recipient.user)
      writer.varint((user - previous) << 3 | UInt64(recipient.status.rawValue))
      previous = user
    }
  }
}

extension PartFields {
  func write(to writer: inout ByteWriter) {
    var head = kind.rawValue
    let length = content.length
    if case .stored = content { head |= PartView.Head.stored }
    let sizeIsLength = size.map { UInt64(bitPattern: $0) == length } ?? false
    if sizeIsLength {
      head |= PartView.Head.sizeIsLength
    } else if size != nil {
      head |= PartView.Head.sizeFollows
    }
    writer.u8(head)
    writer.varint(UInt64(mimeType))
    if let size, !sizeIsLength { writer.varint(UInt64(bitPattern: size)) }
    writer.varint(length)
    switch content {
    case .inline(let bytes): writer.append(bytes)
    case .stored(_, let digest): writer.u64(digest)
    }
  }
}

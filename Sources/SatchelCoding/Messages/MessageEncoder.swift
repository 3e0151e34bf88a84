internal import SatchelBytes
package import SatchelModel

/// The fields of a message's record that have a fixed size.
package struct MessageFixedFields: Sendable, Hashable {
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

  package init(
    sender: UInt32, position: Int64?, sentAt: Int64?, receivedAt: Int64?, isSent: Bool, isUnread: Bool,
    typeSet: UInt32
  ) {
    self.sender = sender
    self.position = position
    self.sentAt = sentAt
    self.receivedAt = receivedAt
    self.isSent = isSent
    self.isUnread = isUnread
    self.typeSet = typeSet
  }
}

/// Writes records of messages, one after another into the same memory. For each record call `begin`, then `part` for
/// each part with `append` for the content that the record keeps, then `finish`; `bytes` is then the record.
package struct MessageEncoder: Sendable {
  private var writer: ByteWriter
  /// The recipients and the metadata, collected here because their lengths are written before them.
  private var block = ByteWriter()

  /// - Parameter capacity: About the size of the first record, in bytes.
  package init(capacity: Int) {
    writer = ByteWriter(capacity: capacity)
  }

  /// The record, after `finish`.
  package var bytes: [UInt8] { writer.bytes }

  /// Starts a record. Recipients that are not in order are sorted; of two entries for one user the later one is kept.
  package mutating func begin(
    _ head: MessageFixedFields, life: MessageLife = MessageLife(), identifier: [UInt8],
    remoteID: [UInt8]? = nil, recipients: [RecipientFields], metadata: Metadata, parts: Int
  ) {
    block.removeAll()
    write(recipients)
    let recipientBytes = block.count
    MetadataView.write(metadata, to: &block)

    let flags = life.flags | (remoteID == nil ? 0 : MessageLife.Flag.remoteID)
    RecordFrame.begin(.message, version: MessageLife.Flag.version(of: flags), in: &writer)
    writer.u8(
      (head.isSent ? MessageView.Flag.isSent : 0) | (head.isUnread ? MessageView.Flag.isUnread : 0)
        | (head.position != nil ? MessageView.Flag.hasPosition : 0)
        | (head.sentAt != nil ? MessageView.Flag.hasSentAt : 0)
        | (head.receivedAt != nil ? MessageView.Flag.hasReceivedAt : 0))
    writer.u8(flags)
    writer.u32(head.sender)
    writer.u64(UInt64(bitPattern: head.position ?? 0))
    writer.u64(UInt64(bitPattern: head.sentAt ?? 0))
    writer.u64(UInt64(bitPattern: head.receivedAt ?? 0))
    writer.u32(head.typeSet)
    if let date = life.editedAt { writer.u64(UInt64(bitPattern: date)) }
    if let date = life.deletedAt { writer.u64(UInt64(bitPattern: date)) }
    if let date = life.updatedAt { writer.u64(UInt64(bitPattern: date)) }
    writer.varint(UInt64(identifier.count))
    writer.varint(UInt64(recipientBytes))
    writer.varint(UInt64(block.count - recipientBytes))
    writer.varint(UInt64(parts))
    if let remoteID { writer.varint(UInt64(remoteID.count)) }
    writer.append(identifier)
    if let remoteID { writer.append(remoteID) }
    writer.append(block.bytes)
  }

  /// Adds a part. Without `storedDigest`, `append` must follow with exactly `length` bytes of content.
  package mutating func part(
    _ kind: StoredPart.Kind, mimeType: UInt32, size: Int64?, transferStatus: TransferStatus, length: UInt64,
    storedDigest: UInt64? = nil
  ) {
    var head = kind.rawValue | PartView.Head.bits(of: transferStatus)
    if storedDigest != nil { head |= PartView.Head.stored }
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
    if let storedDigest { writer.u64(storedDigest) }
  }

  /// Adds content of the part that was begun last.
  package mutating func append(_ bytes: [UInt8]) { writer.append(bytes) }

  /// Adds a text as content of the part that was begun last.
  package mutating func append(_ text: String) { writer.bytes.append(contentsOf: text.utf8) }

  /// Ends the record with its checksum under a key.
  package mutating func finish(key: MessageKey) { _ = RecordFrame.finish(&writer, key: key.bytes) }

  /// Writes each user as the difference to the user before, shifted left by three bits, with the status in the three
  /// lowest bits.
  private mutating func write(_ recipients: [RecipientFields]) {
    guard !recipients.isEmpty else { return }
    var ordered = recipients
    if !zip(recipients, recipients.dropFirst()).allSatisfy({ $0.user < $1.user }) {
      var latest: [UInt32: RecipientStatus] = [:]
      for recipient in recipients { latest[recipient.user] = recipient.status }
      ordered = latest.map { RecipientFields(user: $0.key, status: $0.value) }.sorted { $0.user < $1.user }
    }
    var previous: UInt64 = 0
    for recipient in ordered {
      let user = UInt64(recipient.user)
      block.varint((user - previous) << 3 | UInt64(recipient.status.rawValue))
      previous = user
    }
  }
}

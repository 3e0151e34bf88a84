internal import SatchelBytes
package import SatchelModel

/// The values that the record of a conversation holds.
package struct StoredConversation: Sendable, Hashable {
  /// The properties of the last message, by position, then creation, that lists of conversations show and sort by.
  package struct Last: Sendable, Hashable {
    /// The message's creation sequence, with which its record is found.
    package var sequence: UInt64
    package var position: Int64?
    /// Microseconds since 1970.
    package var sentAt: Int64?
    /// Microseconds since 1970.
    package var receivedAt: Int64?
    package var isUnread: Bool
    /// The interned user id of the sender.
    package var sender: UInt32

    package init(
      sequence: UInt64, position: Int64?, sentAt: Int64?, receivedAt: Int64?, isUnread: Bool, sender: UInt32
    ) {
      self.sequence = sequence
      self.position = position
      self.sentAt = sentAt
      self.receivedAt = receivedAt
      self.isUnread = isUnread
      self.sender = sender
    }
  }

  /// The UTF-8 bytes of the identifier.
  package var identifier: [UInt8]
  /// The UTF-8 bytes of the identifier that a server has given the conversation; nil if it has given none.
  package var remoteID: [UInt8]?
  /// The interned set of the current participants.
  package var participantSet: UInt32
  /// Microseconds since 1970.
  package var createdAt: Int64?
  /// When anything of the conversation itself changed last, in microseconds since 1970; nil if nothing has. What changes in its
  /// messages does not count.
  package var updatedAt: Int64?
  package var isDistinct: Bool
  package var metadata: Metadata

  // Derived from the store's user and the conversation's messages. Every commit that changes these updates the values
  // here.

  /// True if the store's user is a participant and there is a message.
  package var isVisible: Bool
  package var messageCount: UInt64
  package var unreadCount: UInt64
  /// Nil in a conversation without messages.
  package var last: Last?

  package init(
    identifier: [UInt8], remoteID: [UInt8]? = nil, participantSet: UInt32, createdAt: Int64? = nil,
    updatedAt: Int64? = nil, isDistinct: Bool = false,
    metadata: Metadata = Metadata(), isVisible: Bool = false, messageCount: UInt64 = 0,
    unreadCount: UInt64 = 0,
    last: Last? = nil
  ) {
    self.identifier = identifier
    self.remoteID = remoteID
    self.participantSet = participantSet
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.isDistinct = isDistinct
    self.metadata = metadata
    self.isVisible = isVisible
    self.messageCount = messageCount
    self.unreadCount = unreadCount
    self.last = last
  }

  /// Returns the bytes of the record of the conversation in `row`.
  package func encode(row: UInt32) -> [UInt8] {
    var metadataBytes = ByteWriter()
    MetadataView.write(metadata, to: &metadataBytes)
    var writer = RecordFrame.writer(
      .conversation, version: extra == 0 ? 1 : 2,
      capacity: ConversationView.fixedBytes + 24 + identifier.count + (remoteID?.count ?? 0)
        + metadataBytes.count)
    writer.u8(flags)
    writer.u8(extra)
    writer.u32(participantSet)
    writer.u64(UInt64(bitPattern: createdAt ?? 0))
    writer.u64(messageCount)
    writer.u64(unreadCount)
    writer.u64(last?.sequence ?? 0)
    writer.u64(UInt64(bitPattern: last?.position ?? 0))
    writer.u64(UInt64(bitPattern: last?.sentAt ?? 0))
    writer.u64(UInt64(bitPattern: last?.receivedAt ?? 0))
    writer.u32(last?.sender ?? 0)
    if let updatedAt { writer.u64(UInt64(bitPattern: updatedAt)) }
    writer.counted(identifier)
    if let remoteID { writer.counted(remoteID) }
    writer.append(metadataBytes.bytes)
    return RecordFrame.finish(&writer, key: ObjectKey.conversation(row: row).bytes)
  }

  private var extra: UInt8 {
    (updatedAt == nil ? 0 : ConversationView.Extra.updatedAt)
      | (remoteID == nil ? 0 : ConversationView.Extra.remoteID)
  }

  private var flags: UInt8 {
    typealias Flag = ConversationView.Flag
    var flags: UInt8 = 0
    if isDistinct { flags |= Flag.isDistinct }
    if isVisible { flags |= Flag.isVisible }
    if createdAt != nil { flags |= Flag.hasCreatedAt }
    guard let last else { return flags }
    flags |= Flag.hasLast
    if last.position != nil { flags |= Flag.lastHasPosition }
    if last.sentAt != nil { flags |= Flag.lastHasSentAt }
    if last.receivedAt != nil { flags |= Flag.lastHasReceivedAt }
    if last.isUnread { flags |= Flag.lastIsUnread }
    return flags
  }
}

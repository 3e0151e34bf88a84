/// The keys of the objects' coded form. They are the names of the interchange format, where it has them.
enum CodedKey: String, CodingKey {
  case identifier, remoteID, metadata
  // Of conversations.
  case participants, createdAt, isDistinct, lastMessage, unreadCount, messageCount
  // Of messages and announcements.
  case conversation, sender, position, sentAt, receivedAt, editedAt, deletedAt, updatedAt, isSent, isUnread,
    parts, preview, recipientStatus
  // Of parts.
  case message, index, mimeType, text, base64, url, stored, size, transferStatus
  // Of identities, whose other keys are the names of their fields.
  case userID
}

extension KeyedEncodingContainer {
  /// Encodes a list, a text, metadata or a number, unless it is what its absence stands for.
  mutating func encode<Value: Encodable & Equatable>(
    _ value: Value, unless absent: Value, forKey key: Key
  ) throws {
    if value != absent { try encode(value, forKey: key) }
  }
}

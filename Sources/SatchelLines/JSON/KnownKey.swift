/// The keys of messages and their parts, which are most of a file: the reader recognizes them once, so that the decoder need
/// not compare texts.
enum KnownKey: UInt32, CaseIterable, Sendable {
  // Of a line.
  case kind, identifier, conversation, sender, position, sentAt, receivedAt, isSent, isUnread, parts
  case remoteID, editedAt, deletedAt, updatedAt, recipientStatus, metadata
  // Of a part.
  case mimeType, text, base64, url, size, transferStatus

  /// The key of a name; nil if it is none of these.
  init?(named name: String) {
    guard let key = Self.allCases.first(where: { "\($0)".hasSameBytes(as: name) }) else { return nil }
    self = key
  }
}

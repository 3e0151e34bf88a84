internal import RankedIndex
internal import SatchelCoding
internal import SatchelModel

extension Writer {
  /// The message or announcement of an identifier, those of this transaction included.
  func locateMessage(_ identifier: String) throws -> MessageKey? {
    if let known = overlay.messageIdentifiers[ByteString(identifier)] { return known }
    let bytes = Array(identifier.utf8)
    let hash = KeyWords.identifierHash(bytes)
    if !identifiers.isEmpty {
      for row in identifiers.rows(of: hash) {
        if let key = try flushed.message(of: row, identifier: bytes) { return key }
      }
    }
    return try flushed.locateMessage(bytes, hash: hash) { identifiers.removed[$0] == nil }
  }

  /// The conversation of an identifier, those of this transaction included.
  func locateConversation(_ identifier: String) throws -> UInt32? {
    if let row = overlay.conversationIdentifiers[ByteString(identifier)] { return row }
    guard let row = try flushed.locateConversation(identifier) else { return nil }
    // Messages come in runs of one conversation. A deletion ends with a new overlay.
    overlay.conversationIdentifiers[ByteString(identifier)] = row
    return row
  }

  /// The identity of a user, those of this transaction included.
  func locateIdentity(_ user: String) throws -> UInt32? {
    guard let number = try flushed.users.number(of: user) else { return nil }
    if let row = overlay.identityUsers[number] { return row }
    return try flushed.locateIdentity(user: number)
  }

  /// The message or announcement that an operation is about.
  /// - Parameter isAnnouncement: Which of the two it has to be; nil for either.
  func existingMessage(_ id: Message.ID, isAnnouncement: Bool? = nil) throws -> MessageKey {
    guard let key = try locateMessage(id.rawValue), isAnnouncement ?? key.isAnnouncement == key.isAnnouncement
    else {
      let message: StaticString =
        switch isAnnouncement {
        case nil: "No message or announcement has that identifier"
        case false?: "No message has that identifier"
        case true?: "No announcement has that identifier"
        }
      throw SatchelError(
        .unknownMessage, message, [isAnnouncement == true ? "announcement" : "message": id.rawValue])
    }
    return key
  }

  /// The conversation that an operation is about.
  func existingConversation(_ id: Conversation.ID) throws -> UInt32 {
    guard let row = try locateConversation(id.rawValue) else {
      throw SatchelError(
        .unknownConversation, "No conversation has that identifier", ["conversation": id.rawValue])
    }
    return row
  }

  /// The identity that an operation is about.
  func existingIdentity(_ id: Identity.ID) throws -> UInt32 {
    guard let row = try locateIdentity(id.rawValue) else {
      throw SatchelError(.unknownIdentity, "No identity has that user id", ["identity": id.rawValue])
    }
    return row
  }
}

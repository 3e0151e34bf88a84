internal import RankedIndex
internal import SatchelCoding
internal import SatchelGathering
internal import SatchelModel
import SatchelText

extension Writer {
  /// Returns the message or announcement of an identifier or a remote identifier, or nil. Sees the changes of this transaction.
  func locateMessage(_ identifier: String) throws -> MessageKey? {
    var others = 0
    return try locateMessage(identifier, others: &others)
  }

  /// As `locateMessage`. Adds to `others` how many other messages and announcements have the identifier's hash, if
  /// none has the identifier.
  func locateMessage(_ identifier: String, others: inout Int) throws -> MessageKey? {
    let bytes = Array(identifier.utf8)
    let hash = KeyWords.identifierHash(bytes)
    if let gathered {
      for key in gathered.keys(ofHash: hash) {
        let isIt = try gathered.withMessage(key) { $0.isNamed(bytes) }
        if try isIt ?? flushed.isMessage(key, named: bytes) { return key }
        others += 1
      }
      guard gathered.hasAnnouncements else { return nil }
    }
    if let known = overlay.messageIdentifiers[ByteString(identifier)] {
      // The deleted message counts here and not in the overlay, so that it does not count in the sum.
      if known == nil {
        others +=
          try identifiers.rows(of: hash).count + flushed.countMessages(ofHash: hash, identifiers.isLive)
      }
      return known
    }
    if !identifiers.isEmpty {
      for row in identifiers.rows(of: hash) {
        if let key = try flushed.message(of: row, identifier: bytes) { return key }
        others += 1
      }
    }
    return try flushed.locateMessage(bytes, hash: hash, others: &others, identifiers.isLive)
  }

  /// Returns the conversation of an identifier or a remote identifier, or nil. Sees the changes of this transaction.
  func locateConversation(_ identifier: String) throws -> UInt32? {
    var others = 0
    return try locateConversation(identifier, others: &others)
  }

  /// As `locateConversation`. Adds to `others` how many other conversations have the identifier's hash, if none has the
  /// identifier.
  func locateConversation(_ identifier: String, others: inout Int) throws -> UInt32? {
    if let row = overlay.conversationIdentifiers[ByteString(identifier)] { return row }
    guard let row = try flushed.locateConversation(Array(identifier.utf8), others: &others) else {
      return nil
    }
    // Remembered, because messages come in runs of one conversation. Deleting a conversation ends with a flush, which
    // empties the overlay.
    overlay.note(identifier: identifier, ofConversation: row)
    return row
  }

  /// Returns the identity of a user, or nil. Sees the changes of this transaction.
  func locateIdentity(_ user: String) throws -> UInt32? {
    guard let number = try flushed.users.number(of: user) else { return nil }
    if let row = overlay.identityUsers[number] { return row }
    return try flushed.locateIdentity(user: number)
  }

  /// Returns the message or announcement that an operation is about.
  /// - Parameter isAnnouncement: Which of the two it must be; nil for either.
  /// - Throws: ``SatchelError`` `unknownMessage`.
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

  /// Returns the conversation that an operation is about.
  /// - Throws: ``SatchelError`` `unknownConversation`.
  func existingConversation(_ id: Conversation.ID) throws -> UInt32 {
    guard let row = try locateConversation(id.rawValue) else {
      throw SatchelError(
        .unknownConversation, "No conversation has that identifier", ["conversation": id.rawValue])
    }
    return row
  }

  /// Returns the identity that an operation is about.
  /// - Throws: ``SatchelError`` `unknownIdentity`.
  func existingIdentity(_ id: Identity.ID) throws -> UInt32 {
    guard let row = try locateIdentity(id.rawValue) else {
      throw SatchelError(.unknownIdentity, "No identity has that user id", ["identity": id.rawValue])
    }
    return row
  }
}

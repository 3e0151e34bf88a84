internal import SatchelCoding

extension Writer {
  /// Returns the state of an existing message or announcement, from the overlay or its record.
  func message(_ key: MessageKey) throws -> MessageState {
    if let state = overlay.messages[key] { return state }
    let (fields, checksum) = try flushed.message(key)
    if let index = overlay.added.find(key) { return claim(index, key, fields, checksum: checksum) }
    let state = MessageState(loaded: fields, checksum: checksum)
    overlay.insert(key, state)
    return state
  }

  /// Returns the state of an existing conversation, from the overlay or its record.
  func conversation(_ row: UInt32) throws -> ConversationState {
    if let state = overlay.conversations[row] { return state }
    let (fields, checksum) = try flushed.conversation(row)
    let state = ConversationState(loaded: fields, checksum: checksum)
    overlay.insert(conversation: row, state)
    return state
  }

  /// Returns the state of an existing identity, from the overlay or its record.
  func identity(_ row: UInt32) throws -> IdentityState {
    if let state = overlay.identities[row] { return state }
    let (fields, checksum) = try flushed.identity(row)
    let state = IdentityState(loaded: fields, checksum: checksum)
    overlay.insert(identity: row, state)
    return state
  }
}

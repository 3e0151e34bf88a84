internal import SatchelCoding

extension Writer {
  /// Returns the state of an existing message or announcement, from the overlay or its record.
  func message(_ key: MessageKey) throws -> MessageState {
    if let state = overlay.messages[key] { return state }
    let (fields, checksum) = try storedMessage(key)
    if let index = overlay.added.find(key) { return claim(index, key, fields, checksum: checksum) }
    let state = MessageState(loaded: fields, checksum: checksum)
    overlay.insert(key, state)
    return state
  }

  /// Returns what the record of an existing message or announcement holds, and the record's checksum.
  func storedMessage(_ key: MessageKey) throws -> (StoredMessage, checksum: UInt64) {
    let view = try flushed.existingMessage(key)
    let fields = try flushed.decoding("messages", "\(key.conversation)/\(key.sequence)") {
      () throws(CodingError) in try view.fields()
    }
    return (fields, view.checksum)
  }

  /// Returns the state of an existing conversation, from the overlay or its record.
  func conversation(_ row: UInt32) throws -> ConversationState {
    if let state = overlay.conversations[row] { return state }
    let view = try flushed.conversation(row)
    let fields = try flushed.decoding("conversations", "\(row)") { () throws(CodingError) in try view.fields()
    }
    let state = ConversationState(loaded: fields, checksum: view.checksum)
    overlay.insert(conversation: row, state)
    return state
  }

  /// Returns the state of an existing identity, from the overlay or its record.
  func identity(_ row: UInt32) throws -> IdentityState {
    if let state = overlay.identities[row] { return state }
    let view = try flushed.identity(row)
    let fields = try flushed.decoding("identities", "\(row)") { () throws(CodingError) in try view.fields() }
    let state = IdentityState(loaded: fields, checksum: view.checksum)
    overlay.insert(identity: row, state)
    return state
  }
}

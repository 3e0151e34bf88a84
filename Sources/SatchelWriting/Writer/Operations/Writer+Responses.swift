package import SatchelCoding
package import SatchelModel
internal import SatchelReading
internal import SatchelRecords

/// What others say to messages, and what conversations are to their participants: the records of `StoreFeature`.
extension Writer {
  /// Returns a message as it is now; nil if there is none. Nothing of it is kept for a change.
  package func findMessage(_ id: Message.ID) throws -> (key: MessageKey, fields: StoredMessage)? {
    guard let key = try locateMessage(id.rawValue), !key.isAnnouncement else { return nil }
    guard let state = overlay.messages[key] else { return (key, try flushed.message(key).fields) }
    return state.current.map { (key, $0) }
  }

  /// Returns the identifier of the conversation of a message.
  package func conversation(of key: MessageKey) throws -> Conversation.ID {
    let identifier = try conversation(key.conversation).fields?.identifier ?? []
    return Conversation.ID(String(decoding: identifier, as: UTF8.self))
  }

  /// Returns the identifier of the conversation that an operation is about, which never changes.
  /// - Throws: ``SatchelError`` `unknownConversation`.
  package func identifier(of conversation: Conversation.ID) throws -> Conversation.ID {
    try self.conversation(of: MessageKey(conversation: existingConversation(conversation), sequence: 0))
  }

  /// Deletes what is said of users who are participants of a conversation no longer.
  func removeParticipations(of users: Set<Identity.ID>, in row: UInt32) throws {
    guard !users.isEmpty, tables.seal[.recordTypes].count > 0 else { return }
    let conversation = try conversation(of: MessageKey(conversation: row, sequence: 0))
    for id in try flushed.read({ try $0.participations(of: users, in: conversation) }) {
      try delete(record: id)
    }
  }

  /// Deletes the reactions to a message whose contents go.
  func removeReactions(to message: StoredMessage) throws {
    guard tables.seal[.recordTypes].count > 0 else { return }
    for id in try flushed.read({ try $0.reactionRecords(toAnyOf: message.names) }) { try delete(record: id) }
  }

  /// Makes what others say to a message, and what it answers, that of one that becomes one with it, unless that one has the same.
  func moveResponses(of other: StoredMessage, to message: StoredMessage) throws {
    guard tables.seal[.recordTypes].count > 0 else { return }
    func name(_ message: StoredMessage) -> String { String(decoding: message.identifier, as: UTF8.self) }
    let isWithdrawn = message.life.deletedAt != nil
    for (old, new) in try flushed.read({
      try $0.responses(of: name(other), as: name(message), isWithdrawn: isWithdrawn)
    }) {
      if let new, try !hasRecord(new.id) { try save(new) }
      try delete(record: old)
    }
  }
}

package import SatchelCoding
package import SatchelModel
internal import SatchelReading
package import SatchelRecords

/// What others say to messages, and what conversations are to their participants: the records of `StoreFeature`.
extension Writer {
  /// Returns a message as it is now; nil if there is none. Nothing of it is kept for a change.
  package func findMessage(_ id: Message.ID) throws -> (key: MessageKey, fields: StoredMessage)? {
    guard let key = try locateMessage(id.rawValue), !key.isAnnouncement else { return nil }
    guard let state = overlay.messages[key] else { return (key, try flushed.message(key).fields) }
    return state.current.map { (key, $0) }
  }

  /// Returns a record as it is kept, by whatever names it names messages and conversations.
  /// - Throws: As `Record.kept`.
  func kept(_ record: Record) throws -> Record { try record.kept(subject) }

  /// Returns where a record is kept.
  package func kept(_ id: Record.ID) throws -> Record.ID { try id.kept(subject) }

  /// Whether the message of which a record says something takes that, as it is now.
  package func isTaken(_ id: Record.ID) throws -> Bool { try id.isTaken(subject) }

  private func subject(_ reference: Reference) throws -> RecordSubject? {
    if reference.type == Reference.conversations {
      return try locateConversation(reference.name).map { row in
        let fields = try overlay.conversations[row]?.fields ?? flushed.conversation(row).fields
        return RecordSubject(names: fields.names)
      }
    }
    guard let key = try locateMessage(reference.name) else { return nil }
    if let fields = overlay.messages[key]?.current { return RecordSubject(fields, key) }
    if let found = try gathered?.withMessage(key, { RecordSubject($0) }) { return found }
    return try flushed.read { try $0.subject(key) }
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
    guard !users.isEmpty, keepsResponses else { return }
    let conversation = try conversation(of: MessageKey(conversation: row, sequence: 0))
    for id in try flushed.read({ try $0.participations(of: users, in: conversation) }) {
      try delete(record: id)
    }
  }

  /// Whether the store may have such records.
  var keepsResponses: Bool { tables.seal[.recordTypes].count > 0 }

  /// Makes what was said of a conversation by the other name that it has now what is said of it by its identifier.
  func takeParticipations(_ fields: StoredConversation) throws {
    guard fields.remoteID != nil, keepsResponses else { return }
    let conversation = RecordSubject(names: fields.names)
    try replace(
      flushed.read { try $0.participationsAhead(of: conversation) },
      of: fields.names.map { Reference(Conversation.ID($0)) })
  }

  /// Makes what was said of a message by the other name that it has now what is said of it by its identifier, and deletes what it does not
  /// take, as it is now: reactions to what was deleted for everyone, and all that was said of an announcement before it came.
  func takeResponses(to message: RecordSubject) throws {
    guard message.names.count > 1 || message.isWithdrawn || message.isAnnouncement, keepsResponses
    else { return }
    try replace(
      flushed.read { try $0.responsesAhead(of: message) }, of: message.names.map { Reference(Message.ID($0)) }
    )
  }

  /// Has records say what they say of an object as it is now. What was said of another one, which the write has deleted and which had one of
  /// the names, goes with that one.
  private func replace(_ ahead: [RecordAhead], of object: [Reference]) throws {
    if !ahead.isEmpty { try flushed.read { try removed.nameMessages(in: $0) } }
    for said in ahead {
      guard object.contains(where: { removed.haveRemoved($0, before: said.key) }) else {
        try replace(said.record, by: said.successor)
        continue
      }
      let isOf = said.record.id.subject.map { object.contains($0) } ?? false
      try replace(said.record, by: isOf ? nil : said.record.answeringNothing)
    }
  }
}

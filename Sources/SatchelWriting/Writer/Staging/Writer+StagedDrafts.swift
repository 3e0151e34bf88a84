internal import RecordStore
package import SatchelCoding
package import SatchelModel

extension Writer {
  /// Returns a staged object as it was given: for one that cannot be adopted because it has come by another way meanwhile, and is to
  /// be delivered to what has come.
  /// - Parameter replacements: The conversations that have come in place of staged ones, by the row of these.
  /// - Throws: ``SatchelError`` `unknownConversation` for a message whose conversation was deleted meanwhile.
  package func draft(
    ofStaged object: ObjectRow, replacements: [UInt32: Conversation.ID]
  ) throws -> StagedDraft {
    switch object {
    case .identity(let row):
      let fields = try flushed.identity(row).fields
      return .identity(fields.identity(Identity.ID(try flushed.users.text(fields.user))))
    case .conversation(let row): return .conversation(try draft(of: flushed.conversation(row).fields))
    case .message(let key):
      let fields = try stagedMessage(key).fields
      return .message(try draft(of: fields, key), in: try conversation(of: key, fields, replacements))
    case .record(let key):
      throw RecordError("staging", "\(key.type)/\(key.sequence)", "an import stages the lines of records")
    }
  }

  private func conversation(
    of key: MessageKey, _ message: StoredMessage, _ replacements: [UInt32: Conversation.ID]
  ) throws -> Conversation.ID? {
    if key.isAnnouncement { return nil }
    if let replacement = replacements[key.conversation] { return replacement }
    guard let fields = try conversation(key.conversation).fields else {
      throw Self.deletedMeanwhile(message.names[0])
    }
    return Conversation.ID(String(decoding: fields.identifier, as: UTF8.self))
  }

  static func deletedMeanwhile(_ message: String? = nil) -> SatchelError {
    SatchelError(
      .unknownConversation, "The conversation of the message has been deleted meanwhile: try once more",
      message.map { ["message": $0] } ?? [:])
  }

  private func draft(of fields: StoredConversation) throws -> ConversationDraft {
    ConversationDraft(
      identifier: Conversation.ID(String(decoding: fields.identifier, as: UTF8.self)),
      remoteID: fields.remoteID.map { Conversation.ID(String(decoding: $0, as: UTF8.self)) },
      participants: try flushed.participantSets.members(fields.participantSet)
        .map { Identity.ID(try flushed.users.text($0)) },
      createdAt: fields.createdAt.map(Timestamp.init(microseconds:)),
      updatedAt: fields.updatedAt.map(Timestamp.init(microseconds:)), isDistinct: fields.isDistinct,
      metadata: fields.metadata)
  }

  private func draft(of fields: StoredMessage, _ key: MessageKey) throws -> MessageDraft {
    MessageDraft(
      identifier: Message.ID(String(decoding: fields.identifier, as: UTF8.self)),
      remoteID: fields.remoteID.map { Message.ID(String(decoding: $0, as: UTF8.self)) },
      sender: Identity.ID(try flushed.users.text(fields.sender)), position: fields.position,
      sentAt: fields.sentAt.map(Timestamp.init(microseconds:)),
      receivedAt: fields.receivedAt.map(Timestamp.init(microseconds:)),
      editedAt: fields.life.editedAt.map(Timestamp.init(microseconds:)),
      deletedAt: fields.life.deletedAt.map(Timestamp.init(microseconds:)),
      updatedAt: fields.life.updatedAt.map(Timestamp.init(microseconds:)), isSent: fields.isSent,
      isUnread: fields.isUnread,
      parts: try fields.parts.enumerated().map { index, part in try draft(of: part, index, key) },
      recipientStatus: try fields.recipients.map {
        RecipientStatusEntry(user: Identity.ID(try flushed.users.text($0.user)), status: $0.status)
      }, metadata: fields.metadata)
  }
}

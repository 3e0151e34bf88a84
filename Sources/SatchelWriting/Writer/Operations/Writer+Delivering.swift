internal import SatchelCoding
package import SatchelModel

extension Writer {
  /// Adds a message or an announcement that is delivered; or, if it is there, does with it what the policy says.
  ///
  /// A merge is an update by what the delivery says. Parts are replaced only by a delivery whose date of the last edit is not
  /// older than the message's. A message that was deleted for everyone gets no contents again.
  /// - Parameters:
  ///   - conversation: Nil for an announcement.
  ///   - update: What a merge changes, with the parts and the metadata of the delivery.
  /// - Returns: The identifier of the message.
  /// - Throws: ``SatchelError`` as `insertMessage`; `identifierExists` also if the message is in another conversation, or of another
  ///   sender. In each case nothing has changed.
  package func deliver(
    _ draft: MessageDraft, in conversation: Conversation.ID?, ifExists policy: ExistingMessage,
    merging update: @autoclosure () -> MessageUpdate
  ) throws -> Message.ID {
    guard policy != .fail, let id = draft.identifier, let key = try locateMessage(id.rawValue) else {
      guard let conversation else { return Message.ID(try insertAnnouncement(draft).rawValue) }
      return try insertMessage(draft, in: conversation)
    }
    try check(draft, isDeliveryOf: key, in: conversation)
    guard policy == .merge, let old = try message(key).fields else { return id }
    var update = update()
    if old.life.deletedAt != nil {
      update.parts = PartsUpdate()
      update.editedAt = .keep
      update.recipientStatus = [:]
      update.metadata = []
    } else if let edited = old.life.editedAt, draft.editedAt.map({ $0.microseconds < edited }) ?? true {
      update.parts = PartsUpdate()
      update.editedAt = .keep
    }
    try updateMessage(id, update)
    return id
  }

  /// Checks that a delivery can be one of the message that has its identifier.
  private func check(
    _ draft: MessageDraft, isDeliveryOf key: MessageKey, in conversation: Conversation.ID?
  ) throws {
    try Self.check(draft)
    let row = try conversation.map { try existingConversation($0) } ?? MessageKey.announcements
    let context = ["message": draft.identifier?.rawValue ?? ""]
    guard row == key.conversation else {
      throw SatchelError(
        .identifierExists,
        "A message with that identifier is in another conversation: no delivery moves a message", context)
    }
    guard let fields = try message(key).fields,
      UTF8Order.areEqual(try flushed.users.text(fields.sender), draft.sender.rawValue)
    else {
      throw SatchelError(
        .identifierExists, "The message with that identifier has another sender: no delivery changes it",
        context)
    }
  }
}

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
    guard policy != .fail, let key = try locate(draft) else {
      return try insertMessage(draft, in: conversation)
    }
    try check(draft, isDeliveryOf: key, in: conversation)
    let state = try message(key)
    guard let old = state.fields else { return try insertMessage(draft, in: conversation) }
    let id = Message.ID(String(decoding: old.identifier, as: UTF8.self))
    guard policy == .merge else { return id }
    var update = update()
    // What is known by the server's name already needs no other one.
    if let remoteID = update.remoteID, old.identifier.elementsEqual(remoteID.rawValue.utf8) {
      update.remoteID = nil
    }
    if old.life.deletedAt != nil {
      update.parts = PartsUpdate()
      update.editedAt = .keep
      update.recipientStatus = [:]
      update.metadata = []
    } else if let edited = old.life.editedAt, draft.editedAt.map({ $0.microseconds < edited }) ?? true {
      update.parts = PartsUpdate()
      update.editedAt = .keep
    }
    if let date = draft.updatedAt, old.life.updatedAt.map({ date.microseconds > $0 }) ?? true {
      update.updatedAt = date
    }
    try updateMessage(id, update)
    return id
  }

  /// Whether the message or announcement of a delivery is there already.
  /// - Throws: ``SatchelError`` `identifierExists` if two messages have its names.
  package func isThere(_ draft: MessageDraft) throws -> Bool { try locate(draft) != nil }

  /// Returns the message of which this is a delivery: the one with either of its names.
  private func locate(_ draft: MessageDraft) throws -> MessageKey? {
    let byIdentifier = try draft.identifier.flatMap { try locateMessage($0.rawValue) }
    guard let remoteID = draft.remoteID, let other = try locateMessage(remoteID.rawValue) else {
      return byIdentifier
    }
    guard let byIdentifier, byIdentifier != other else { return other }
    throw SatchelError(
      .identifierExists, "One message has its identifier, and another one its remote identifier",
      ["message": draft.identifier?.rawValue ?? "", "remoteID": remoteID.rawValue])
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

extension MessageUpdate {
  /// Makes what a merged delivery changes: what it says. It marks a message as sent and as read, never as the opposite.
  package init(merging draft: MessageDraft) {
    self.init()
    remoteID = draft.remoteID
    position = draft.position.map { .set($0) } ?? .keep
    sentAt = draft.sentAt.map { .set($0) } ?? .keep
    receivedAt = draft.receivedAt.map { .set($0) } ?? .keep
    isSent = draft.isSent ? true : nil
    isUnread = draft.isUnread ? nil : false
    if let date = draft.deletedAt {
      deletedAt = .set(date)
      return
    }
    editedAt = draft.editedAt.map { .set($0) } ?? .clear
    for entry in draft.recipientStatus { recipientStatus[entry.user] = entry.status }
    parts.all = draft.parts
    if draft.metadata != Metadata() { metadata = [.merge(draft.metadata)] }
  }
}

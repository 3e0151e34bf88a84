internal import SatchelCoding
package import SatchelModel
import SatchelText

extension Writer {
  /// Adds a message or an announcement that is delivered; or, if it is there, does with it what the policy says.
  ///
  /// A merge is an update by what the delivery says. Parts are replaced only by a delivery whose date of the last edit is not
  /// older than the message's. A message that was deleted for everyone gets no contents again.
  /// - Parameters:
  ///   - conversation: Nil for an announcement.
  ///   - restoresDeleted: Whether it is added although the store's user has deleted the message, or its conversation with all up to it.
  ///     Otherwise nothing happens then. A conversation that was deleted and gets a message from beyond that comes back.
  ///   - update: What a merge changes, with the parts and the metadata of the delivery.
  /// - Returns: The identifier of the message.
  /// - Throws: ``SatchelError`` as `insertMessage`; `identifierExists` also if the message is in another conversation, or of another
  ///   sender. In each case nothing has changed.
  package func deliver(
    _ draft: MessageDraft, in conversation: Conversation.ID?, ifExists policy: ExistingMessage,
    restoresDeleted: Bool = true, merging update: @autoclosure () -> MessageUpdate
  ) throws -> Message.ID {
    guard policy != .fail, let key = try locate(draft) else {
      return try add(draft, in: conversation, restoresDeleted: restoresDeleted)
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

  /// Adds a message that is delivered, unless it is one that the store's user has deleted.
  private func add(
    _ draft: MessageDraft, in conversation: Conversation.ID?, restoresDeleted: Bool
  ) throws -> Message.ID {
    guard !deletions.isEmpty else { return try insertMessage(draft, in: conversation) }
    if !restoresDeleted, try isDeleted(draft, in: conversation) {
      // It is checked as one that is not ignored, except for what is there.
      try check(draft)
      return draft.identifier ?? Message.ID(makeIdentifier())
    }
    guard let conversation, let deleted = try deletedConversation(conversation) else {
      return try insertMessage(draft, in: conversation)
    }
    // The message is checked first, so that nothing has changed if it is refused.
    try check(draft)
    if let identifier = draft.identifier {
      try checkNew(message: identifier.rawValue, remoteID: draft.remoteID)
    }
    try bringBack(deleted)
    return try insertMessage(draft, in: conversation)
  }

  /// Whether the store's user has deleted a message or announcement that is delivered, or its conversation with all messages up to it, and it has
  /// not come back.
  /// - Throws: As `isThere`.
  package func isDeleted(_ draft: MessageDraft, in conversation: Conversation.ID?) throws -> Bool {
    guard !deletions.isEmpty, try locate(draft) == nil else { return false }
    let names = [draft.identifier?.rawValue, draft.remoteID?.rawValue].compactMap { $0 }
    guard let conversation else {
      return try hasDeleted(names, in: MessageKey.announcements, named: nil, position: nil, sentAt: nil)
    }
    let row = try locateConversation(conversation.rawValue)
    // One that has come back may have got another name since it was deleted: it is noted under its own.
    let name = try row.flatMap { try self.conversation($0).fields?.identifier }
    return try hasDeleted(
      names, in: row, named: name ?? Array(conversation.rawValue.utf8), position: draft.position,
      sentAt: draft.sentAt?.microseconds)
  }

  /// Whether a message or an announcement with one of some names was deleted, or its conversation with all messages up to it.
  /// - Parameters:
  ///   - row: The row of its conversation; nil if there is none now.
  ///   - conversation: The identifier of its conversation; nil for an announcement.
  func hasDeleted(
    _ names: [String], in row: UInt32?, named conversation: [UInt8]?, position: Int64?, sentAt: Int64?
  ) throws -> Bool {
    if let conversation,
      let floor = try deletions.conversation(named: conversation)?.floor,
      floor.covers(position: position, sentAt: sentAt)
    {
      return true
    }
    return try row.map { try deletions.hasDeleted(names, in: $0) } ?? false
  }

  /// Whether the store's user has deleted a conversation, and it has not come back.
  package func isDeleted(_ conversation: Conversation.ID) throws -> Bool {
    try deletedConversation(conversation) != nil
  }

  /// Whether the store's user has deleted the conversation of a draft, and it has not come back by either name.
  package func isDeleted(_ draft: ConversationDraft) throws -> Bool {
    let names = [draft.identifier, draft.remoteID].compactMap(\.self)
    return try names.contains { try isDeleted($0) } && !names.contains { try hasConversation($0) }
  }

  /// Whether the store's user has deleted a conversation, even if it has come back since.
  package func wasDeleted(_ conversation: Conversation.ID) throws -> Bool {
    try deletions.conversation(named: Array(conversation.rawValue.utf8)) != nil
  }

  private func deletedConversation(_ id: Conversation.ID) throws -> DeletedConversation? {
    guard !deletions.isEmpty, let deleted = try deletions.conversation(named: Array(id.rawValue.utf8)),
      try locateConversation(id.rawValue) == nil
    else { return nil }
    return deleted
  }

  /// Makes a deleted conversation anew, without its messages. It stays noted how far these reached.
  private func bringBack(_ deleted: DeletedConversation) throws {
    let participants = try flushed.participantSets.members(deleted.participantSet)
      .map { Identity.ID(try flushed.users.text($0)) }
    let isDistinct =
      try deleted.isDistinct && findDistinct(participantSet: deleted.participantSet) == nil
    let identifier = String(decoding: deleted.identifier, as: UTF8.self)
    var remoteID = deleted.remoteID.map { Conversation.ID(String(decoding: $0, as: UTF8.self)) }
    // Another conversation may have got it meanwhile.
    if let name = remoteID, try locateConversation(name.rawValue) != nil { remoteID = nil }
    try checkNew(conversation: identifier, remoteID: remoteID)
    try changing {
      let (row, fields) = try store(
        ConversationDraft(
          identifier: Conversation.ID(identifier), remoteID: remoteID, participants: participants,
          createdAt: deleted.createdAt.map(Timestamp.init(microseconds:)), isDistinct: isDistinct,
          metadata: deleted.metadata), identifier: identifier)
      try enter(conversation: row, ConversationState(created: fields))
    }
  }

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
    try check(draft)
    let row = try conversation.map { try existingConversation($0) } ?? MessageKey.announcements
    guard row == key.conversation else {
      throw SatchelError(
        .identifierExists,
        "A message with that identifier is in another conversation: no delivery moves a message",
        ["message": draft.identifier?.rawValue ?? ""])
    }
    guard let fields = try message(key).fields,
      UTF8Order.areEqual(try flushed.users.text(fields.sender), draft.sender.rawValue)
    else {
      throw SatchelError(
        .identifierExists, "The message with that identifier has another sender: no delivery changes it",
        ["message": draft.identifier?.rawValue ?? ""])
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

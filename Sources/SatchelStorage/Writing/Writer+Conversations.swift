internal import SatchelCoding
package import SatchelModel

extension Writer {
  /// Creates a conversation of the store's user and others.
  ///
  /// The user is added to the participants. For one set of participants there can be only one distinct conversation.
  /// - Throws: ``SatchelError`` `distinctConversationExists` with the existing conversation, `identifierExists`,
  ///   `invalidIdentifier`, `invalidKey` or `invalidValue`. In each case nothing has changed.
  package func createConversation(_ draft: ConversationDraft) throws -> Conversation.ID {
    var draft = draft
    draft.participants.append(user)
    if draft.createdAt == nil { draft.createdAt = now }
    return try insertConversation(draft)
  }

  /// Returns the distinct conversation of the store's user with others. Creates it if it does not exist.
  /// - Parameter metadata: The metadata of a new conversation; an existing one keeps its own.
  /// - Throws: As `createConversation`.
  package func conversation(with participants: [Identity.ID], metadata: Metadata = Metadata()) throws
    -> Conversation.ID
  {
    if let row = try findDistinct(participants + [user]), let fields = try conversation(row).current {
      return Conversation.ID(String(decoding: fields.identifier, as: UTF8.self))
    }
    return try createConversation(
      ConversationDraft(participants: participants, isDistinct: true, metadata: metadata))
  }

  /// Adds a conversation exactly as the draft gives it, for example one from another source.
  /// - Throws: As `createConversation`.
  package func insertConversation(_ draft: ConversationDraft) throws -> Conversation.ID {
    try Self.check(draft)
    let identifier = draft.identifier?.rawValue ?? makeIdentifier()
    try checkNew(conversation: identifier)
    try checkDistinct(draft)
    try changing {
      let (row, fields) = try store(draft, identifier: identifier)
      overlay.conversationIdentifiers[ByteString(identifier)] = row
      overlay.insert(conversation: row, ConversationState(created: fields))
      try flushIfFull()
    }
    return Conversation.ID(identifier)
  }

  /// Checks everything in a draft that does not depend on the store.
  static func check(_ draft: ConversationDraft) throws {
    for participant in draft.participants { try check(identifier: participant.rawValue, "participant") }
    try draft.metadata.validate()
  }

  /// Gives a checked draft its row. The caller has to write the record.
  func store(_ draft: ConversationDraft, identifier: String) throws -> (UInt32, ConversationFields) {
    guard seal.nextConversation < MessageKey.announcements else {
      throw SatchelError(.storeFull, "The store has no numbers left for conversations")
    }
    let row = seal.nextConversation
    seal.nextConversation += 1
    let set = try intern(.participantSets, set: intern(users: draft.participants))
    if draft.isDistinct { distinctConversations.note(row, participantSet: set) }
    return (
      row,
      ConversationFields(
        identifier: Array(identifier.utf8), participantSet: set,
        createdAt: draft.createdAt?.microseconds, isDistinct: draft.isDistinct, metadata: draft.metadata)
    )
  }

  /// Changes the participants or the metadata of a conversation. If the participants change, the conversation is no
  /// longer distinct.
  /// - Throws: ``SatchelError`` `unknownConversation`, `invalidIdentifier`, `invalidKey` or `invalidValue`. In each
  ///   case nothing has changed.
  package func updateConversation(_ id: Conversation.ID, _ update: ConversationUpdate) throws {
    let row = try existingConversation(id)
    let state = try conversation(row)
    guard var fields = state.current else { return }
    let metadata = try MetadataEdit.apply(update.metadata, to: fields.metadata)
    let set = try participants(of: fields, after: update.participants)
    guard
      metadata != fields.metadata || !MetadataEdit.sameBytes(metadata, fields.metadata)
        || set != fields.participantSet
    else { return }
    fields.metadata = metadata
    if set != fields.participantSet {
      fields.participantSet = set
      fields.isDistinct = false
    }
    state.update(fields)
    try flushIfFull()
  }

  private func participants(
    of fields: ConversationFields, after change: ConversationUpdate.Participants
  ) throws -> UInt32 {
    switch change {
    case .keep: return fields.participantSet
    case .add(let users):
      for user in users { try Self.check(identifier: user.rawValue, "participant") }
      let members = try flushed.participantSets.members(fields.participantSet)
      return try intern(.participantSets, set: members + intern(users: users))
    case .remove(let users):
      var members = Set(try flushed.participantSets.members(fields.participantSet))
      for user in users {
        if let number = try flushed.users.number(of: user.rawValue) { members.remove(number) }
      }
      return try intern(.participantSets, set: members)
    case .replace(let users):
      for user in users { try Self.check(identifier: user.rawValue, "participant") }
      return try intern(.participantSets, set: intern(users: users))
    }
  }
}

extension MetadataEdit {
  /// Whether two values are equal byte by byte. Values that are equal in NFC may differ in bytes, and a record returns
  /// the bytes that it was given.
  static func sameBytes(_ left: Metadata, _ right: Metadata) -> Bool {
    guard left.entries.count == right.entries.count else { return false }
    return zip(left.entries, right.entries).allSatisfy { left, right in
      guard left.key == right.key else { return false }
      return switch (left.value, right.value) {
      case (.text(let left), .text(let right)): UTF8Order.areEqual(left, right)
      case (.dictionary(let left), .dictionary(let right)): sameBytes(left, right)
      default: false
      }
    }
  }
}

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
    try check(draft)
    let identifier = draft.identifier?.rawValue ?? makeIdentifier()
    try checkNew(conversation: identifier, remoteID: draft.remoteID)
    try checkDistinct(draft)
    try changing {
      if !deletions.isEmpty {
        for name in names(identifier, draft.remoteID?.rawValue) {
          try deletions.forget(conversation: Array(name.utf8))
        }
      }
      let (row, fields) = try store(draft, identifier: identifier)
      try enter(conversation: row, ConversationState(created: fields))
      try flushIfFull()
    }
    return Conversation.ID(identifier)
  }

  /// Enters a conversation into the overlay that has no index entries.
  func enter(conversation row: UInt32, _ state: ConversationState) throws {
    guard let fields = state.fields else { return }
    overlay.note(namesOf: fields, ofNewConversation: row)
    overlay.insert(conversation: row, state)
    try takeParticipations(fields)
  }

  /// Checks everything in a draft that does not depend on what is in the store.
  func check(_ draft: ConversationDraft) throws {
    for participant in draft.participants { try Self.check(identifier: participant.rawValue, "participant") }
    try draft.metadata.validate(environmentOfWrites.metadataKeys)
  }

  /// Gives a checked draft its row. The caller has to write the record.
  func store(_ draft: ConversationDraft, identifier: String) throws -> (UInt32, StoredConversation) {
    let row = try tables.takeConversation()
    let set = try interner.intern(
      .participantSets, set: interner.intern(users: draft.participants))
    if draft.isDistinct { distinctConversations.note(row, participantSet: set) }
    return (
      row,
      StoredConversation(
        identifier: Array(identifier.utf8), remoteID: draft.remoteID.map { Array($0.rawValue.utf8) },
        participantSet: set, createdAt: draft.createdAt?.microseconds,
        updatedAt: draft.updatedAt?.microseconds, isDistinct: draft.isDistinct, metadata: draft.metadata)
    )
  }

  /// Changes the participants or the metadata of a conversation, or gives it its remote identifier. If the participants change, the conversation is no
  /// longer distinct.
  /// - Throws: ``SatchelError`` `unknownConversation`, `invalidIdentifier`, `identifierExists`, `invalidKey` or `invalidValue`. In
  ///   each case nothing has changed.
  package func updateConversation(_ id: Conversation.ID, _ update: ConversationUpdate) throws {
    let row = try existingConversation(id)
    let state = try conversation(row)
    for edit in update.metadata { try edit.validate(environmentOfWrites.metadataKeys) }
    for user in update.participants.added { try Self.check(identifier: user.rawValue, "participant") }
    var remoteID: [UInt8]?
    if let name = update.remoteID?.rawValue, let fields = state.fields {
      remoteID = try Self.check(remoteID: name, of: fields.remoteID)
      if let remoteID, remoteID != fields.identifier { try checkNew(conversation: name) }
    }
    var leaving: Set<Identity.ID> = []
    try changing {
      var isUpdated = state.gather { edits, fields in edits.add(update.metadata, to: fields.metadata) }
      if try changeParticipants(of: row, state, update.participants, &leaving) {
        state.edit { $0.isDistinct = false }
        isUpdated = true
      }
      if let remoteID {
        state.edit { $0.remoteID = remoteID }
        if remoteID != state.fields?.identifier {
          overlay.note(identifier: String(decoding: remoteID, as: UTF8.self), ofNewConversation: row)
        }
        try state.fields.map(takeParticipations)
        isUpdated = true
      }
      if let date = update.updatedAt ?? (isUpdated ? now : nil), date.microseconds != state.fields?.updatedAt
      {
        state.edit { $0.updatedAt = date.microseconds }
      }
      try flushIfFull()
    }
    try removeParticipations(of: leaving, in: row)
  }

  /// Removes the store's user from the participants of a conversation, which is then no longer distinct.
  /// - Throws: ``SatchelError`` `unknownConversation`, also if the user is not a participant; nothing has changed then.
  package func leaveConversation(_ id: Conversation.ID) throws {
    guard try userParticipates(inRow: existingConversation(id)) else {
      throw SatchelError(
        .unknownConversation, "The store's user is not a participant of that conversation",
        ["conversation": id.rawValue, "user": user.rawValue])
    }
    var update = ConversationUpdate()
    update.participants = .remove([user])
    try updateConversation(id, update)
  }

  private func userParticipates(inRow row: UInt32) throws -> Bool {
    if let members = overlay.participants[row] {
      return try flushed.userNumber.map(members.contains) ?? false
    }
    return try conversation(row).fields.map { try userParticipates(in: $0.participantSet) } ?? false
  }

  /// Returns whether the participants differ then. Adds those of whom nothing is to be said any more: users who are removed by name, and
  /// participants who are left out. Whoever was none, such as one who was invited, is not left out.
  /// - Complexity: O(users of the change); for the first change of a conversation, O(its participants) as well.
  private func changeParticipants(
    of row: UInt32, _ state: ConversationState, _ change: ConversationUpdate.Participants,
    _ leaving: inout Set<Identity.ID>
  ) throws -> Bool {
    guard change != .keep, let fields = state.fields else { return false }
    var members = try overlay.participants[row] ?? Set(flushed.participantSets.members(fields.participantSet))
    // Now `members` alone refers to the set, which can be changed in place.
    overlay.participants[row] = nil
    var isChanged = false
    switch change {
    case .keep: break
    case .add(let users):
      for user in try interner.intern(users: users) where members.insert(user).inserted { isChanged = true }
    case .remove(let users):
      leaving.formUnion(users)
      for user in users {
        if let number = try flushed.users.number(of: user.rawValue), members.remove(number) != nil {
          isChanged = true
        }
      }
    case .replace(let users):
      let new = Set(try interner.intern(users: users))
      isChanged = new != members
      for user in members.subtracting(new) { leaving.insert(Identity.ID(try flushed.users.text(user))) }
      members = new
    }
    overlay.participants[row] = members
    return isChanged
  }

  /// Gives the changed participants of a conversation the number of their set.
  func storeParticipants(of row: UInt32) throws {
    guard let members = overlay.participants.removeValue(forKey: row) else { return }
    let set = try interner.intern(.participantSets, set: members)
    let state = try conversation(row)
    if state.fields?.participantSet != set { state.edit { $0.participantSet = set } }
  }
}

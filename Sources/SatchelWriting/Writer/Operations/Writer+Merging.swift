package import SatchelModel

extension Writer {
  /// Changes a conversation by what another source says of it, if it is there: that source's metadata are merged into its own, and its
  /// participants are replaced, unless the source names none.
  /// - Returns: Whether the conversation is there.
  /// - Throws: ``SatchelError`` as `updateConversation`; `identifierExists` if two conversations have the draft's names. In each case
  ///   nothing has changed.
  package func merge(_ draft: ConversationDraft) throws -> Bool {
    try check(draft)
    guard let row = try locate(draft), let old = try conversation(row).current else { return false }
    var update = ConversationUpdate()
    if let remoteID = draft.remoteID, !old.identifier.elementsEqual(remoteID.rawValue.utf8) {
      update.remoteID = remoteID
    }
    if !draft.participants.isEmpty { update.participants = .replace(draft.participants) }
    if draft.metadata != Metadata() { update.metadata = [.merge(draft.metadata)] }
    if let date = draft.updatedAt, old.updatedAt.map({ date.microseconds > $0 }) ?? true {
      update.updatedAt = date
    }
    try updateConversation(Conversation.ID(String(decoding: old.identifier, as: UTF8.self)), update)
    return true
  }

  /// Whether the conversation of a draft is there already.
  /// - Throws: ``SatchelError`` `identifierExists` if two conversations have its names.
  package func isThere(_ draft: ConversationDraft) throws -> Bool { try locate(draft) != nil }

  /// Whether a message or an announcement has a name.
  package func hasMessage(_ id: Message.ID) throws -> Bool { try locateMessage(id.rawValue) != nil }

  /// Whether a conversation has a name.
  package func hasConversation(_ id: Conversation.ID) throws -> Bool {
    try locateConversation(id.rawValue) != nil
  }

  /// Whether a message, an announcement or a conversation has a name, or a conversation had it when the store's user deleted it.
  package func knows(_ reference: Reference) throws -> Bool {
    guard reference.type == Reference.conversations else { return try locateMessage(reference.name) != nil }
    return try locateConversation(reference.name) != nil || wasDeleted(Conversation.ID(reference.name))
  }

  private func locate(_ draft: ConversationDraft) throws -> UInt32? {
    let byIdentifier = try draft.identifier.flatMap { try locateConversation($0.rawValue) }
    guard let remoteID = draft.remoteID, let other = try locateConversation(remoteID.rawValue) else {
      return byIdentifier
    }
    guard let byIdentifier, byIdentifier != other else { return other }
    throw SatchelError(
      .identifierExists, "One conversation has its identifier, and another one its remote identifier",
      ["conversation": draft.identifier?.rawValue ?? "", "remoteID": remoteID.rawValue])
  }

  /// Changes the identity of a user by what another source says of the user, if there is one: what it leaves out stays.
  /// - Returns: Whether the store has an identity of the user.
  /// - Throws: ``SatchelError`` as `updateIdentity`. Nothing has changed then.
  package func merge(_ identity: Identity) throws -> Bool {
    try check(identity)
    guard try isThere(identity) else { return false }
    var update = IdentityUpdate()
    for field in ObjectField.ofIdentities {
      switch identity[field] {
      case .text(nil), .date(nil), .choice(nil), .boolean(false): break
      default: update.values[field] = identity[field]
      }
    }
    if identity.metadata != Metadata() { update.metadata = [.merge(identity.metadata)] }
    try updateIdentity(identity.userID, update)
    return true
  }

  /// Whether the store has an identity of a user.
  package func isThere(_ identity: Identity) throws -> Bool {
    try locateIdentity(identity.userID.rawValue) != nil
  }
}

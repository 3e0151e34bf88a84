import Satchel

// The steps of a message's life, as a program takes them that uses Satchel.
extension MessageStore {
  /// Replaces the text that a message begins with, in a commit.
  public func edit(_ edit: KnownMessage) throws {
    let text = edit.record.parts[0]
    try write { transaction in
      try transaction.update(Message.ID(edit.record.identifier)) {
        $0.replacedParts[0] = MessagePart.Draft(text)
        $0.editedAt = edit.record.editedAt.map { Timestamp(microseconds: $0).date }
      }
    }
  }

  /// Deletes a message for everyone, in a commit.
  public func withdraw(_ message: KnownMessage, at date: Int64) throws {
    let id = Message.ID(message.record.identifier)
    try write { try $0.delete(id, for: .everyone, at: Timestamp(microseconds: date).date) }
  }

  /// Adds drafts, in one commit.
  public func send(_ drafts: [NewMessage]) throws {
    try write { transaction in
      for draft in drafts {
        try transaction.send(
          draft.record.parts.map(MessagePart.Draft.init), to: Conversation.ID(draft.record.conversation),
          id: Message.ID(draft.record.identifier))
      }
    }
  }

  /// Confirms a draft, in a commit.
  public func confirm(_ draft: NewMessage, _ confirmation: Confirmation) throws {
    try write { transaction in
      try transaction.confirm(
        Message.ID(draft.record.identifier), as: Message.ID(confirmation.remoteID),
        position: confirmation.position, sentAt: Timestamp(microseconds: confirmation.sentAt).date)
    }
  }

  /// Merges a delivery of a message that is there, in a commit.
  public func merge(_ delivery: KnownMessage) throws {
    try write { try $0.receive(delivery.record, ifExists: .merge) }
  }

  /// What there is of the message of a name; nil if there is none.
  public func state(named name: String) throws -> LifeState? {
    try read { snapshot in
      guard let message = try snapshot.message(Message.ID(name)) else { return nil }
      var state = LifeState()
      state.identifier = message.id.rawValue
      state.remoteID = message.remoteID?.rawValue
      state.position = message.position
      state.sentAt = message.sentTimestamp?.microseconds
      state.isSent = message.isSent
      state.isUnread = message.isUnread
      state.editedAt = message.editedTimestamp?.microseconds
      state.deletedAt = message.deletedTimestamp?.microseconds
      state.partCount = message.parts.count
      state.text = message.text
      state.lastMessage = try snapshot.conversation(message.conversation)?.lastMessage?.id.rawValue ?? ""
      return state
    }
  }
}

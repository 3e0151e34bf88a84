/// What to do with an optional property.
package enum Change<Value: Sendable & Hashable>: Sendable, Hashable {
  case keep
  case set(Value)
  case clear

  /// Returns the value after the change.
  @inlinable
  package func applied(to old: Value?) -> Value? {
    switch self {
    case .keep: old
    case .set(let value): value
    case .clear: nil
    }
  }
}

/// Changes of a message or announcement.
package struct MessageUpdate: Sendable, Hashable {
  /// The identifier that a server gives it; nil changes nothing. One that has another remote identifier keeps it: that is refused.
  package var remoteID: Message.ID?
  package var position: Change<Int64> = .keep
  package var sentAt: Change<Timestamp> = .keep
  package var receivedAt: Change<Timestamp> = .keep
  /// When the parts were edited; `keep` means now, if the update changes them.
  package var editedAt: Change<Timestamp> = .keep
  /// When it is deleted for everyone. Of one that is deleted already `set` changes nothing, and `clear` is refused.
  package var deletedAt: Change<Timestamp> = .keep
  /// When it changed last; nil means now, if the update changes anything that counts.
  package var updatedAt: Timestamp?
  package var parts = PartsUpdate()
  package var isSent: Bool?
  package var isUnread: Bool?
  /// Whether all entries of recipients are removed before others are set.
  package var clearsRecipientStatus = false
  /// Entries to set or, if nil, to remove; other entries stay.
  package var recipientStatus: [Identity.ID: RecipientStatus?] = [:]
  /// Whether all parts are complete before the status of others is set.
  package var completesTransfers = false
  /// The parts whose transfer status changes, by their index before `parts` changes them.
  package var transferStatus: [Int: TransferStatus] = [:]
  package var metadata: [MetadataEdit] = []

  package init() {}

  /// A property that the update changes and that a message that was deleted for everyone has not; nil if there is none.
  package var contentsProperty: String? {
    if !parts.isEmpty { return "parts" }
    if !recipientStatus.isEmpty { return "recipientStatus" }
    return metadata.isEmpty ? nil : "metadata"
  }
}

/// Changes of a conversation.
package struct ConversationUpdate: Sendable, Hashable {
  /// What to do with the participants. If the set changes, the conversation is no longer distinct.
  package enum Participants: Sendable, Hashable {
    case keep
    case add([Identity.ID])
    case remove([Identity.ID])
    case replace([Identity.ID])

    /// The users that the change names as participants.
    package var added: [Identity.ID] {
      switch self {
      case .add(let users), .replace(let users): users
      case .keep, .remove: []
      }
    }
  }

  /// The identifier that a server gives it; nil changes nothing. One that has another remote identifier keeps it: that is refused.
  package var remoteID: Conversation.ID?
  package var participants: Participants = .keep
  package var metadata: [MetadataEdit] = []
  /// When it changed last; nil means now, if the update changes anything.
  package var updatedAt: Timestamp?

  package init() {}
}

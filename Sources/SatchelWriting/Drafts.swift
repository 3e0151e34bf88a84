internal import SatchelCoding
package import SatchelModel

/// A conversation that is to be created.
package struct ConversationDraft: Sendable, Hashable {
  /// Nil to have a new identifier made.
  package var identifier: Conversation.ID?
  /// The identifier that a server has given it.
  package var remoteID: Conversation.ID?
  package var participants: [Identity.ID]
  package var createdAt: Timestamp?
  /// When it changed last before it came into this store.
  package var updatedAt: Timestamp?
  package var isDistinct: Bool
  package var metadata: Metadata

  package init(
    identifier: Conversation.ID? = nil, remoteID: Conversation.ID? = nil, participants: [Identity.ID],
    createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil, isDistinct: Bool = false,
    metadata: Metadata = Metadata()
  ) {
    self.identifier = identifier
    self.remoteID = remoteID
    self.participants = participants
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.isDistinct = isDistinct
    self.metadata = metadata
  }
}

/// A message or announcement that is to be stored, with every property given.
package struct MessageDraft: Sendable, Hashable {
  /// Nil to have a new identifier made.
  package var identifier: Message.ID?
  /// The identifier that a server has given it.
  package var remoteID: Message.ID?
  package var sender: Identity.ID
  package var position: Int64?
  package var sentAt: Timestamp?
  package var receivedAt: Timestamp?
  /// When it was edited, deleted for everyone, or changed at all before it came into this store.
  package var editedAt: Timestamp?
  package var deletedAt: Timestamp?
  package var updatedAt: Timestamp?
  package var isSent: Bool
  package var isUnread: Bool
  package var parts: [MessagePart.Draft]
  package var recipientStatus: [RecipientStatusEntry]
  package var metadata: Metadata

  package init(
    identifier: Message.ID? = nil, remoteID: Message.ID? = nil, sender: Identity.ID, position: Int64? = nil,
    sentAt: Timestamp? = nil, receivedAt: Timestamp? = nil, editedAt: Timestamp? = nil,
    deletedAt: Timestamp? = nil,
    updatedAt: Timestamp? = nil, isSent: Bool = true, isUnread: Bool = false,
    parts: [MessagePart.Draft] = [],
    recipientStatus: [RecipientStatusEntry] = [], metadata: Metadata = Metadata()
  ) {
    self.identifier = identifier
    self.remoteID = remoteID
    self.sender = sender
    self.position = position
    self.sentAt = sentAt
    self.receivedAt = receivedAt
    self.editedAt = editedAt
    self.deletedAt = deletedAt
    self.updatedAt = updatedAt
    self.isSent = isSent
    self.isUnread = isUnread
    self.parts = parts
    self.recipientStatus = recipientStatus
    self.metadata = metadata
  }

  /// What has happened to it before it came into this store.
  var life: MessageLife {
    MessageLife(
      editedAt: editedAt?.microseconds, deletedAt: deletedAt?.microseconds,
      updatedAt: updatedAt?.microseconds)
  }
}

/// What to do with an optional property.
package enum Change<Value: Sendable & Hashable>: Sendable, Hashable {
  case keep
  case set(Value)
  case clear

  /// Returns the value after the change.
  func applied(to old: Value?) -> Value? {
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
  var contentsProperty: String? {
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
    var added: [Identity.ID] {
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

/// Changes of an identity.
package struct IdentityUpdate: Sendable, Hashable {
  /// The new values of some of `ObjectField.ofIdentities`.
  package var values: [ObjectField: FieldValue] = [:]
  package var metadata: [MetadataEdit] = []

  package init() {}
}

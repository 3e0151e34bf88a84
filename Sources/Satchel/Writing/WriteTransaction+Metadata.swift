import SatchelStorage

/// An object that an application can tag: a conversation, message, announcement or identity, by its identifier.
public enum MetadataOwner: Sendable, Hashable {
  case conversation(Conversation.ID)
  case message(Message.ID)
  case announcement(Announcement.ID)
  case identity(Identity.ID)
}

extension WriteTransaction {
  /// Sets a text or dictionary at a dotted key path; dictionaries on the way are made as needed.
  /// - Throws: ``SatchelError`` `invalidKey` or `invalidValue` with the key path, or that the object is unknown;
  ///   nothing has changed then.
  public func setMetadata(_ value: Metadata.Value, at keyPath: String, of owner: MetadataOwner) throws {
    try edit(owner, .set(value, at: keyPath))
  }

  /// Removes what is at a key path.
  public func removeMetadata(at keyPath: String, of owner: MetadataOwner) throws {
    try edit(owner, .remove(at: keyPath))
  }

  /// Adds entries, dictionary by dictionary; where both have a text, the new one wins.
  public func mergeMetadata(_ metadata: Metadata, into owner: MetadataOwner) throws {
    try edit(owner, .merge(metadata))
  }

  /// Replaces all metadata.
  public func replaceMetadata(with metadata: Metadata, of owner: MetadataOwner) throws {
    try edit(owner, .replace(metadata))
  }

  private func edit(_ owner: MetadataOwner, _ edit: MetadataEdit) throws {
    switch owner {
    case .conversation(let id): try change(id) { $0.metadata = [edit] }
    case .message(let id): try editMessage(id, isAnnouncement: false, edit)
    case .announcement(let id):
      try editMessage(Message.ID(id.rawValue), isAnnouncement: true, edit)
    case .identity(let id):
      var update = IdentityUpdate()
      update.metadata = [edit]
      try perform { try writer.updateIdentity(id, update) }
    }
  }

  private func editMessage(_ id: Message.ID, isAnnouncement: Bool, _ edit: MetadataEdit) throws {
    var update = MessageUpdate()
    update.metadata = [edit]
    try perform { try writer.updateMessage(id, isAnnouncement: isAnnouncement, update) }
  }
}

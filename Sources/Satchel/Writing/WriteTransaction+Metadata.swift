import SatchelWriting

/// An object to which an application can attach metadata: a conversation, message, announcement or identity.
public enum MetadataOwner: Sendable, Hashable {
  /// The conversation with this identifier.
  case conversation(Conversation.ID)
  /// The message with this identifier.
  case message(Message.ID)
  /// The announcement with this identifier.
  case announcement(Announcement.ID)
  /// The identity of the user with this id.
  case identity(Identity.ID)
}

extension WriteTransaction {
  /// Sets a value at a dotted key path, such as `theme.color`: a text, a number, a Boolean, a date or a dictionary.
  ///
  /// Dictionaries on the path are made if they do not exist, in place of other values too.
  /// - Throws: ``SatchelError`` `invalidKey` or `invalidValue` with the key path; `unknownConversation`,
  ///   `unknownMessage` or `unknownIdentity` if the object does not exist. Nothing has changed then.
  public func setMetadata(
    _ value: some MetadataConvertible, at keyPath: String, of owner: MetadataOwner
  ) throws {
    try edit(owner, .set(value.metadataValue, at: MetadataPath(dotted: keyPath)))
  }

  /// Sets a value at a path of keys, which may have dots, such as `["readAt", "alice@example.org"]`; otherwise like
  /// ``setMetadata(_:at:of:)-(_,String,_)``.
  /// - Throws: As that.
  public func setMetadata(
    _ value: some MetadataConvertible, at keys: [String], of owner: MetadataOwner
  ) throws {
    try edit(owner, .set(value.metadataValue, at: MetadataPath(keys)))
  }

  /// Removes the value at a dotted key path; does nothing if there is none.
  /// - Throws: As ``setMetadata(_:at:of:)-(_,String,_)``.
  public func removeMetadata(at keyPath: String, of owner: MetadataOwner) throws {
    try edit(owner, .remove(at: MetadataPath(dotted: keyPath)))
  }

  /// Removes the value at a path of keys, which may have dots; does nothing if there is none.
  /// - Throws: As ``setMetadata(_:at:of:)-(_,String,_)``.
  public func removeMetadata(at keys: [String], of owner: MetadataOwner) throws {
    try edit(owner, .remove(at: MetadataPath(keys)))
  }

  /// Adds entries to the metadata of an object. Dictionaries under the same key are merged in the same way; any other
  /// old value under the same key is replaced by the new one.
  /// - Throws: As ``setMetadata(_:at:of:)-(_,String,_)``.
  public func mergeMetadata(_ metadata: Metadata, into owner: MetadataOwner) throws {
    try edit(owner, .merge(metadata))
  }

  /// Replaces all metadata of an object.
  /// - Throws: As ``setMetadata(_:at:of:)-(_,String,_)``.
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

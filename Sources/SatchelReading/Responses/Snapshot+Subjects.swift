package import SatchelCoding
package import SatchelModel
package import SatchelRecords

// Of which message or conversation a record says something, by whatever name it is meant.
extension Snapshot {
  /// Returns a message or a conversation of this state; nil if there is none of that name.
  /// - Complexity: O(log n).
  private func subject(_ reference: Reference) throws -> RecordSubject? {
    if reference.type == Reference.conversations {
      return try conversation(of: Array(reference.name.utf8)).map { view in
        RecordSubject(names: try SatchelCoding.names(conversationIdentifier(view), remoteID(of: view)))
      }
    }
    return try locateMessage(reference.name).map { RecordSubject(try existingMessage($0)) }
  }

  /// Returns what can be said of an existing message.
  package func subject(_ key: MessageKey) throws -> RecordSubject { RecordSubject(try existingMessage(key)) }

  /// Returns all names of the message, the announcement or the conversation that a reference means, first the identifier that never
  /// changes; only the name that it has if there is none, and of references to other objects.
  /// - Complexity: O(log n), one look-up; O(1) of references to other objects.
  package func names(of reference: Reference) throws -> [String] {
    guard [Reference.messages, Reference.conversations].contains(reference.type) else {
      return [reference.name]
    }
    return try subject(reference)?.names ?? [reference.name]
  }

  /// Returns the key of a record. One that says something of a message or a conversation is found by each of their names.
  /// - Complexity: O(log n).
  package func locateRecord(byAnyName id: Record.ID) throws -> TypedRecordKey? {
    try locateRecord(id) ?? locateRecord(id.kept(subject))
  }
}

extension RecordSubject {
  /// What can be said of a message or an announcement.
  package init(_ view: MessageView) {
    let remoteID = unsafe view.remoteIDBytes.map { unsafe String(decoding: $0, as: UTF8.self) }
    self.init(
      names: unsafe SatchelCoding.names(
        String(decoding: view.identifierBytes, as: UTF8.self), remoteID),
      isWithdrawn: view.deletedAt != nil, isAnnouncement: view.key.isAnnouncement)
  }

  /// The same of one that a write has changed.
  package init(_ message: StoredMessage, _ key: MessageKey) {
    self.init(
      names: message.names, isWithdrawn: message.life.deletedAt != nil, isAnnouncement: key.isAnnouncement)
  }
}

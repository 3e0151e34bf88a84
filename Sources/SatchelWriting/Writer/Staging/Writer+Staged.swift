internal import LMDB
package import SatchelCoding
package import SatchelModel
internal import SatchelReading
internal import SatchelRecords

extension Writer {
  /// Returns what an import has staged, by ordinal.
  package func stagedEntries(_ number: UInt32, from first: UInt64, limit: Int) throws -> [StagedEntry] {
    var entries: [StagedEntry] = []
    try flushed.scanObjects(from: .staging(importNumber: number, ordinal: first)) { key, value in
      guard case .staging(number, let ordinal) = key, entries.count < limit else { return false }
      let entry = try decoding("staging", "\(number)/\(ordinal)") { () throws(CodingError) in
        unsafe try StagingEntry(value, importNumber: number, ordinal: ordinal)
      }
      entries.append(
        StagedEntry(ordinal: ordinal, entry: entry, checksum: unsafe RecordFrame.storedChecksum(value)))
      return true
    }
    return entries
  }

  /// Removes an entry of an import from the staging table.
  package func remove(_ staged: StagedEntry, of number: UInt32) throws {
    try tables.remove(
      .staging, ObjectKey.staging(importNumber: number, ordinal: staged.ordinal).bytes,
      checksum: staged.checksum)
  }

  /// Makes a staged object part of the store, if what others have written meanwhile allows it.
  /// - Throws: ``SatchelError`` `identifierExists`, `distinctConversationExists` or `unknownConversation`. In each case
  ///   nothing has changed.
  package func adopt(_ object: ObjectRow) throws {
    switch object {
    case .identity(let row):
      let (fields, checksum) = try flushed.identity(row)
      let user = try flushed.users.text(fields.user)
      guard try locateIdentity(user) == nil else {
        throw SatchelError(
          .identifierExists, "An identity with that user id has come into the store meanwhile",
          ["identity": user])
      }
      overlay.identityUsers[fields.user] = row
      overlay.insert(identity: row, IdentityState(staged: fields, checksum: checksum))
    case .conversation(let row):
      let (fields, checksum) = try flushed.conversation(row)
      for name in fields.names { try checkNew(conversation: name) }
      if fields.isDistinct {
        if let other = try findDistinct(participantSet: fields.participantSet) {
          throw try distinctConversationExists(other)
        }
        distinctConversations.note(row, participantSet: fields.participantSet)
      }
      try enter(conversation: row, ConversationState(staged: fields, checksum: checksum))
    case .message(let key): try adoptMessage(key)
    // An import stages the lines of records.
    case .record: break
    }
    try flushIfFull()
  }

  private func adoptMessage(_ key: MessageKey) throws {
    let (fields, checksum) = try stagedMessage(key)
    guard try key.isAnnouncement || hasConversation(key.conversation) else {
      throw Self.deletedMeanwhile(fields.names[0])
    }
    for name in fields.names { try checkNew(message: name) }
    try changing {
      try takeResponses(to: RecordSubject(fields, key))
      try enter(key, fields, checksum: checksum)
    }
  }

  func stagedMessage(_ key: MessageKey) throws -> (fields: StoredMessage, checksum: UInt64) {
    // What deletes a conversation removes the records of all its messages.
    guard try flushed.hasMessage(key) else { throw Self.deletedMeanwhile() }
    return try flushed.message(key)
  }

  /// Whether the store's user has deleted a staged message or announcement, which had come by another way meanwhile.
  /// - Parameter conversation: The name of its conversation, if that was in the store: it may be deleted.
  package func isDeleted(staged key: MessageKey, in conversation: Conversation.ID?) throws -> Bool {
    guard try flushed.hasMessage(key) else { return false }
    let fields = try flushed.message(key).fields
    let name =
      try key.isAnnouncement
      ? nil
      : flushed.identifier(ofConversation: key.conversation) ?? conversation.map { Array($0.rawValue.utf8) }
    return try hasDeleted(
      fields.names, in: key.conversation, named: name, position: fields.position, sentAt: fields.sentAt)
  }

  /// What says whether anything was deleted since: it is another then.
  package var deletionSummary: Seal.Summary { tables.seal[.deletions] }

  /// Whether a conversation is part of the store, not only staged.
  func hasConversation(_ row: UInt32) throws -> Bool {
    if let state = overlay.conversations[row] { return state.fields != nil }
    guard let identifier = try flushed.identifier(ofConversation: row) else { return false }
    return try locateConversation(String(decoding: identifier, as: UTF8.self)) == row
  }

  /// Removes a staged object from the tables. Skips what is already gone.
  package func discard(_ object: ObjectRow) throws {
    switch object {
    case .identity(let row):
      try tables.removeIfPresent(.identities, ObjectKey.identity(row: row).bytes)
    case .conversation(let row):
      try tables.removeIfPresent(.conversations, ObjectKey.conversation(row: row).bytes)
    case .message(let key):
      guard try flushed.hasMessage(key) else { return }
      let fields = try flushed.message(key).fields
      try purgeQueue.removeContents(of: fields, key, commit: commit)
      try tables.removeIfPresent(Seal.Table(of: key), key.bytes)
    case .record: break
    }
  }
}

internal import LMDB
internal import RankedIndex
internal import RankedKeys
internal import RecordStore
package import SatchelCoding
internal import SatchelIndexing

extension Snapshot {
  /// Returns the record of a message that an index refers to.
  package func message(conversation: UInt32, sequence: UInt64) throws -> MessageView {
    try existing(message(MessageKey(conversation: conversation, sequence: sequence)), "messages") {
      "\(conversation)/\(sequence)"
    }
  }

  /// Returns the fields at fixed offsets of the record of a message that an index refers to.
  package func messageHead(conversation: UInt32, sequence: UInt64) throws -> MessageHead {
    let key = MessageKey(conversation: conversation, sequence: sequence)
    let bytes = unsafe try existingRecord(key)
    do {
      return unsafe try MessageHead(bytes, key: key)
    } catch {
      throw RecordError("messages", "\(conversation)/\(sequence)", error.description)
    }
  }

  /// Returns the bytes of the record of a message that an index refers to, unchecked.
  func existingRecord(_ key: MessageKey) throws -> UnsafeRawBufferPointer {
    let bytes = unsafe try existing(messageRecord(key), "messages") { "\(key.conversation)/\(key.sequence)" }
    metrics.recordsRead &+= 1
    return unsafe bytes
  }

  /// Returns the whole record of a message.
  package func view(of head: MessageHead) throws -> MessageView {
    do { return try MessageView(head) } catch {
      throw RecordError("messages", "\(head.key.conversation)/\(head.key.sequence)", error.description)
    }
  }

  /// Returns the record of an announcement that an index refers to.
  package func announcement(_ sequence: UInt64) throws -> MessageView {
    try existing(message(MessageKey(announcement: sequence)), "announcements") { "\(sequence)" }
  }

  /// Returns the record of a message or an announcement that exists.
  package func existingMessage(_ key: MessageKey) throws -> MessageView {
    try key.isAnnouncement
      ? announcement(key.sequence) : message(conversation: key.conversation, sequence: key.sequence)
  }

  /// Returns the record of a conversation that an index refers to.
  package func conversation(_ row: UInt32) throws -> ConversationView {
    try existing(findConversation(row), "conversations") { "\(row)" }
  }

  /// Returns the record of an identity that an index refers to.
  package func identity(_ row: UInt32) throws -> IdentityView {
    try existing(findIdentity(row), "identities") { "\(row)" }
  }

  /// Returns the record of a message or an announcement, or nil if there is none.
  package func message(_ key: MessageKey) throws -> MessageView? {
    if let locatedMessage, locatedMessage.key == key { return locatedMessage }
    guard let bytes = unsafe try messageRecord(key) else {
      try expectNoMessage(key)
      return nil
    }
    metrics.recordsRead &+= 1
    do {
      let view = unsafe try MessageView(bytes, key: key)
      // Kept, because each row of a part reads the message's record again.
      if pending == nil, view.partCount > Self.fewParts { locatedMessage = view }
      return view
    } catch {
      let table = key.isAnnouncement ? "announcements" : "messages"
      throw RecordError(table, "\(key.conversation)/\(key.sequence)", error.description)
    }
  }

  /// Returns the record of a conversation, or nil if there is none.
  package func findConversation(_ row: UInt32) throws -> ConversationView? {
    if let lastConversation, lastConversation.row == row { return lastConversation }
    guard let bytes = unsafe try conversationRecord(row) else {
      try expectNone(of: IndexCatalog.conversationRows.tree, row, "conversations")
      return nil
    }
    metrics.recordsRead &+= 1
    do {
      let view = unsafe try ConversationView(bytes, row: row)
      // Not kept in a write, where the next change may move the record.
      if pending == nil { lastConversation = view }
      return view
    } catch {
      throw RecordError("conversations", "\(row)", error.description)
    }
  }

  /// Returns the record of an identity, or nil if there is none.
  package func findIdentity(_ row: UInt32) throws -> IdentityView? {
    guard let bytes = unsafe try tables.get(.objects, ObjectKey.identity(row: row).bytes) else {
      try expectNone(of: IndexCatalog.identityRows.tree, row, "identities")
      return nil
    }
    metrics.recordsRead &+= 1
    do {
      return unsafe try IdentityView(bytes, row: row)
    } catch {
      throw RecordError("identities", "\(row)", error.description)
    }
  }

  /// Throws if an index refers to a record that was not found: a damaged page can be valid in itself and lack records.
  /// Checked only in a read, because a write changes indexes after records.
  private func expectNone(of tree: TreeSchema, _ row: UInt32, _ table: String) throws {
    guard pending == nil else { return }
    guard try forest.rows(tree, of: UInt64(row)).isEmpty else { throw missing(table, "\(row)") }
  }

  private func expectNoMessage(_ key: MessageKey) throws {
    guard pending == nil else { return }
    if key.isAnnouncement {
      guard try forest.rows(IndexCatalog.announcementCreated.tree, of: key.sequence).isEmpty else {
        throw missing("announcements", "\(key.sequence)")
      }
      return
    }
    for index in [IndexCatalog.messageCreated, IndexCatalog.messageHidden] {
      for row in try forest.rows(index.tree, of: key.sequence) where index.message(of: row) == key {
        throw missing("messages", "\(key.conversation)/\(key.sequence)")
      }
    }
  }

  private func missing(_ table: String, _ key: String) -> RecordError {
    RecordError(table, key, "an index names it, and it is missing")
  }

  @inline(__always)
  private func existing<Record>(_ record: Record?, _ table: String, _ key: () -> String) throws -> Record {
    guard let record else { throw missing(table, key()) }
    return record
  }
}

internal import LMDB
internal import RankedIndex
package import SatchelCoding
internal import SatchelIndexing

extension Snapshot {
  /// The record of a message that an index has named.
  package func message(conversation: UInt32, sequence: UInt64) throws -> MessageView {
    try existing(message(MessageKey(conversation: conversation, sequence: sequence)), "messages") {
      "\(conversation)/\(sequence)"
    }
  }

  /// The fields at fixed places of the record of a message that an index has named.
  package func messageHead(conversation: UInt32, sequence: UInt64) throws -> MessageHead {
    let key = MessageKey(conversation: conversation, sequence: sequence)
    let bytes = unsafe try existing(messageRecord(key), "messages") { "\(conversation)/\(sequence)" }
    metrics.recordsRead &+= 1
    do {
      return unsafe try MessageHead(bytes, key: key)
    } catch {
      throw RecordError("messages", "\(conversation)/\(sequence)", error.description)
    }
  }

  /// The whole record of a message.
  package func view(of head: MessageHead) throws -> MessageView {
    do { return try MessageView(head) } catch {
      throw RecordError("messages", "\(head.key.conversation)/\(head.key.sequence)", error.description)
    }
  }

  /// The record of an announcement that an index has named.
  package func announcement(_ sequence: UInt64) throws -> MessageView {
    try existing(message(MessageKey(announcement: sequence)), "announcements") { "\(sequence)" }
  }

  /// The record of a conversation that an index has named.
  package func conversation(_ row: UInt32) throws -> ConversationView {
    try existing(findConversation(row), "conversations") { "\(row)" }
  }

  /// The record of an identity that an index has named.
  package func identity(_ row: UInt32) throws -> IdentityView {
    try existing(findIdentity(row), "identities") { "\(row)" }
  }

  /// The record of a message or an announcement, or nil where there is none.
  package func message(_ key: MessageKey) throws -> MessageView? {
    if let locatedMessage, locatedMessage.key == key { return locatedMessage }
    guard let bytes = unsafe try messageRecord(key) else {
      try expectNoMessage(key)
      return nil
    }
    metrics.recordsRead &+= 1
    do {
      let view = unsafe try MessageView(bytes, key: key)
      // Rows of parts ask for it again, each of them.
      if pending == nil, view.partCount > Self.fewParts { locatedMessage = view }
      return view
    } catch {
      let table = key.isAnnouncement ? "announcements" : "messages"
      throw RecordError(table, "\(key.conversation)/\(key.sequence)", error.description)
    }
  }

  /// The record of a conversation, or nil where there is none.
  package func findConversation(_ row: UInt32) throws -> ConversationView? {
    if let lastConversation, lastConversation.row == row { return lastConversation }
    guard let bytes = unsafe try conversationRecord(row) else {
      try expectNone(of: IndexCatalog.conversationRows, row, "conversations")
      return nil
    }
    metrics.recordsRead &+= 1
    do {
      let view = unsafe try ConversationView(bytes, row: row)
      // In a write the next change may move it.
      if pending == nil { lastConversation = view }
      return view
    } catch {
      throw RecordError("conversations", "\(row)", error.description)
    }
  }

  /// The record of an identity, or nil where there is none.
  package func findIdentity(_ row: UInt32) throws -> IdentityView? {
    guard let bytes = unsafe try transaction.get(databases.objects, ObjectKey.identity(row: row).bytes) else {
      try expectNone(of: IndexCatalog.identityRows, row, "identities")
      return nil
    }
    metrics.recordsRead &+= 1
    do {
      return unsafe try IdentityView(bytes, row: row)
    } catch {
      throw RecordError("identities", "\(row)", error.description)
    }
  }

  /// Throws when an index names a record that was not found: a damaged page may be sound in itself and lack some. Only in a
  /// read, because a write changes indexes after records.
  private func expectNone(of tree: TreeSchema, _ row: UInt32, _ table: String) throws {
    guard pending == nil else { return }
    guard try forest.rows(tree, of: UInt64(row)).isEmpty else { throw missing(table, "\(row)") }
  }

  private func expectNoMessage(_ key: MessageKey) throws {
    guard pending == nil else { return }
    if key.isAnnouncement {
      guard try forest.rows(IndexCatalog.announcementCreated, of: key.sequence).isEmpty else {
        throw missing("announcements", "\(key.sequence)")
      }
      return
    }
    for tree in [IndexCatalog.messageCreated, IndexCatalog.messageHidden] {
      for row in try forest.rows(tree, of: key.sequence) where row[1] == UInt64(key.conversation) {
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

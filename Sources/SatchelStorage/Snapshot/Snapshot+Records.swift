internal import LMDB
package import SatchelCoding

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
    guard let bytes = unsafe try messageRecord(key) else { return nil }
    metrics.recordsRead &+= 1
    do {
      return unsafe try MessageView(bytes, key: key)
    } catch {
      let table = key.isAnnouncement ? "announcements" : "messages"
      throw RecordError(table, "\(key.conversation)/\(key.sequence)", error.description)
    }
  }

  /// The record of a conversation, or nil where there is none.
  package func findConversation(_ row: UInt32) throws -> ConversationView? {
    if let lastConversation, lastConversation.row == row { return lastConversation }
    guard let bytes = unsafe try conversationRecord(row) else { return nil }
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
      return nil
    }
    metrics.recordsRead &+= 1
    do {
      return unsafe try IdentityView(bytes, row: row)
    } catch {
      throw RecordError("identities", "\(row)", error.description)
    }
  }

  @inline(__always)
  private func existing<Record>(_ record: Record?, _ table: String, _ key: () -> String) throws -> Record {
    guard let record else { throw RecordError(table, key(), "an index names it, and it is missing") }
    return record
  }
}

import GRDB

extension GRDBEngine {
  /// Takes messages into their conversations in one transaction.
  public func insert(_ batch: [NewMessage]) throws {
    try pool.write { db in
      let sink = try GRDBSink(db)
      var states: [Int64: ConversationState] = [:]
      for new in batch {
        let conversation = new.conversation.row
        guard let row = try sink.insert(new.record, conversation: conversation, visible: true) else {
          continue
        }
        states[conversation, default: ConversationState(row: conversation, participates: true)]
          .add(new.record, row: row)
      }
      for state in states.values { try sink.setState(state) }
    }
  }

  /// Runs statements that give nothing back.
  public func execute(_ sql: String) throws { try pool.writeWithoutTransaction { try $0.execute(sql: sql) } }

  /// Moves all of the log into the file, and empties it.
  public func checkpoint() throws { _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } }

  /// Marks all messages of a conversation as read.
  public func markRead(_ conversation: ConversationKey) throws {
    try pool.write { db in
      for sql in [Inserts.markRead, Inserts.clearUnread] {
        try db.cachedStatement(sql: sql).execute(arguments: [conversation.row])
      }
    }
  }

  /// Sets a text of a conversation's metadata.
  public func setMetadata(_ value: String, at path: String, of conversation: ConversationKey) throws {
    try pool.write { db in
      for sql in [Inserts.setMetadata, Inserts.setMetadataText] {
        try db.cachedStatement(sql: sql).execute(arguments: [conversation.row, path, value])
      }
    }
  }

  /// Deletes a conversation with all its messages.
  public func delete(_ conversation: ConversationKey) throws {
    try pool.write { db in
      for sql in Inserts.delete { try db.cachedStatement(sql: sql).execute(arguments: [conversation.row]) }
    }
  }
}

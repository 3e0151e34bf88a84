/// A SQLite file in which a chat ages.
public final class AgeingSQLite {
  private let engine: SQLiteEngine
  private let sink: SQLiteSink
  private let markOneRead: SQLiteStatement
  private let oneUnreadLess: SQLiteStatement
  private let removal: SQLiteStatement
  private let oneMessageLess: SQLiteStatement
  /// The rows of the conversations that have begun since.
  private var rows: [String: Int64] = [:]

  public init(_ engine: SQLiteEngine) throws {
    self.engine = engine
    let connection = engine.connection
    sink = try SQLiteSink(connection)
    markOneRead = try connection.prepare(Inserts.markOneRead)
    oneUnreadLess = try connection.prepare(Inserts.oneUnreadLess)
    removal = try connection.prepare(Inserts.deleteMessage)
    oneMessageLess = try connection.prepare(Inserts.oneMessageLess)
  }

  /// Makes a commit.
  public func make(_ commit: AgeingCommit) throws {
    switch commit {
    case .add(let message):
      try engine.insert([NewMessage(conversation: known(message.conversation), record: message.record)])
    case .read(let key): try engine.markRead(known(key))
    case .readOne(let message): try readOne(message)
    case .rename(let key, let title): try engine.setMetadata(title, at: "title", of: known(key))
    case .edit(let message, let text, let date): try edit(message, text, date)
    case .delete(let message): try delete(message)
    case .begin(let values):
      try engine.connection.write {
        let participants = values.participants.sorted().joined(separator: "\n")
        rows[values.identifier] = try sink.insert(values, participants: participants, participates: true)
      }
    case .end(let key): try engine.delete(known(key))
    }
  }

  /// The conversation with its row.
  private func known(_ key: ConversationKey) -> ConversationKey {
    guard let row = rows[key.identifier] else { return key }
    return ConversationKey(identifier: key.identifier, row: row, messageCount: 0, unreadCount: 0)
  }

  /// What there is of a message: it has to be there.
  private func row(_ message: AgeingMessage) throws -> Int64 {
    guard let row = try engine.row(named: message.identifier) else {
      throw LifeError(description: "\(message.identifier) is not there")
    }
    return row
  }

  private func readOne(_ message: AgeingMessage) throws {
    try engine.connection.write {
      try markOneRead.bind(1, row(message)).run()
      guard engine.connection.changeCount == 1 else { return }
      try oneUnreadLess.bind(1, known(message.conversation).row).run()
    }
  }

  private func edit(_ message: AgeingMessage, _ text: String, _ date: Int64) throws {
    var record = MessageValues()
    record.identifier = message.identifier
    record.editedAt = date
    var part = PartValues()
    part.text = text
    part.size = Int64(text.utf8.count)
    record.parts = [part]
    try engine.edit(
      KnownMessage(row: row(message), conversation: known(message.conversation), record: record))
  }

  private func delete(_ message: AgeingMessage) throws {
    try engine.connection.write {
      let id = try row(message)
      let conversation = known(message.conversation).row
      try engine.life.removeParts(of: id)
      let isUnread = try removal.bind(1, id).number()
      try oneMessageLess.bind(1, conversation).bind(2, isUnread).run()
      guard let last = try engine.life.last(of: conversation) else { return }
      try engine.life.setLast(last, of: conversation, isSame: false)
    }
  }
}

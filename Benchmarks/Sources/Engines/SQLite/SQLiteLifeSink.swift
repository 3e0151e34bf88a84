/// The prepared statements of a message's life, through libsqlite3.
final class SQLiteLifeSink: LifeSink {
  private let connection: SQLiteConnection
  private let content: SQLiteStatement
  private let edited: SQLiteStatement
  private let deleted: SQLiteStatement
  private let removal: SQLiteStatement
  private let confirmed: SQLiteStatement
  private let last: SQLiteStatement
  private let lastPosition: SQLiteStatement
  private let lastMessage: SQLiteStatement
  private let named: SQLiteStatement
  private let parts: SQLiteStatement

  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    content = try connection.prepare(Life.content)
    edited = try connection.prepare(Life.edited)
    deleted = try connection.prepare(Life.deleted)
    removal = try connection.prepare(Life.removeParts)
    confirmed = try connection.prepare(Life.confirmed)
    last = try connection.prepare(Life.last)
    lastPosition = try connection.prepare(Life.lastPosition)
    lastMessage = try connection.prepare(Life.lastMessage)
    named = try connection.prepare(Life.named)
    parts = try connection.prepare(Life.parts)
  }

  func setContent(_ new: PartValues, part: Int64) throws {
    content.bind(1, part).bind(2, new.size)
    if let data = new.data { content.bind(3, data) } else { content.bind(3, new.text) }
    try content.run()
  }

  func setEdited(_ message: Int64, at date: Int64?, now: Int64) throws -> Bool {
    try edited.bind(1, message).bind(2, date).bind(3, now).run()
    return connection.changeCount == 1
  }

  func setDeleted(_ message: Int64, at date: Int64, now: Int64) throws -> Bool {
    try deleted.bind(1, message).bind(2, date).bind(3, now).run()
    return connection.changeCount == 1
  }

  func setConfirmed(_ message: Int64, _ confirmation: Confirmation, now: Int64) throws -> Bool {
    confirmed.bind(1, message).bind(2, confirmation.remoteID).bind(3, confirmation.position)
    try confirmed.bind(4, confirmation.sentAt).bind(5, now).run()
    return connection.changeCount == 1
  }

  func removeParts(of message: Int64) throws { try removal.bind(1, message).run() }

  func last(of conversation: Int64) throws -> LastRow? {
    defer { last.reset() }
    guard try last.bind(1, conversation).step() else { return nil }
    return LastRow(id: last.integer(0), position: last.integer(1), receivedAt: last.optionalInteger(2))
  }

  func setLast(_ last: LastRow, of conversation: Int64, isSame: Bool) throws {
    let statement = isSame ? lastPosition : lastMessage
    statement.bind(1, conversation).bind(2, last.id).bind(3, last.position)
    if !isSame { statement.bind(4, last.receivedAt) }
    try statement.run()
  }

  func row(named name: String) throws -> NamedRow? {
    defer { named.reset() }
    guard try named.bind(1, name).step() else { return nil }
    return NamedRow(
      id: named.integer(0), conversation: named.integer(1), sender: named.text(2), position: named.integer(3),
      sentAt: named.optionalInteger(4), receivedAt: named.optionalInteger(5),
      editedAt: named.optionalInteger(6),
      deletedAt: named.optionalInteger(7))
  }

  func parts(of message: Int64) throws -> [PartValues] {
    defer { parts.reset() }
    parts.bind(1, message)
    var result: [PartValues] = []
    while try parts.step() { result.append(parts.part(mimeType: 0)) }
    return result
  }
}

extension SQLiteEngine {
  /// Replaces the text that a message begins with, in a transaction.
  public func edit(_ edit: KnownMessage) throws { try connection.write { try life.edit(edit) } }

  /// Deletes a message for everyone, in a transaction.
  public func withdraw(_ message: KnownMessage, at date: Int64) throws {
    try connection.write { try life.withdraw(message, at: date) }
  }

  /// Confirms a draft, in a transaction.
  public func confirm(_ draft: Int64, in conversation: Int64, _ confirmation: Confirmation) throws {
    try connection.write { try life.confirm(draft, in: conversation, confirmation) }
  }

  /// Merges a delivery of a message that is there, in a transaction.
  public func merge(_ delivery: KnownMessage) throws { try connection.write { try life.merge(delivery) } }

  /// The row of the message of a name.
  public func row(named name: String) throws -> Int64? { try life.row(named: name)?.id }

  /// What there is of the message of a name; nil if there is none.
  public func state(named name: String) throws -> LifeState? {
    let statement = try SQLiteStatement(connection.handle, Life.state)
    guard try statement.bind(1, name).step() else { return nil }
    var state = LifeState()
    state.identifier = statement.text(0)
    state.remoteID = statement.optionalText(1)
    state.position = statement.integer(2) == Schema.unsent ? nil : statement.integer(2)
    state.sentAt = statement.optionalInteger(3)
    state.isSent = statement.integer(4) != 0
    state.isUnread = statement.integer(5) != 0
    state.editedAt = statement.optionalInteger(6)
    state.deletedAt = statement.optionalInteger(7)
    state.partCount = Int(statement.integer(8))
    state.text = statement.optionalText(9)
    state.lastMessage = statement.text(10)
    return state
  }
}

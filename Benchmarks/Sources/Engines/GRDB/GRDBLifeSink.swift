import Foundation
import GRDB

/// The prepared statements of a message's life, through GRDB: it prepares each when it is first needed.
struct GRDBLifeSink: LifeSink {
  let db: Database

  private func run(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
    return db.changesCount == 1
  }

  func setContent(_ new: PartValues, part: Int64) throws {
    let content = new.data.map { Data($0).databaseValue } ?? new.text.databaseValue
    _ = try run(Life.content, [part, new.size, content])
  }

  func setEdited(_ message: Int64, at date: Int64?, now: Int64) throws -> Bool {
    try run(Life.edited, [message, date, now])
  }

  func setDeleted(_ message: Int64, at date: Int64, now: Int64) throws -> Bool {
    try run(Life.deleted, [message, date, now])
  }

  func setConfirmed(_ message: Int64, _ confirmation: Confirmation, now: Int64) throws -> Bool {
    try run(
      Life.confirmed, [message, confirmation.remoteID, confirmation.position, confirmation.sentAt, now])
  }

  func removeParts(of message: Int64) throws { _ = try run(Life.removeParts, [message]) }

  func last(of conversation: Int64) throws -> LastRow? {
    try Row.fetchOne(db.cachedStatement(sql: Life.last), arguments: [conversation])
      .map { LastRow(id: $0[0], position: $0[1], receivedAt: $0[2]) }
  }

  func setLast(_ last: LastRow, of conversation: Int64, isSame: Bool) throws {
    _ =
      isSame
      ? try run(Life.lastPosition, [conversation, last.id, last.position])
      : try run(Life.lastMessage, [conversation, last.id, last.position, last.receivedAt])
  }

  func row(named name: String) throws -> NamedRow? {
    try Row.fetchOne(db.cachedStatement(sql: Life.named), arguments: [name]).map {
      NamedRow(
        id: $0[0], conversation: $0[1], sender: $0[2], position: $0[3], sentAt: $0[4], receivedAt: $0[5],
        editedAt: $0[6], deletedAt: $0[7])
    }
  }

  func parts(of message: Int64) throws -> [PartValues] {
    let rows = try Row.fetchCursor(db.cachedStatement(sql: Life.parts), arguments: [message])
    var parts: [PartValues] = []
    while let row = try rows.next() { parts.append(row.part(mimeType: 0)) }
    return parts
  }
}

extension GRDBEngine {
  /// Replaces the text that a message begins with, in a transaction.
  public func edit(_ edit: KnownMessage) throws { try pool.write { try GRDBLifeSink(db: $0).edit(edit) } }

  /// Deletes a message for everyone, in a transaction.
  public func withdraw(_ message: KnownMessage, at date: Int64) throws {
    try pool.write { try GRDBLifeSink(db: $0).withdraw(message, at: date) }
  }

  /// Confirms a draft, in a transaction.
  public func confirm(_ draft: Int64, in conversation: Int64, _ confirmation: Confirmation) throws {
    try pool.write { try GRDBLifeSink(db: $0).confirm(draft, in: conversation, confirmation) }
  }

  /// Merges a delivery of a message that is there, in a transaction.
  public func merge(_ delivery: KnownMessage) throws {
    try pool.write { try GRDBLifeSink(db: $0).merge(delivery) }
  }

  /// The row of the message of a name.
  public func row(named name: String) throws -> Int64? {
    try pool.read { try GRDBLifeSink(db: $0).row(named: name)?.id }
  }

  /// What there is of the message of a name; nil if there is none.
  public func state(named name: String) throws -> LifeState? {
    try pool.read { db in
      try Row.fetchOne(db.cachedStatement(sql: Life.state), arguments: [name]).map { row in
        var state = LifeState()
        state.identifier = row[0]
        state.remoteID = row[1]
        state.position = row[2] == Schema.unsent ? nil : row[2]
        state.sentAt = row[3]
        state.isSent = row[4]
        state.isUnread = row[5]
        state.editedAt = row[6]
        state.deletedAt = row[7]
        state.partCount = row[8]
        state.text = row[9]
        state.lastMessage = row[10]
        return state
      }
    }
  }
}

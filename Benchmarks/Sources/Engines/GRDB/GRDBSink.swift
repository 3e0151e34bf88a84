import Foundation
import GRDB

/// The prepared statements that write rows through GRDB.
final class GRDBSink: RowSink {
  private let db: Database
  private let identity: Statement
  private let conversation: Statement
  private let participant: Statement
  private let metadata: Statement
  private let message: Statement
  private let part: Statement
  private let announcement: Statement
  private let announcementPart: Statement
  private let state: Statement

  init(_ db: Database) throws {
    self.db = db
    identity = try db.cachedStatement(sql: Inserts.identity)
    conversation = try db.cachedStatement(sql: Inserts.conversation)
    participant = try db.cachedStatement(sql: Inserts.participant)
    metadata = try db.cachedStatement(sql: Inserts.metadata)
    message = try db.cachedStatement(sql: Inserts.message)
    part = try db.cachedStatement(sql: Inserts.part)
    announcement = try db.cachedStatement(sql: Inserts.announcement)
    announcementPart = try db.cachedStatement(sql: Inserts.announcementPart)
    state = try db.cachedStatement(sql: Inserts.state)
  }

  func insert(_ record: IdentityValues) throws {
    try identity.execute(arguments: [
      record.userID, record.displayName, record.firstName, record.lastName, record.emailAddress,
      record.phoneNumber, record.avatarURL, record.metadata,
    ])
  }

  func insert(_ record: ConversationValues, participants: String, participates: Bool) throws -> Int64 {
    try conversation.execute(arguments: [
      record.identifier, participants, record.createdAt, record.isDistinct, record.metadata, participates,
    ])
    let row = db.lastInsertedRowID
    for user in Set(record.participants) { try participant.execute(arguments: [row, user]) }
    for (path, value) in record.metadataTexts { try metadata.execute(arguments: [row, path, value]) }
    return row
  }

  func insert(_ record: MessageValues, conversation: Int64, visible: Bool) throws -> Int64? {
    try message.execute(arguments: [
      record.identifier, conversation, record.position ?? Schema.unsent, record.sender, record.sentAt,
      record.receivedAt, record.isSent, record.isUnread, visible, record.recipientStatus, record.metadata,
    ])
    guard db.changesCount == 1 else { return nil }
    let row = db.lastInsertedRowID
    for (place, content) in record.parts.enumerated() {
      if let data = content.data {
        try part.execute(arguments: [
          row, place, content.mimeType, content.kind.rawValue, content.size, Data(data), visible,
        ])
      } else {
        try part.execute(arguments: [
          row, place, content.mimeType, content.kind.rawValue, content.size, content.text, visible,
        ])
      }
    }
    return row
  }

  func insertAnnouncement(_ record: MessageValues) throws {
    try announcement.execute(arguments: [
      record.identifier, record.position ?? Schema.unsent, record.sender, record.sentAt, record.receivedAt,
      record.isSent, record.isUnread, record.metadata,
    ])
    let row = db.lastInsertedRowID
    for (place, content) in record.parts.enumerated() {
      try announcementPart.execute(arguments: [
        row, place, content.mimeType, content.kind.rawValue, content.size,
        content.data.map { Data($0).databaseValue } ?? content.text.databaseValue,
      ])
    }
  }

  func setState(_ new: ConversationState) throws {
    try state.execute(arguments: [
      new.row, new.messageCount, new.unreadCount, new.lastMessage, new.lastPosition, new.lastReceivedAt,
    ])
  }
}

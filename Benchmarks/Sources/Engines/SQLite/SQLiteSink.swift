/// The prepared statements that write rows through libsqlite3.
final class SQLiteSink: RowSink {
  private let connection: SQLiteConnection
  private let identity: SQLiteStatement
  private let conversation: SQLiteStatement
  private let participant: SQLiteStatement
  private let metadata: SQLiteStatement
  private let message: SQLiteStatement
  private let part: SQLiteStatement
  private let announcement: SQLiteStatement
  private let announcementPart: SQLiteStatement
  private let state: SQLiteStatement

  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    identity = try connection.prepare(Inserts.identity)
    conversation = try connection.prepare(Inserts.conversation)
    participant = try connection.prepare(Inserts.participant)
    metadata = try connection.prepare(Inserts.metadata)
    message = try connection.prepare(Inserts.message)
    part = try connection.prepare(Inserts.part)
    announcement = try connection.prepare(Inserts.announcement)
    announcementPart = try connection.prepare(Inserts.announcementPart)
    state = try connection.prepare(Inserts.state)
  }

  func insert(_ record: IdentityValues) throws {
    let values = [
      record.userID, record.displayName, record.firstName, record.lastName, record.emailAddress,
      record.phoneNumber, record.avatarURL, record.metadata,
    ]
    for (index, value) in values.enumerated() { identity.bind(Int32(index + 1), value) }
    try identity.run()
  }

  func insert(_ record: ConversationValues, participants: String, participates: Bool) throws -> Int64 {
    conversation.bind(1, record.identifier)
    conversation.bind(2, participants)
    conversation.bind(3, record.createdAt)
    conversation.bind(4, record.isDistinct ? 1 : 0)
    conversation.bind(5, record.metadata)
    conversation.bind(6, participates ? 1 : 0)
    try conversation.run()
    let row = connection.lastInsertedRow
    for user in Set(record.participants) {
      participant.bind(1, row)
      participant.bind(2, user)
      try participant.run()
    }
    for (path, value) in record.metadataTexts {
      metadata.bind(1, row)
      metadata.bind(2, path)
      metadata.bind(3, value)
      try metadata.run()
    }
    return row
  }

  func insert(_ record: MessageValues, conversation: Int64, visible: Bool) throws -> Int64? {
    message.bind(1, record.identifier)
    message.bind(2, conversation)
    message.bind(3, record.position ?? Schema.unsent)
    message.bind(4, record.sender)
    message.bind(5, record.sentAt)
    message.bind(6, record.receivedAt)
    message.bind(7, record.isSent ? 1 : 0)
    message.bind(8, record.isUnread ? 1 : 0)
    message.bind(9, visible ? 1 : 0)
    message.bind(10, record.recipientStatus)
    message.bind(11, record.metadata)
    defer { message.reset() }
    guard try message.step() == false, connection.changeCount == 1 else { return nil }
    let row = connection.lastInsertedRow
    for (place, content) in record.parts.enumerated() {
      bind(content, to: part, owner: row, place: place)
      part.bind(7, visible ? 1 : 0)
      try part.run()
    }
    return row
  }

  func insertAnnouncement(_ record: MessageValues) throws {
    announcement.bind(1, record.identifier)
    announcement.bind(2, record.position ?? Schema.unsent)
    announcement.bind(3, record.sender)
    announcement.bind(4, record.sentAt)
    announcement.bind(5, record.receivedAt)
    announcement.bind(6, record.isSent ? 1 : 0)
    announcement.bind(7, record.isUnread ? 1 : 0)
    announcement.bind(8, record.metadata)
    try announcement.run()
    let row = connection.lastInsertedRow
    for (place, content) in record.parts.enumerated() {
      bind(content, to: announcementPart, owner: row, place: place)
      try announcementPart.run()
    }
  }

  private func bind(_ content: PartValues, to statement: SQLiteStatement, owner: Int64, place: Int) {
    statement.bind(1, owner)
    statement.bind(2, Int64(place))
    statement.bind(3, content.mimeType)
    statement.bind(4, content.kind.rawValue)
    statement.bind(5, content.size)
    if let data = content.data { statement.bind(6, data) } else { statement.bind(6, content.text) }
  }

  func setState(_ new: ConversationState) throws {
    state.bind(1, new.row)
    state.bind(2, new.messageCount)
    state.bind(3, new.unreadCount)
    state.bind(4, new.lastMessage)
    state.bind(5, new.lastPosition)
    state.bind(6, new.lastReceivedAt)
    try state.run()
  }
}

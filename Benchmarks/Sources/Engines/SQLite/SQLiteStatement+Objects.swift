import CSQLite

extension SQLiteStatement {
  /// The first column of the only row.
  public func number() throws -> Int64 {
    defer { reset() }
    return try step() ? integer(0) : 0
  }

  /// What the numbers of the first column add up to, and how many rows there are.
  public func sum() throws -> (count: Int, sum: Int64) {
    defer { reset() }
    var result = (count: 0, sum: Int64(0))
    while try step() {
      result.count += 1
      result.sum &+= integer(0)
    }
    return result
  }

  /// The texts of the first column.
  public func texts() throws -> [String] {
    defer { reset() }
    var texts: [String] = []
    while try step() { texts.append(text(0)) }
    return texts
  }

  /// The messages of a statement of `SQL.messages`, or of `SQL.messagesOfConversation` for the conversation given.
  public func messages(of conversation: String? = nil) throws -> [MessageValues] {
    defer { reset() }
    var messages: [MessageValues] = []
    messages.reserveCapacity(20)
    var id: Int64 = -1
    while try step() {
      let row = integer(MessageColumn.id)
      if row != id {
        id = row
        messages.append(messageRecord(of: conversation))
      }
      // Where it stands, without a copy.
      appendPart(to: &messages[messages.count - 1])
    }
    return messages
  }

  /// Calls `body` with each message of a statement of `SQL.messages`.
  public func forEachMessage(_ body: (MessageValues) throws -> Void) throws {
    defer { reset() }
    var message = MessageValues()
    var id: Int64 = -1
    while try step() {
      let row = integer(MessageColumn.id)
      if row != id {
        if id >= 0 { try body(message) }
        id = row
        message = messageRecord()
      }
      appendPart(to: &message)
    }
    if id >= 0 { try body(message) }
  }

  /// The message of the row, without parts.
  func messageRecord(of conversation: String? = nil) -> MessageValues {
    var message = MessageValues()
    message.identifier = text(MessageColumn.identifier)
    message.conversation = conversation ?? text(MessageColumn.conversation)
    message.sender = text(MessageColumn.sender)
    let position = integer(MessageColumn.position)
    if position != Schema.unsent { message.position = position }
    message.sentAt = optionalInteger(MessageColumn.sentAt)
    message.receivedAt = optionalInteger(MessageColumn.receivedAt)
    message.isSent = integer(MessageColumn.isSent) != 0
    message.isUnread = integer(MessageColumn.isUnread) != 0
    message.recipientStatus = optionalText(MessageColumn.recipientStatus)
    message.metadata = optionalText(MessageColumn.metadata)
    return message
  }

  func appendPart(to message: inout MessageValues) {
    if isNull(MessageColumn.place) { return }
    message.parts.append(part(mimeType: MessageColumn.mimeType))
  }

  /// The part whose columns begin with a MIME type.
  func part(mimeType column: Int32) -> PartValues {
    var part = PartValues()
    part.mimeType = text(column)
    part.kind = PartValues.Kind(rawValue: integer(column + 1)) ?? .text
    part.size = optionalInteger(column + 2)
    switch part.kind {
    case .text, .url: part.text = optionalText(column + 3)
    case .data: part.data = isNull(column + 3) ? nil : blob(column + 3)
    }
    return part
  }

  /// The conversations of a statement of `SQL.conversations`.
  public func conversations() throws -> [ConversationObject] {
    defer { reset() }
    var conversations: [ConversationObject] = []
    var id: Int64 = -1
    while try step() {
      let row = integer(ConversationColumn.id)
      if row != id {
        id = row
        conversations.append(conversation())
      }
      let last = conversations.count - 1
      // Its parts are appended where it stands, without a copy.
      if conversations[last].lastMessage != nil { appendPart(to: &conversations[last].lastMessage!) }
    }
    return conversations
  }

  private func conversation() -> ConversationObject {
    var conversation = ConversationObject()
    conversation.identifier = text(MessageColumn.conversation)
    conversation.participants = text(ConversationColumn.participants).utf8
      .split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
    conversation.createdAt = optionalInteger(ConversationColumn.createdAt)
    conversation.isDistinct = integer(ConversationColumn.isDistinct) != 0
    conversation.metadata = optionalText(ConversationColumn.metadata)
    conversation.unreadCount = Int(integer(ConversationColumn.unreadCount))
    conversation.messageCount = Int(integer(ConversationColumn.messageCount))
    if !isNull(MessageColumn.id) { conversation.lastMessage = messageRecord() }
    return conversation
  }

  /// The parts of a statement of `SQL.parts`.
  public func parts() throws -> [(message: String, place: Int64, part: PartValues)] {
    defer { reset() }
    var parts: [(message: String, place: Int64, part: PartValues)] = []
    while try step() { parts.append((text(0), integer(1), part(mimeType: 2))) }
    return parts
  }
}

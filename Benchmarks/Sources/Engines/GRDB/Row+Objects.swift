import Foundation
import GRDB

extension Row {
  /// The message of the row, without parts.
  func messageRecord(of conversation: String? = nil) -> MessageValues {
    var message = MessageValues()
    message.identifier = self[Int(MessageColumn.identifier)]
    message.conversation = conversation ?? self[Int(MessageColumn.conversation)]
    message.sender = self[Int(MessageColumn.sender)]
    let position: Int64 = self[Int(MessageColumn.position)]
    if position != Schema.unsent { message.position = position }
    message.sentAt = self[Int(MessageColumn.sentAt)]
    message.receivedAt = self[Int(MessageColumn.receivedAt)]
    message.isSent = self[Int(MessageColumn.isSent)]
    message.isUnread = self[Int(MessageColumn.isUnread)]
    message.recipientStatus = self[Int(MessageColumn.recipientStatus)]
    message.metadata = self[Int(MessageColumn.metadata)]
    return message
  }

  func appendPart(to message: inout MessageValues) {
    if hasNull(atIndex: Int(MessageColumn.place)) { return }
    message.parts.append(part(mimeType: Int(MessageColumn.mimeType)))
  }

  /// The part whose columns begin with a MIME type.
  func part(mimeType column: Int) -> PartValues {
    var part = PartValues()
    part.mimeType = self[column]
    part.kind = PartValues.Kind(rawValue: self[column + 1]) ?? .text
    part.size = self[column + 2]
    switch part.kind {
    case .text, .url: part.text = self[column + 3]
    case .data: part.data = (self[column + 3] as Data?).map(Array.init)
    }
    return part
  }

  func conversation() -> ConversationObject {
    var conversation = ConversationObject()
    conversation.identifier = self[Int(MessageColumn.conversation)]
    let participants: String = self[Int(ConversationColumn.participants)]
    conversation.participants = participants.utf8
      .split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
    conversation.createdAt = self[Int(ConversationColumn.createdAt)]
    conversation.isDistinct = self[Int(ConversationColumn.isDistinct)]
    conversation.metadata = self[Int(ConversationColumn.metadata)]
    conversation.unreadCount = self[Int(ConversationColumn.unreadCount)]
    conversation.messageCount = self[Int(ConversationColumn.messageCount)]
    if !hasNull(atIndex: Int(MessageColumn.id)) { conversation.lastMessage = messageRecord() }
    return conversation
  }
}

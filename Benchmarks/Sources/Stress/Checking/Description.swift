import Satchel

/// Objects as texts with all that they hold: the same text from the store and from the model.
enum Description {
  static func of(_ message: Message) -> String {
    let fields = Fields(
      id: message.id.rawValue, conversation: message.conversation.rawValue, sender: message.sender.rawValue,
      position: message.position, sentAt: message.sentTimestamp?.microseconds,
      receivedAt: message.receivedTimestamp?.microseconds, isSent: message.isSent, isUnread: message.isUnread)
    let status = message.recipientStatus.map { "\($0.key.rawValue)=\($0.value.name)" }
    return fields.text + parts(message.parts) + list(status) + tags { message.metadata[$0] }
  }

  static func of(_ announcement: Announcement) -> String {
    let fields = Fields(
      id: announcement.id.rawValue, conversation: "", sender: announcement.sender.rawValue,
      position: announcement.position, sentAt: announcement.sentAt.map { Timestamp($0).microseconds },
      receivedAt: announcement.receivedAt.map { Timestamp($0).microseconds }, isSent: announcement.isSent,
      isUnread: announcement.isUnread)
    return fields.text + parts(announcement.parts) + list([]) + tags { announcement.metadata[$0] }
  }

  static func of(_ message: Model.Message, isAnnouncement: Bool = false) -> String {
    let fields = Fields(
      id: isAnnouncement
        ? Names.announcement(message.number).rawValue : Names.message(message.number).rawValue,
      conversation: isAnnouncement ? "" : Names.conversation(message.conversation).rawValue,
      sender: Names.user(message.sender).rawValue, position: message.position, sentAt: message.sentAt,
      receivedAt: message.receivedAt, isSent: message.isSent, isUnread: message.isUnread)
    let parts = message.parts.map { "\($0.mimeType) \($0.text?.utf8.count ?? $0.bytes)" }
    let status = message.status.map { "\(Names.user($0.key).rawValue)=\($0.value.rawValue)" }
    return fields.text + " [\(parts.joined(separator: ", "))]" + list(status) + tags { message.metadata[$0] }
  }

  static func of(_ conversation: Conversation) -> String {
    of(
      id: conversation.id.rawValue, participants: conversation.participants.map(\.rawValue),
      createdAt: conversation.createdTimestamp?.microseconds, unread: conversation.unreadCount,
      messages: conversation.messageCount, last: conversation.lastMessage?.id.rawValue,
      tags: tags { conversation.metadata[$0] })
  }

  static func of(_ conversation: Model.Conversation, _ summary: Summary) -> String {
    of(
      id: Names.conversation(conversation.number).rawValue,
      participants: conversation.participants.map { Names.user($0).rawValue },
      createdAt: conversation.createdAt, unread: summary.unread, messages: summary.messages,
      last: summary.last.map { Names.message($0.number).rawValue }, tags: tags { conversation.metadata[$0] })
  }

  static func of(_ identity: Identity) -> String {
    "\(identity.userID.rawValue) \(identity.displayName ?? "–") \(identity.followed)"
  }

  static func of(_ identity: Model.Identity) -> String {
    "\(Names.user(identity.user).rawValue) \(identity.displayName ?? "–") \(identity.followed)"
  }

  private struct Fields {
    let id: String
    let conversation: String
    let sender: String
    let position: Int64?
    let sentAt: Int64?
    let receivedAt: Int64?
    let isSent: Bool
    let isUnread: Bool

    var text: String {
      "\(id) \(conversation) \(sender) \(number(position)) \(number(sentAt)) \(number(receivedAt)) "
        + "\(isSent ? "sent" : "unsent") \(isUnread ? "unread" : "read")"
    }

    private func number(_ value: Int64?) -> String { value.map { String($0) } ?? "–" }
  }

  private static func of(
    id: String, participants: [String], createdAt: Int64?, unread: Int, messages: Int, last: String?,
    tags: String
  ) -> String {
    "\(id) created \(createdAt.map { String($0) } ?? "–"), \(unread) of \(messages) unread, last \(last ?? "–")"
      + list(participants) + tags
  }

  private static func parts(_ parts: [MessagePart]) -> String {
    " [\(parts.map { "\($0.mimeType) \($0.size ?? -1)" }.joined(separator: ", "))]"
  }

  private static func list(_ texts: [String]) -> String { " [\(texts.sorted().joined(separator: ", "))]" }

  private static func tags(_ text: (String) -> String?) -> String {
    let tags = Generator.paths.compactMap { path in text(path).map { "\(path)=\($0)" } }
    return " {\(tags.joined(separator: ", "))}"
  }
}

/// A message with what others say to it.
public struct AnsweredMessage: Sendable {
  public var message: MessageValues
  public var reactions: [Reactions] = []
  public var replyCount = 0

  /// The reactions of one kind.
  public struct Reactions: Sendable {
    public let kind: String
    public let count: Int
    public let isMine: Bool
  }
}

/// What a program prepares once to show messages with what others say to them. The reactions to a message lie side by side, in the order of
/// their kinds, so that a statement for each message groups them as it reads them; one for all messages would have to sort them.
public final class SQLiteResponses {
  private let page: SQLiteStatement
  private let reactions: SQLiteStatement
  private let replies: SQLiteStatement

  /// - Parameter page: A statement of `SQL.messagesOfConversation`.
  public init(_ connection: SQLiteConnection, page: String, user: String) throws {
    self.page = try connection.prepare(page)
    reactions = try connection.prepare(
      "SELECT kind, count(*), max(user = ?2) FROM reaction WHERE message = ?1 GROUP BY kind")
    reactions.bind(2, user)
    replies = try connection.prepare("SELECT count(*) FROM reply WHERE parent = ?1")
  }

  /// The latest messages of a conversation, each with what is said to it.
  public func latest(_ conversation: ConversationKey, limit: Int) throws -> [AnsweredMessage] {
    let (found, rows) = try page.bind(1, conversation.row).bind(2, Int64(limit)).bind(3, 0)
      .answeredMessages(of: conversation.identifier)
    var messages = found
    for (place, row) in rows.enumerated() {
      messages[place].reactions = try reactions.bind(1, row).reactions()
      messages[place].replyCount = Int(try replies.bind(1, row).number())
    }
    return messages
  }
}

extension SQLiteStatement {
  /// The messages of a statement of `SQL.messagesOfConversation`, and their rows.
  fileprivate func answeredMessages(
    of conversation: String
  ) throws -> (messages: [AnsweredMessage], rows: [Int64]) {
    defer { reset() }
    var messages: [AnsweredMessage] = []
    var rows: [Int64] = []
    messages.reserveCapacity(20)
    rows.reserveCapacity(20)
    while try step() {
      let row = integer(MessageColumn.id)
      if row != rows.last {
        rows.append(row)
        messages.append(AnsweredMessage(message: messageRecord(of: conversation)))
      }
      // Where it stands, without a copy.
      appendPart(to: &messages[messages.count - 1].message)
    }
    return (messages, rows)
  }

  fileprivate func reactions() throws -> [AnsweredMessage.Reactions] {
    defer { reset() }
    var reactions: [AnsweredMessage.Reactions] = []
    while try step() {
      reactions.append(
        AnsweredMessage.Reactions(kind: text(0), count: Int(integer(1)), isMine: integer(2) != 0))
    }
    return reactions
  }
}

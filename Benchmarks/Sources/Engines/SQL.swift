/// The statements that GRDB and plain SQLite both run.
///
/// A list of messages is chosen by a sub-select of row ids, which an index answers alone; the columns are then fetched by
/// row id, in that order, together with the parts. BenchmarkCheck prints the plans: no
/// statement scans where an index could do.
public enum SQL {
  /// The columns of a message, its conversation and a part of it; `MessageColumn` numbers them.
  private static let messageColumns = """
    m.id, m.identifier, c.identifier, m.sender, m.position, m.sent_at, m.received_at, m.is_sent, m.is_unread,
    m.recipient_status, m.metadata,
    p.id & 1023, p.mime_type, p.kind, p.size,
    CASE WHEN p.kind <> 1 OR p.size <= \(PartValues.inlineBytes) THEN p.content END
    """

  /// The messages that a sub-select names by `id`, in its order, with their parts: a row for each part.
  public static func messages(_ ids: String) -> String {
    """
    WITH page (id) AS (\(ids))
    SELECT \(messageColumns)
    FROM page
    CROSS JOIN message AS m ON m.id = page.id
    CROSS JOIN conversation AS c ON c.id = m.conversation
    LEFT JOIN part AS p ON p.id BETWEEN m.id * 1024 AND m.id * 1024 + 1023
    """
  }

  /// The messages of one conversation that a sub-select names by `id`, in its order, with their parts: the conversation is
  /// known to whoever asks.
  public static func messagesOfConversation(_ ids: String) -> String {
    """
    WITH page (id) AS (\(ids))
    SELECT \(messageColumns.replacing("c.identifier", with: "NULL"))
    FROM page
    CROSS JOIN message AS m ON m.id = page.id
    LEFT JOIN part AS p ON p.id BETWEEN m.id * 1024 AND m.id * 1024 + 1023
    """
  }

  /// The same, each with the identity of its sender: `SenderColumn` numbers its columns.
  public static func messagesWithSenders(_ ids: String) -> String {
    """
    WITH page (id) AS (\(ids))
    SELECT \(messageColumns.replacing("c.identifier", with: "NULL")),
      i.user, i.display_name, i.first_name, i.last_name, i.email_address, i.phone_number, i.avatar_url, i.metadata
    FROM page
    CROSS JOIN message AS m ON m.id = page.id
    LEFT JOIN identity AS i ON i.user = m.sender
    LEFT JOIN part AS p ON p.id BETWEEN m.id * 1024 AND m.id * 1024 + 1023
    """
  }

  /// All messages, in the order of creation.
  public static let allMessages = """
    SELECT \(messageColumns)
    FROM message AS m
    CROSS JOIN conversation AS c ON c.id = m.conversation
    LEFT JOIN part AS p ON p.id BETWEEN m.id * 1024 AND m.id * 1024 + 1023
    WHERE m.visible = 1
    ORDER BY m.id
    """

  /// The conversations that a sub-select names by `id`, in its order, with their last messages and these one's parts.
  public static func conversations(_ ids: String) -> String {
    """
    WITH page (id) AS (\(ids))
    SELECT \(messageColumns),
      c.id, c.participants, c.created_at, c.is_distinct, c.metadata, c.unread_count, c.message_count
    FROM page
    CROSS JOIN conversation AS c ON c.id = page.id
    LEFT JOIN message AS m ON m.id = c.last_message
    LEFT JOIN part AS p ON p.id BETWEEN m.id * 1024 AND m.id * 1024 + 1023
    """
  }

  /// The parts that a sub-select names by `id`, in its order.
  public static func parts(_ ids: String) -> String {
    """
    WITH page (id) AS (\(ids))
    SELECT m.identifier, p.id & 1023, p.mime_type, p.kind, p.size,
      CASE WHEN p.kind <> 1 OR p.size <= \(PartValues.inlineBytes) THEN p.content END
    FROM page
    CROSS JOIN part AS p ON p.id = page.id
    CROSS JOIN message AS m ON m.id = p.message
    """
  }
}

/// The columns of `SQL.messages`.
public enum MessageColumn {
  public static let id: Int32 = 0
  public static let identifier: Int32 = 1
  public static let conversation: Int32 = 2
  public static let sender: Int32 = 3
  public static let position: Int32 = 4
  public static let sentAt: Int32 = 5
  public static let receivedAt: Int32 = 6
  public static let isSent: Int32 = 7
  public static let isUnread: Int32 = 8
  public static let recipientStatus: Int32 = 9
  public static let metadata: Int32 = 10
  public static let place: Int32 = 11
  public static let mimeType: Int32 = 12
  public static let kind: Int32 = 13
  public static let size: Int32 = 14
  public static let content: Int32 = 15
}

/// The columns of `SQL.messagesWithSenders` behind those of the message.
public enum SenderColumn {
  public static let user: Int32 = 16
  public static let displayName: Int32 = 17
  public static let firstName: Int32 = 18
  public static let lastName: Int32 = 19
  public static let emailAddress: Int32 = 20
  public static let phoneNumber: Int32 = 21
  public static let avatarURL: Int32 = 22
  public static let metadata: Int32 = 23
}

/// The columns of `SQL.conversations` behind those of the last message.
public enum ConversationColumn {
  public static let id: Int32 = 16
  public static let participants: Int32 = 17
  public static let createdAt: Int32 = 18
  public static let isDistinct: Int32 = 19
  public static let metadata: Int32 = 20
  public static let unreadCount: Int32 = 21
  public static let messageCount: Int32 = 22
}

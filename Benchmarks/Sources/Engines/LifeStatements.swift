/// The statements of what happens in a message's life, for GRDB and plain SQLite. Who works at a message has its row at hand; who
/// delivers one has a name, which may be its own or the server's.
enum Life {
  /// A text is edited in its place. What the program has compared stays out of the statement: its indexes are left alone.
  static let content = "UPDATE part SET size = ?2, content = ?3 WHERE id = ?1"
  static let edited =
    "UPDATE message SET edited_at = ?2, updated_at = ?3 WHERE id = ?1 AND deleted_at IS NULL"

  /// What is deleted for everyone keeps its row.
  static let deleted = """
    UPDATE message SET deleted_at = ?2, updated_at = ?3, metadata = NULL, recipient_status = NULL
    WHERE id = ?1 AND deleted_at IS NULL
    """
  static let removeParts = "DELETE FROM part WHERE id BETWEEN ?1 * 1024 AND ?1 * 1024 + 1023"

  static let confirmed = """
    UPDATE message SET remote_id = ?2, position = ?3, sent_at = ?4, is_sent = 1, updated_at = ?5
    WHERE id = ?1 AND remote_id IS NULL
    """
  /// The last message of a conversation, as its row has to name it.
  static let last = """
    SELECT id, position, received_at FROM message WHERE conversation = ?1 ORDER BY position DESC, id DESC LIMIT 1
    """
  /// Where the last message is the one that was.
  static let lastPosition = "UPDATE conversation SET last_position = ?3 WHERE id = ?1 AND last_message = ?2"
  static let lastMessage = """
    UPDATE conversation SET last_message = ?2, last_position = ?3, last_received_at = ?4 WHERE id = ?1
    """

  /// What is there of a message that is delivered: the second half runs only where no identifier is found.
  static let named = """
    SELECT \(namedColumns) FROM message WHERE identifier = ?1
    UNION ALL SELECT \(namedColumns) FROM message WHERE remote_id = ?1
    LIMIT 1
    """
  private static let namedColumns =
    "id, conversation, sender, position, sent_at, received_at, edited_at, deleted_at"
  static let parts = """
    SELECT mime_type, kind, size, content FROM part WHERE id BETWEEN ?1 * 1024 AND ?1 * 1024 + 1023 ORDER BY id
    """

  /// What a check reads back: a message by either of its names, and the last one of its conversation.
  static let state = """
    SELECT m.identifier, m.remote_id, m.position, m.sent_at, m.is_sent, m.is_unread, m.edited_at, m.deleted_at,
      (SELECT count(*) FROM part AS p WHERE p.id BETWEEN m.id * 1024 AND m.id * 1024 + 1023),
      (SELECT p.content FROM part AS p WHERE p.id = m.id * 1024),
      (SELECT l.identifier FROM message AS l WHERE l.id = c.last_message)
    FROM message AS m JOIN conversation AS c ON c.id = m.conversation
    WHERE m.id = coalesce(
      (SELECT id FROM message WHERE identifier = ?1), (SELECT id FROM message WHERE remote_id = ?1))
    """
}

/// What a check reads back of a message: the same of all engines.
public struct LifeState: Hashable, Sendable {
  public var identifier = ""
  public var remoteID: String?
  public var position: Int64?
  public var sentAt: Int64?
  public var isSent = true
  public var isUnread = false
  public var editedAt: Int64?
  public var deletedAt: Int64?
  public var partCount = 0
  /// The text of the first part.
  public var text: String?
  /// The identifier of the last message of the conversation.
  public var lastMessage = ""

  public init() {}

  /// The state of a message that is as the record says.
  public init(_ record: MessageValues) {
    identifier = record.identifier
    position = record.position
    sentAt = record.sentAt
    isSent = record.isSent
    isUnread = record.isUnread
    editedAt = record.editedAt
    partCount = record.parts.count
    text = record.parts.first?.text
  }
}

/// The statements that write, for GRDB and plain SQLite.
public enum Inserts {
  static let identity = "INSERT OR IGNORE INTO identity VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"

  /// A conversation becomes visible with its first message.
  static let conversation = """
    INSERT INTO conversation
      (identifier, participants, created_at, is_distinct, metadata, participates, visible)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0)
    """
  static let participant = "INSERT INTO participant VALUES (?1, ?2)"
  static let metadata = "INSERT INTO conversation_metadata VALUES (?1, ?2, ?3)"

  /// Nothing happens where there is a message of the identifier.
  public static let message = """
    INSERT OR IGNORE INTO message
      (identifier, conversation, position, sender, sent_at, received_at, is_sent, is_unread, visible,
       recipient_status, metadata)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
    """
  public static let part = """
    INSERT INTO part (id, message, mime_type, kind, size, content, visible)
    VALUES (?1 * 1024 + ?2, ?1, ?3, ?4, ?5, ?6, ?7)
    """
  static let announcement = """
    INSERT OR IGNORE INTO announcement
      (identifier, position, sender, sent_at, received_at, is_sent, is_unread, metadata)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """
  static let announcementPart = """
    INSERT OR IGNORE INTO announcement_part (announcement, place, mime_type, kind, size, content)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """

  /// What is kept of its messages on a conversation's row: more messages, more of them unread, the last of them.
  public static let state = """
    UPDATE conversation SET
      visible = participates,
      message_count = message_count + ?2,
      unread_count = unread_count + ?3,
      last_message = CASE WHEN ?5 >= last_position THEN ?4 ELSE last_message END,
      last_received_at = CASE WHEN ?5 >= last_position THEN ?6 ELSE last_received_at END,
      last_position = max(?5, last_position)
    WHERE id = ?1
    """

  /// Marks the messages of a conversation as read.
  public static let markRead =
    "UPDATE message SET is_unread = 0 WHERE conversation = ?1 AND is_unread = 1 AND visible = 1"
  public static let clearUnread = "UPDATE conversation SET unread_count = 0 WHERE id = ?1"

  /// Marks one message as read, and counts it if it was unread.
  static let markOneRead = "UPDATE message SET is_unread = 0 WHERE id = ?1 AND is_unread = 1"
  static let oneUnreadLess = "UPDATE conversation SET unread_count = unread_count - 1 WHERE id = ?1"

  /// Takes a message out of its conversation, whose last one may be another then.
  static let deleteMessage = "DELETE FROM message WHERE id = ?1 RETURNING is_unread"
  static let oneMessageLess = """
    UPDATE conversation SET message_count = message_count - 1, unread_count = unread_count - ?2 WHERE id = ?1
    """

  /// Sets a text of a conversation's metadata.
  public static let setMetadata =
    "UPDATE conversation SET metadata = json_set(coalesce(metadata, '{}'), '$.' || ?2, ?3) WHERE id = ?1"
  public static let setMetadataText = """
    INSERT INTO conversation_metadata VALUES (?1, ?2, ?3)
    ON CONFLICT (conversation, path) DO UPDATE SET value = excluded.value
    """

  /// Deletes a conversation and all that belongs to it.
  public static let delete = [
    """
    DELETE FROM part WHERE id IN (
      SELECT p.id FROM message AS m CROSS JOIN part AS p ON p.id BETWEEN m.id * 1024 AND m.id * 1024 + 1023
      WHERE m.conversation = ?1)
    """,
    "DELETE FROM message WHERE conversation = ?1",
    "DELETE FROM conversation_metadata WHERE conversation = ?1",
    "DELETE FROM participant WHERE conversation = ?1",
    "DELETE FROM conversation WHERE id = ?1",
  ]
}

import Engines

/// The sub-selects of the workloads, for GRDB and plain SQLite. Each ends with how many rows and from which on. A plus
/// sign keeps SQLite from walking a whole table in its order because of the limit.
enum Select {
  static let latest = """
    SELECT id FROM message WHERE conversation = ?1 ORDER BY position DESC, id DESC LIMIT ?2 OFFSET ?3
    """
  static let fromBeginning = """
    SELECT id FROM message WHERE conversation = ?1 ORDER BY position, id LIMIT ?2 OFFSET ?3
    """
  static let bySentAt = """
    SELECT id FROM message WHERE visible = 1 ORDER BY sent_at, id LIMIT ?1 OFFSET ?2
    """
  static let week = """
    SELECT id FROM message WHERE visible = 1 AND sent_at > ?1 ORDER BY +id LIMIT ?2 OFFSET ?3
    """
  static let all = "SELECT id FROM message WHERE visible = 1 ORDER BY id LIMIT ?1 OFFSET ?2"
  static let pngMessages = """
    SELECT DISTINCT message FROM part WHERE mime_type = ?1 AND visible = 1 ORDER BY message LIMIT ?2 OFFSET ?3
    """
  static let pngParts = """
    SELECT id FROM part WHERE mime_type = ?1 AND visible = 1 ORDER BY message, id LIMIT ?2 OFFSET ?3
    """
  static let allConversations = "SELECT id FROM conversation WHERE visible = 1 ORDER BY id LIMIT ?1 OFFSET ?2"
  static let conversation = """
    SELECT id FROM conversation WHERE identifier = ?1 AND visible = 1 LIMIT ?2 OFFSET ?3
    """
  static let participants = """
    SELECT id FROM conversation WHERE participants = ?1 AND visible = 1 ORDER BY id LIMIT ?2 OFFSET ?3
    """
  static let conversationsByLast = """
    SELECT id FROM conversation WHERE visible = 1 ORDER BY last_received_at DESC, id DESC LIMIT ?1 OFFSET ?2
    """
  static let conversationsByOwnStates = """
    SELECT id FROM conversation WHERE visible = 1 AND archived_at IS NULL
    ORDER BY pinned_at DESC, last_received_at DESC, id DESC LIMIT ?1 OFFSET ?2
    """
  static let metadataValue = """
    SELECT c.id FROM conversation_metadata AS t CROSS JOIN conversation AS c ON c.id = t.conversation
    WHERE t.path = ?1 AND t.value = ?2 AND c.visible = 1 ORDER BY c.id LIMIT ?3 OFFSET ?4
    """
  static let serverID = """
    SELECT id FROM message WHERE json_extract(metadata, '$.serverID') = ?1 AND visible = 1 LIMIT ?2 OFFSET ?3
    """
  static let priority = """
    SELECT id FROM message WHERE json_extract(metadata, '$.priority') > ?1 AND visible = 1
    ORDER BY json_extract(metadata, '$.priority'), id LIMIT ?2 OFFSET ?3
    """
  static let declared = """
    SELECT id FROM message WHERE visible = 1 AND json_extract(metadata, '$.priority') >= ?1
    ORDER BY json_extract(metadata, '$.priority') DESC, sent_at, id LIMIT ?2 OFFSET ?3
    """
  static let declaredUnread = """
    SELECT id FROM message WHERE is_unread = 1 AND visible = 1
    ORDER BY json_extract(metadata, '$.priority') DESC, sent_at, id LIMIT ?1 OFFSET ?2
    """
  static let tag = """
    SELECT message FROM message_tag WHERE tag = ?1 ORDER BY sent_at DESC, message DESC LIMIT ?2 OFFSET ?3
    """
  static let metadataIn = """
    SELECT c.id FROM conversation_metadata AS t CROSS JOIN conversation AS c ON c.id = t.conversation
    WHERE t.path = ?1 AND t.value IN (?2, ?3) AND c.visible = 1 ORDER BY c.id LIMIT ?4 OFFSET ?5
    """
  static let metadataAnd = """
    SELECT c.id FROM conversation_metadata AS t
    CROSS JOIN conversation_metadata AS u ON u.conversation = t.conversation AND u.path = ?4 AND u.value IN (?2, ?3)
    CROSS JOIN conversation AS c ON c.id = t.conversation
    WHERE t.path = ?1 AND t.value = ?5 AND c.visible = 1 ORDER BY c.id LIMIT ?6 OFFSET ?7
    """
}

/// The statements of the workloads that give numbers or identifiers, for GRDB and plain SQLite.
enum Number {
  static let unread = "SELECT sum(unread_count) FROM conversation WHERE visible = 1 AND unread_count > 0"
  static let unreadOfOthers =
    "SELECT count(*) FROM message WHERE is_unread = 1 AND visible = 1 AND sender <> ?1"
  static let unreadInConversation = "SELECT unread_count FROM conversation WHERE id = ?1"
  static let since = "SELECT count(*) FROM message WHERE visible = 1 AND sent_at > ?1"
  static let between = "SELECT count(*) FROM message WHERE visible = 1 AND sent_at BETWEEN ?1 AND ?2"
  static let total = "SELECT sum(message_count) FROM conversation WHERE +visible = 1"
  static let rank =
    "SELECT count(*) FROM message WHERE conversation = ?1 AND (position, id) < (?2, ?3)"
  static let senderInConversation = "SELECT count(*) FROM message WHERE conversation = ?1 AND sender = ?2"
  static let idsBySentAt =
    "SELECT identifier FROM message WHERE visible = 1 ORDER BY sent_at, id LIMIT ?1 OFFSET ?2"
  static let idsInConversation =
    "SELECT identifier FROM message WHERE conversation = ?1 ORDER BY position, id"
  static let times = "SELECT received_at FROM message WHERE +visible = 1"
  static let ids = "SELECT identifier FROM message WHERE visible = 1 ORDER BY id"
  static let abovePriority =
    "SELECT count(*) FROM message WHERE json_extract(metadata, '$.priority') > ?1 AND visible = 1"
  static let declared =
    "SELECT count(*) FROM message WHERE visible = 1 AND json_extract(metadata, '$.priority') >= ?1"
  static let declaredUnread = """
    SELECT count(*) FROM message
    WHERE is_unread = 1 AND visible = 1 AND json_extract(metadata, '$.priority') > ?1
    """
  /// How many messages come before one with a priority, a date and a row: those without a date are the first of their priority.
  static let declaredRank = """
    SELECT (SELECT count(*) FROM message WHERE visible = 1 AND json_extract(metadata, '$.priority') > ?1)
      + (SELECT count(*) FROM message
        WHERE visible = 1 AND json_extract(metadata, '$.priority') = ?1 AND sent_at IS NULL)
      + (SELECT count(*) FROM message
        WHERE visible = 1 AND json_extract(metadata, '$.priority') = ?1 AND (sent_at, id) < (?2, ?3))
    """
  static let both = """
    SELECT identifier FROM message
    WHERE visible = 1 AND json_extract(metadata, '$.priority') < ?1 AND json_extract(metadata, '$.amount') < ?2
    ORDER BY id
    """
  /// Days of UTC that have messages, and how many.
  static let days = """
    SELECT sent_at / 86400000000, count(*) FROM message WHERE visible = 1 AND sent_at >= ?1 AND sent_at < ?2
    GROUP BY 1 ORDER BY 1
    """
  static let following = "SELECT count(*) FROM relation WHERE kind = 'following' AND source = ?1"
  static let mutual = """
    SELECT count(*) FROM relation AS a CROSS JOIN relation AS b
      ON b.kind = 'following' AND b.source = a.target AND b.target = ?1
    WHERE a.kind = 'following' AND a.source = ?1
    """
  static let ofTag = "SELECT count(*) FROM message_tag WHERE tag = ?1"
  /// What a check reads back.
  static let customValues = """
    SELECT identifier || ' ' || json_extract(metadata, '$.priority') || ' ' || json_extract(metadata, '$.amount')
    FROM message WHERE json_extract(metadata, '$.serverID') = ?1 AND visible = 1
    """
  static let identifierAlone = "SELECT identifier || '  ' FROM message WHERE identifier = ?1"
  static let idsOfType = """
    SELECT m.identifier
    FROM (SELECT DISTINCT message FROM part WHERE mime_type = ?1 AND visible = 1 ORDER BY message LIMIT -1) AS p
    CROSS JOIN message AS m ON m.id = p.message
    """
}

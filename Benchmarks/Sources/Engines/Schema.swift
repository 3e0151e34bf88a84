/// The relational schema that the same data and the same questions would be given by somebody who knows SQLite well; what
/// GRDB and plain SQLite both use.
///
/// - What one user may see is decided when a row is written (`visible`): no query has to join for it, and the indexes of
///   visible rows are partial ones.
/// - A message without a position has the largest one, so that one index has the order that queries ask for.
/// - Everything that a list of conversations shows is kept on the conversation's row: the last message, the counts.
/// - Parts lie in the order of their messages: a part's row id is its message's, 1,024 times, and its place. A table
///   without row ids would do the same, but moves contents of more than a kilobyte to pages of their own.
/// - Metadata and the recipients' status are JSON on their owner's row, decoded by whoever needs it; only what is asked
///   for, the texts of conversations' metadata, has a table of its own.
/// - Partial indexes hold the columns of their own condition as well: versions of SQLite before 3.42 would read the row
///   for them.
/// - A message has what its life needs: the server's identifier, and when it was edited, deleted for everyone and changed last. By
///   these dates Satchel has no index either. Former contents are not kept: nothing asks for them.
/// - There are the indexes that the benchmark's questions need and no others: fewer than Satchel keeps.
public enum Schema {
  /// The position of a message that has none.
  public static let unsent = Int64.max

  /// The tables, without the indexes that are made after a first load.
  public static let tables = """
    CREATE TABLE conversation (
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL UNIQUE,
      participants TEXT NOT NULL,
      created_at INTEGER,
      is_distinct INTEGER NOT NULL,
      metadata TEXT,
      participates INTEGER NOT NULL,
      visible INTEGER NOT NULL,
      message_count INTEGER NOT NULL DEFAULT 0,
      unread_count INTEGER NOT NULL DEFAULT 0,
      last_message INTEGER,
      last_position INTEGER NOT NULL DEFAULT \(Int64.min),
      last_received_at INTEGER
    );
    CREATE TABLE participant (
      conversation INTEGER NOT NULL REFERENCES conversation(id) ON DELETE CASCADE,
      user TEXT NOT NULL,
      PRIMARY KEY (conversation, user)
    ) WITHOUT ROWID;
    CREATE TABLE conversation_metadata (
      conversation INTEGER NOT NULL REFERENCES conversation(id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (conversation, path)
    ) WITHOUT ROWID;
    CREATE TABLE message (
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL,
      conversation INTEGER NOT NULL REFERENCES conversation(id),
      position INTEGER NOT NULL,
      sender TEXT NOT NULL,
      sent_at INTEGER,
      received_at INTEGER,
      is_sent INTEGER NOT NULL,
      is_unread INTEGER NOT NULL,
      visible INTEGER NOT NULL,
      recipient_status TEXT,
      metadata TEXT,
      remote_id TEXT,
      edited_at INTEGER,
      deleted_at INTEGER,
      updated_at INTEGER
    );
    CREATE TABLE part (
      id INTEGER PRIMARY KEY,
      message INTEGER NOT NULL,
      mime_type TEXT NOT NULL,
      kind INTEGER NOT NULL,
      size INTEGER,
      visible INTEGER NOT NULL,
      content
    );
    CREATE TABLE identity (
      user TEXT PRIMARY KEY,
      display_name TEXT, first_name TEXT, last_name TEXT, email_address TEXT, phone_number TEXT, avatar_url TEXT,
      metadata TEXT
    );
    CREATE TABLE announcement (
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL UNIQUE,
      position INTEGER NOT NULL,
      sender TEXT NOT NULL,
      sent_at INTEGER,
      received_at INTEGER,
      is_sent INTEGER NOT NULL,
      is_unread INTEGER NOT NULL,
      metadata TEXT
    );
    CREATE TABLE announcement_part (
      announcement INTEGER NOT NULL REFERENCES announcement(id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      mime_type TEXT NOT NULL,
      kind INTEGER NOT NULL,
      size INTEGER,
      content,
      PRIMARY KEY (announcement, place)
    ) WITHOUT ROWID;
    """

  /// The index that a load needs, to refuse a second message of an identifier.
  public static let identifierIndex = "CREATE UNIQUE INDEX message_identifier ON message (identifier)"

  /// The indexes that are made after a first load, which costs less than keeping them up to date meanwhile.
  public static let indexes = """
    CREATE INDEX conversation_participants ON conversation (participants) WHERE visible = 1;
    CREATE INDEX conversation_received ON conversation (visible, last_received_at) WHERE visible = 1;
    CREATE INDEX conversation_unread ON conversation (unread_count, visible)
      WHERE visible = 1 AND unread_count > 0;
    CREATE INDEX participant_user ON participant (user);
    CREATE INDEX conversation_metadata_value ON conversation_metadata (path, value);
    CREATE INDEX message_place ON message (conversation, position);
    CREATE INDEX message_sent ON message (visible, sent_at) WHERE visible = 1;
    CREATE INDEX message_unread ON message (conversation, sender, is_unread, visible)
      WHERE is_unread = 1 AND visible = 1;
    CREATE INDEX message_sender ON message (conversation, sender);
    CREATE UNIQUE INDEX message_remote ON message (remote_id) WHERE remote_id IS NOT NULL;
    CREATE INDEX part_type ON part (mime_type, visible, message) WHERE visible = 1;
    ANALYZE;
    """

  /// Leaves SQLite with the indexes that Satchel keeps, one for each of its trees: those above that Satchel has not are
  /// dropped, those that it has besides are made. What SQLite's tables answer by their own order is left out, and what the
  /// schema has no column for: the set of a message's types, and when a conversation's last message was sent. A message that
  /// comes in goes into twelve to sixteen of Satchel's trees.
  public static let sameIndexes = """
    DROP INDEX conversation_unread;
    DROP INDEX message_unread;
    DROP INDEX message_sender;
    CREATE INDEX message_from ON message (sender, sent_at) WHERE visible = 1;
    CREATE INDEX message_unread_sent ON message (sent_at, sender) WHERE is_unread = 1 AND visible = 1;
    CREATE INDEX message_unread_from ON message (sender, sent_at) WHERE is_unread = 1 AND visible = 1;
    CREATE INDEX message_unread_place ON message (conversation, position, sender) WHERE is_unread = 1;
    CREATE INDEX message_place_from ON message (conversation, sender, position);
    CREATE INDEX message_received ON message (received_at) WHERE visible = 1;
    CREATE INDEX message_unsent ON message (sender) WHERE is_sent = 0 AND visible = 1;
    CREATE INDEX part_size ON part (size, message) WHERE visible = 1;
    CREATE INDEX conversation_created ON conversation (created_at) WHERE visible = 1;
    CREATE INDEX conversation_heard ON conversation (last_received_at) WHERE visible = 1 AND unread_count > 0;
    CREATE INDEX identity_display_name ON identity (display_name);
    CREATE INDEX identity_first_name ON identity (first_name);
    CREATE INDEX identity_last_name ON identity (last_name);
    CREATE INDEX identity_email_address ON identity (email_address);
    CREATE INDEX identity_phone_number ON identity (phone_number);
    CREATE INDEX announcement_sent ON announcement (sent_at);
    """

  /// What finds messages by the application's data, in a file whose messages have it as JSON: an index on each expression that
  /// is asked for, which SQLite keeps when a row is written, and for the texts of a list a table, since an index on an expression
  /// has one entry a row, and `json_each` would parse the metadata of every message. The table is in the order that its
  /// questions ask for, so that a page is read from where it begins and no message is looked at that is not on it. It has the
  /// visible messages only; one without a date has the smallest.
  public static let metadataIndexes = """
    CREATE INDEX message_server_id ON message (json_extract(metadata, '$.serverID')) WHERE visible = 1;
    CREATE INDEX message_priority ON message (json_extract(metadata, '$.priority')) WHERE visible = 1;
    CREATE INDEX message_amount ON message (json_extract(metadata, '$.amount')) WHERE visible = 1;
    CREATE TABLE message_tag (
      tag TEXT NOT NULL,
      sent_at INTEGER NOT NULL,
      message INTEGER NOT NULL REFERENCES message(id) ON DELETE CASCADE,
      PRIMARY KEY (tag, sent_at, message)
    ) WITHOUT ROWID;
    INSERT INTO message_tag
      SELECT DISTINCT t.value, coalesce(m.sent_at, \(Int64.min)), m.id
      FROM message AS m CROSS JOIN json_each(m.metadata, '$.tags') AS t WHERE m.visible = 1 ORDER BY 1, 2, 3;
    ANALYZE;
    """

  /// An index for an order of the application's own: what it has in front of its columns is the same in all of its entries, and spares
  /// a look at their rows. Each number is an index by another name.
  public static func byPriority(_ number: Int) -> String {
    """
    CREATE INDEX message_by_priority_\(number) ON message (visible, json_extract(metadata, '$.priority') DESC, sent_at)
      WHERE visible = 1
    """
  }

  /// How many entries it has.
  static func countByPriority(_ number: Int) -> String {
    "SELECT count(*) FROM message INDEXED BY message_by_priority_\(number) WHERE visible = 1"
  }

  /// Two more of the kind, of which one is of unread messages alone.
  public static let otherDeclared = """
    CREATE INDEX message_unread_by_priority
      ON message (is_unread, visible, json_extract(metadata, '$.priority') DESC, sent_at)
      WHERE is_unread = 1 AND visible = 1;
    CREATE INDEX message_by_amount ON message (visible, json_extract(metadata, '$.amount'), sent_at)
      WHERE visible = 1;
    ANALYZE;
    """

  /// What every connection is set to: as much memory as the data needs, reads from mapped memory, a log that is synced at
  /// each commit when commits are to be durable.
  public static func settings(isDurable: Bool) -> String {
    """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL");
    PRAGMA cache_size = -262144;
    PRAGMA mmap_size = 2147418112;
    PRAGMA temp_store = MEMORY;
    """
  }

  /// What a first load is set to: until it is over there is nothing to lose.
  public static let loadSettings = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA cache_size = -262144;
    PRAGMA temp_store = MEMORY;
    """
}

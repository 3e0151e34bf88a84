/// The objects of a model as rows of SQLite, and what follows from them, which SQLite works out: who sees what, counts, last messages.
///
/// Every text is a blob. What compares as text is there in form C, and once more as it came, to compare with identifiers; identifiers, user ids
/// and MIME types as they came. Dates are
/// microseconds, Booleans 0 and 1, the status of a transfer its place. A value of metadata is a row of its owner's key (the order
/// of arrival, which no two objects share), its path, its type and itself; a list has a row, and one for each distinct element. The fields of
/// a record are such rows, too, and a reference is its type, a byte of 0 and its identifier.
enum SQLiteTables {
  static let names = ["displayName", "firstName", "lastName", "emailAddress", "phoneNumber", "avatarURL"]

  /// The name of the column that has a text as it came.
  static func given(_ name: String) -> String { name + " as given" }

  /// The path of a value as the rows have it: its keys, with a byte between them that no key has.
  static func path(_ keys: some Sequence<ByteString>) -> ByteString {
    ByteString(utf8: Array(keys.map(\.utf8).joined(separator: [0])))
  }

  static func make(of model: ReferenceModel, in database: SQLiteDatabase) throws {
    try database.run(script: stored)
    try database.run(script: "BEGIN")
    try fill(database, model)
    for statement in derived(for: model.user) { try database.run(statement) }
    try database.run(script: "COMMIT")
  }

  private static let stored = """
    CREATE TABLE conversation (key INTEGER PRIMARY KEY, identifier BLOB UNIQUE, remoteID BLOB, createdAt INTEGER,
      isDistinct INTEGER);
    CREATE TABLE participant (conversation INTEGER, user BLOB, PRIMARY KEY (conversation, user)) WITHOUT ROWID;
    CREATE TABLE message (key INTEGER PRIMARY KEY, identifier BLOB UNIQUE, remoteID BLOB, conversation BLOB,
      sender BLOB, position INTEGER, sentAt INTEGER, receivedAt INTEGER, editedAt INTEGER, deletedAt INTEGER,
      isSent INTEGER, isUnread INTEGER);
    CREATE INDEX messageByConversation ON message (conversation, position);
    CREATE TABLE part (message INTEGER, "index" INTEGER, mimeType BLOB, text BLOB, "text as given" BLOB,
      size INTEGER, transferStatus INTEGER, PRIMARY KEY (message, "index"));
    CREATE TABLE recipient (message INTEGER, user BLOB, status BLOB, PRIMARY KEY (message, user)) WITHOUT ROWID;
    CREATE TABLE identity (key INTEGER PRIMARY KEY, userID BLOB UNIQUE, displayName BLOB, firstName BLOB,
      lastName BLOB, emailAddress BLOB, phoneNumber BLOB, avatarURL BLOB, "displayName as given" BLOB,
      "firstName as given" BLOB, "lastName as given" BLOB, "emailAddress as given" BLOB,
      "phoneNumber as given" BLOB, "avatarURL as given" BLOB);
    CREATE TABLE record (key INTEGER PRIMARY KEY, type BLOB, identifier BLOB, owner BLOB, createdAt INTEGER,
      createdBy BLOB, updatedAt INTEGER, updatedBy BLOB, UNIQUE (type, identifier));
    CREATE TABLE metadata (owner INTEGER, path BLOB, type INTEGER, value);
    CREATE INDEX metadataByPath ON metadata (owner, path);
    CREATE TABLE referred (type BLOB, name BLOB, key INTEGER, PRIMARY KEY (type, name)) WITHOUT ROWID;
    CREATE TABLE otherName (reference BLOB PRIMARY KEY, other BLOB) WITHOUT ROWID;
    CREATE TABLE givenText (owner INTEGER, path BLOB, value BLOB);
    CREATE INDEX givenTextByPath ON givenText (owner, path);
    """

  /// What a query for each kind is put to, with columns that are named as the properties are.
  private static func derived(for user: ByteString) -> [SQL] {
    let message: SQL = """
      SELECT m.key, m.identifier, m.remoteID, m.conversation, m.position, m.sender AS "sender.userID",
        i.displayName AS "sender.displayName",
        i."displayName as given" AS "sender.displayName as given", m.sentAt, m.receivedAt, m.editedAt, m.deletedAt, m.isSent,
        m.isUnread
      FROM message m LEFT JOIN identity i ON i.userID = m.sender
      """
    return [
      """
      CREATE TABLE conversations AS SELECT c.key, c.identifier, c.remoteID, c.createdAt, c.isDistinct,
        (SELECT count(*) FROM participant WHERE conversation = c.key) AS participantCount,
        (SELECT count(*) FROM message WHERE conversation = c.identifier) AS messageCount,
        (SELECT count(*) FROM message WHERE conversation = c.identifier AND isUnread) AS unreadCount,
        EXISTS (SELECT 1 FROM message WHERE conversation = c.identifier AND isUnread) AS hasUnreadMessages,
        l.identifier AS lastMessage, l.sentAt AS "lastMessage.sentAt", l.receivedAt AS "lastMessage.receivedAt",
        l.position AS "lastMessage.position", l.isUnread AS "lastMessage.isUnread",
        l.sender AS "lastMessage.sender.userID"
      FROM conversation c JOIN message l ON l.key = (SELECT key FROM message WHERE conversation = c.identifier
        ORDER BY position IS NULL DESC, position DESC, key DESC LIMIT 1)
      WHERE EXISTS (SELECT 1 FROM participant WHERE conversation = c.key AND user = \(bind: .bytes(user)))
      """,
      "CREATE UNIQUE INDEX conversationsByIdentifier ON conversations (identifier)",
      """
      CREATE TABLE messages AS SELECT * FROM (\(message)) WHERE conversation IN (SELECT identifier FROM conversations)
      """,
      "CREATE UNIQUE INDEX messagesByKey ON messages (key)",
      "CREATE TABLE announcements AS SELECT * FROM (\(message)) WHERE conversation IS NULL",
      """
      CREATE TABLE parts AS SELECT p.message AS messageKey, p."index", m.identifier AS message, p.mimeType, p.text,
        p."text as given", p.size, p.transferStatus,
        CAST(CAST(m.identifier AS TEXT) || '/parts/' || p."index" AS BLOB) AS identifier
      FROM part p JOIN messages m ON m.key = p.message
      """,
      "CREATE VIEW identities AS SELECT *, userID AS identifier, 0 AS followed FROM identity",
      // What references lead to, of all that the user sees: no announcement, and no conversation without messages.
      """
      INSERT INTO referred
        SELECT \(bind: .bytes("conversations")), identifier, key FROM conversations
        UNION SELECT \(bind: .bytes("conversations")), remoteID, key FROM conversations WHERE remoteID IS NOT NULL
        UNION SELECT \(bind: .bytes("messages")), identifier, key FROM messages
        UNION SELECT \(bind: .bytes("messages")), remoteID, key FROM messages WHERE remoteID IS NOT NULL
        UNION SELECT \(bind: .bytes("identities")), userID, key FROM identity
        UNION SELECT type, identifier, key FROM record
      """,
    ] + otherNames + ownStates(of: user)
  }

  /// Of messages, announcements and conversations with two names, seen or not, the references by one and by the other.
  private static var otherNames: [SQL] {
    [("messages", "message"), ("conversations", "conversation")].flatMap { type, table -> [SQL] in
      let prefix = SQLValue.bytes(ModelReference(type: ByteString(type), name: "").bytes)
      return [("identifier", "remoteID"), ("remoteID", "identifier")].map { name, other -> SQL in
        """
        INSERT INTO otherName
          SELECT CAST(\(bind: prefix) || \(SQL(stringLiteral: name)) AS BLOB), CAST(\(bind: prefix) || \(SQL(stringLiteral: other)) AS BLOB)
          FROM \(SQL(stringLiteral: table)) WHERE remoteID IS NOT NULL AND remoteID <> identifier
        """
      }
    }
  }

  /// What each conversation is to the user: as rows of metadata of an owner of its own, whose key is the negative one of the conversation.
  private static func ownStates(of user: ByteString) -> [SQL] {
    func names(_ names: [ByteString]) -> SQL { names.map { "\(bind: .bytes($0))" as SQL }.joined(by: ", ") }
    let me = ModelReference(type: "identities", name: user).bytes
    let conversations = ModelReference(type: "conversations", name: "").bytes
    let start = SQLValue.integer(Int64(conversations.utf8.count) + 1)
    // A flag is false where nothing is said.
    let flags = Responses.flags.map { flag in
      """
      INSERT INTO metadata SELECT -c.key, \(bind: .bytes(flag)), \(MetadataRow.Kind.boolean.sql), coalesce((SELECT m.value
        FROM own o JOIN metadata m ON m.owner = o.record AND m.path = \(bind: .bytes(flag)) WHERE o.conversation = c.key), 0)
      FROM conversation c
      """ as SQL
    }
    return [
      """
      CREATE TABLE own AS SELECT c.key AS conversation, r.key AS record FROM record r
        JOIN metadata f ON f.owner = r.key AND f.path = \(bind: .bytes("conversation"))
        JOIN conversation c ON c.identifier = substr(f.value, \(bind: start))
        JOIN metadata u ON u.owner = r.key AND u.path = \(bind: .bytes("user"))
      WHERE r.type = \(bind: .bytes(Responses.participation)) AND u.value = \(bind: .bytes(me))
      """,
      """
      INSERT INTO metadata SELECT -o.conversation, m.path, m.type, m.value FROM own o JOIN metadata m ON m.owner = o.record
      WHERE m.path IN (\(names(Responses.values)))
      """,
      """
      INSERT INTO givenText SELECT -o.conversation, t.path, t.value FROM own o JOIN givenText t ON t.owner = o.record
      WHERE t.path IN (\(names(Responses.values)))
      """,
    ] + flags
  }

  private static func fill(_ database: SQLiteDatabase, _ model: ReferenceModel) throws {
    let participant = try database.prepare("INSERT INTO participant VALUES (?, ?)")
    let conversation = try database.prepare("INSERT INTO conversation VALUES (?, ?, ?, ?, ?)")
    let message = try database.prepare("INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    let part = try database.prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?)")
    let recipient = try database.prepare("INSERT INTO recipient VALUES (?, ?, ?)")
    let identity = try database.prepare(
      "INSERT INTO identity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    let object = try database.prepare("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    let metadata = try database.prepare("INSERT INTO metadata VALUES (?, ?, ?, ?)")
    let givenText = try database.prepare("INSERT INTO givenText VALUES (?, ?, ?)")
    func insert(_ tree: MetadataTree, of owner: Int) throws {
      for row in MetadataRow.all(of: tree) {
        try metadata.run([.integer(Int64(owner)), .bytes(row.path), .integer(row.type.rawValue), row.value])
      }
      for (path, text) in MetadataRow.givenTexts(of: tree) {
        try givenText.run([.integer(Int64(owner)), .bytes(path), .bytes(text)])
      }
    }
    for record in model.conversations.values {
      let key = SQLValue.integer(Int64(record.creation))
      try conversation.run([
        key, .bytes(record.identifier), SQLValue(record.remoteID), SQLValue(record.createdAt),
        SQLValue(record.isDistinct),
      ])
      for user in record.participants { try participant.run([key, .bytes(user)]) }
      try insert(record.metadata, of: record.creation)
    }
    for record in model.messages.values {
      let key = SQLValue.integer(Int64(record.creation))
      try message.run([
        key, .bytes(record.identifier), SQLValue(record.remoteID), SQLValue(record.conversation),
        .bytes(record.sender), SQLValue(record.position), SQLValue(record.sentAt),
        SQLValue(record.receivedAt), SQLValue(record.editedAt), SQLValue(record.deletedAt),
        SQLValue(record.isSent), SQLValue(record.isUnread),
      ])
      for (index, content) in record.parts.enumerated() {
        try part.run([
          key, .integer(Int64(index)), .bytes(content.mimeType),
          SQLValue(content.text.map(SQLiteTexts.composed)), SQLValue(content.text),
          SQLValue(content.size),
          SQLValue(transferStatuses.firstIndex(of: content.transferStatus).map(Int64.init)),
        ])
      }
      for (user, status) in record.recipientStatus { try recipient.run([key, .bytes(user), .bytes(status)]) }
      try insert(record.metadata, of: record.creation)
    }
    for record in model.identities.values {
      try identity.run(
        [.integer(Int64(record.creation)), .bytes(record.userID)]
          + names.map { SQLValue(record.names[ByteString($0)].map(SQLiteTexts.composed)) }
          + names.map { SQLValue(record.names[ByteString($0)]) })
      try insert(record.metadata, of: record.creation)
    }
    for record in model.records.values {
      try object.run([
        .integer(Int64(record.creation)), .bytes(record.id.type), .bytes(record.id.name),
        .bytes(record.owner), .integer(record.createdAt), .bytes(record.createdBy),
        .integer(record.updatedAt), .bytes(record.updatedBy),
      ])
      try insert(record.fields, of: record.creation)
    }
  }
}

/// A value of metadata, a dictionary, a list or an element of one, as a row.
struct MetadataRow {
  /// The types, in the order in which values sort; an element goes with its list, and a dictionary, which comes last, is no value.
  enum Kind: Int64 {
    case boolean = 1
    case number, date, text, list, reference, element, dictionary

    /// What rows of values that are there pass, not of elements or dictionaries.
    static let isValue = SQL(stringLiteral: "type <= \(reference.rawValue)")

    var sql: SQL { SQL(stringLiteral: String(rawValue)) }
  }

  let path: ByteString
  let type: Kind
  var value = SQLValue.null
  /// Whether a list has no elements, inside of something else: there an empty dictionary is the same.
  var mayBeDictionary = false

  /// The rows of a tree that stands at a path, or, of all metadata of an object, of what is below its root. A dictionary without keys
  /// is a row as well.
  static func all(of tree: MetadataTree, at path: ByteString = "") -> [MetadataRow] {
    switch tree {
    case .text(let text): return [Self(path: path, type: .text, value: .bytes(SQLiteTexts.composed(text)))]
    case .integer(let integer): return [Self(path: path, type: .number, value: .integer(integer))]
    case .number(let number): return [Self(path: path, type: .number, value: .real(number))]
    case .boolean(let flag): return [Self(path: path, type: .boolean, value: SQLValue(flag))]
    case .date(let date): return [Self(path: path, type: .date, value: .integer(date))]
    case .reference(let reference):
      return [Self(path: path, type: .reference, value: .bytes(reference.bytes))]
    case .list(let texts):
      if path.isEmpty { return [] }
      return [Self(path: path, type: .list)]
        + Set(texts.map(SQLiteTexts.composed)).map { Self(path: path, type: .element, value: .bytes($0)) }
    case .dictionary(let children):
      let below = children.flatMap { key, child in
        all(of: child, at: path.isEmpty ? key : SQLiteTables.path([path, key])).map { row in
          var row = row
          if case .list(let texts) = child, texts.isEmpty { row.mayBeDictionary = true }
          return row
        }
      }
      return path.isEmpty ? below : [Self(path: path, type: .dictionary)] + below
    }
  }

  /// The texts of a tree as they were given, with the paths at which they stand or are elements of lists.
  static func givenTexts(of tree: MetadataTree, at path: ByteString = "") -> [(
    path: ByteString, text: ByteString
  )] {
    switch tree {
    case .text(let text): [(path, text)]
    case .list(let texts): texts.map { (path, $0) }
    case .dictionary(let children):
      children.flatMap { key, child in
        givenTexts(of: child, at: path.isEmpty ? key : SQLiteTables.path([path, key]))
      }
    case .integer, .number, .boolean, .date, .reference: []
    }
  }
}

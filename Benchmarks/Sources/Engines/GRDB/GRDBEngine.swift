import GRDB

/// The chat in a SQLite file of the same schema, through GRDB as its documentation recommends it where performance counts:
/// a database pool, cached statements, rows that are decoded from cursors by the index of their columns.
public final class GRDBEngine: Sendable {
  public let pool: DatabasePool

  /// Opens a file that has been loaded.
  public init(_ path: String, isDurable: Bool = true) throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 8
    // As in plain SQLite: GRDB checks foreign keys unless it is told not to, at a cost.
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA cache_size = -262144;
          PRAGMA mmap_size = 2147418112;
          PRAGMA temp_store = MEMORY;
          """)
    }
    pool = try DatabasePool(path: path, configuration: configuration)
    // A pool sets its writer to NORMAL when it is opened, which does not sync commits.
    if isDurable {
      try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
    }
  }

  /// Makes a file of the lines: the load of `SQLiteEngine`, statement by statement, through GRDB.
  @discardableResult
  public static func load(_ lines: LineFile, into path: String, user: String) throws -> Int {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in try db.execute(sql: Schema.loadSettings) }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    let count = try queue.write { db in
      try db.execute(sql: Schema.tables)
      try db.execute(sql: Schema.identifierIndex)
      var rows = RowImport(into: try GRDBSink(db), user: user)
      try lines.forEachRecord { try rows.add($0) }
      try rows.finish()
      return rows.messageCount
    }
    try queue.writeWithoutTransaction { db in try db.execute(sql: Schema.indexes) }
    try Files.sync(path)
    return count
  }

  // MARK: Reading

  /// The first column of the only row.
  public func number(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int {
    try pool.read { db in
      Int(try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) ?? 0)
    }
  }

  /// What the numbers of the first column add up to, and how many rows there are.
  public func sum(_ sql: String) throws -> (count: Int, sum: Int64) {
    try pool.read { db in
      var result = (count: 0, sum: Int64(0))
      let rows = try Row.fetchCursor(db.cachedStatement(sql: sql))
      while let row = try rows.next() {
        result.count += 1
        result.sum &+= row[0] as Int64? ?? 0
      }
      return result
    }
  }

  /// The texts of the first column.
  public func texts(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> [String]
  {
    try pool.read { db in try String.fetchAll(db.cachedStatement(sql: sql), arguments: arguments) }
  }

  /// The numbers of the first two columns.
  public func pairs(_ sql: String, _ arguments: StatementArguments) throws -> [(Int64, Int64)] {
    try pool.read { db in
      let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
      var pairs: [(Int64, Int64)] = []
      while let row = try rows.next() { pairs.append((row[0], row[1])) }
      return pairs
    }
  }

  /// The messages of a statement of `SQL.messages`, or of `SQL.messagesOfConversation` for the conversation given.
  public func messages(
    _ sql: String, _ arguments: StatementArguments, of conversation: String? = nil
  ) throws -> [MessageValues] {
    try pool.read { db in try Self.messages(db, sql, arguments, of: conversation) }
  }

  /// The same inside a read.
  public static func messages(
    _ db: Database, _ sql: String, _ arguments: StatementArguments, of conversation: String? = nil
  ) throws -> [MessageValues] {
    let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
    var messages: [MessageValues] = []
    messages.reserveCapacity(20)
    var id: Int64 = -1
    while let row = try rows.next() {
      let next: Int64 = row[Int(MessageColumn.id)]
      if next != id {
        id = next
        messages.append(row.messageRecord(of: conversation))
      }
      // Where it stands, without a copy.
      row.appendPart(to: &messages[messages.count - 1])
    }
    return messages
  }

  /// Calls `body` with each message of a statement of `SQL.messages`.
  public func forEachMessage(
    _ sql: String, _ arguments: StatementArguments = StatementArguments(),
    _ body: (MessageValues) throws -> Void
  ) throws {
    try pool.read { db in try Self.forEachMessage(db, sql, arguments, body) }
  }

  static func forEachMessage(
    _ db: Database, _ sql: String, _ arguments: StatementArguments,
    _ body: (MessageValues) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
    var message = MessageValues()
    var id: Int64 = -1
    while let row = try rows.next() {
      let next: Int64 = row[Int(MessageColumn.id)]
      if next != id {
        if id >= 0 { try body(message) }
        id = next
        message = row.messageRecord()
      }
      row.appendPart(to: &message)
    }
    if id >= 0 { try body(message) }
  }

  /// The conversations of a statement of `SQL.conversations`.
  public func conversations(_ sql: String, _ arguments: StatementArguments) throws -> [ConversationObject] {
    try pool.read { db in
      let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
      var conversations: [ConversationObject] = []
      var id: Int64 = -1
      while let row = try rows.next() {
        let next: Int64 = row[Int(ConversationColumn.id)]
        if next != id {
          id = next
          conversations.append(row.conversation())
        }
        let last = conversations.count - 1
        // Its parts are appended where it stands, without a copy.
        if conversations[last].lastMessage != nil { row.appendPart(to: &conversations[last].lastMessage!) }
      }
      return conversations
    }
  }

  /// The parts of a statement of `SQL.parts`.
  public func parts(
    _ sql: String, _ arguments: StatementArguments
  ) throws -> [(message: String, place: Int64, part: PartValues)] {
    try pool.read { db in
      let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
      var parts: [(message: String, place: Int64, part: PartValues)] = []
      while let row = try rows.next() { parts.append((row[0], row[1], row.part(mimeType: 2))) }
      return parts
    }
  }
}

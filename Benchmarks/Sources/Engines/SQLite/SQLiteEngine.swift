import CSQLite
import Foundation

/// The chat in a SQLite file, through libsqlite3: what a program gets that prepares its statements once and keeps them.
public final class SQLiteEngine {
  public let connection: SQLiteConnection
  public let path: String
  private let sink: SQLiteSink
  let life: SQLiteLifeSink
  private let markReadStatements: [SQLiteStatement]
  private let metadataStatements: [SQLiteStatement]
  private let deleteStatements: [SQLiteStatement]

  /// The version of the library.
  public static var version: String { String(cString: sqlite3_libversion()) }

  /// Opens a file that has been loaded.
  public convenience init(_ path: String, isDurable: Bool = true) throws {
    let connection = try SQLiteConnection(path)
    try connection.execute(Schema.settings(isDurable: isDurable))
    try self.init(on: connection)
  }

  /// Prepares on an open connection what writes to a file that has been loaded.
  public init(on connection: SQLiteConnection) throws {
    self.connection = connection
    path = connection.path
    sink = try SQLiteSink(connection)
    life = try SQLiteLifeSink(connection)
    markReadStatements = try [Inserts.markRead, Inserts.clearUnread].map(connection.prepare)
    metadataStatements = try [Inserts.setMetadata, Inserts.setMetadataText].map(connection.prepare)
    deleteStatements = try Inserts.delete.map(connection.prepare)
  }

  /// Makes a file of the lines, in the way that is fastest for a first load: one transaction without a journal, indexes
  /// afterwards, synced at the end.
  /// - Returns: How many messages were taken.
  @discardableResult
  public static func load(_ lines: LineFile, into path: String, user: String) throws -> Int {
    let connection = try SQLiteConnection(path)
    try connection.execute(Schema.loadSettings)
    try connection.execute(Schema.tables)
    try connection.execute(Schema.identifierIndex)
    var rows = RowImport(into: try SQLiteSink(connection), user: user)
    try connection.write {
      try lines.forEachRecord { try rows.add($0) }
      try rows.finish()
    }
    try connection.execute(Schema.indexes)
    try Files.sync(path)
    return rows.messageCount
  }

  // MARK: Writing

  /// Takes messages into their conversations in one transaction.
  public func insert(_ batch: [NewMessage]) throws { try connection.write { try add(batch) { _, _ in } } }

  /// Takes messages into their conversations, in a transaction that has begun.
  /// - Parameter added: Called with each message and its row.
  func add(_ batch: [NewMessage], added: (NewMessage, Int64) throws -> Void) throws {
    var states: [Int64: ConversationState] = [:]
    for new in batch {
      let conversation = new.conversation.row
      guard let row = try sink.insert(new.record, conversation: conversation, visible: true) else { continue }
      states[conversation, default: ConversationState(row: conversation, participates: true)]
        .add(new.record, row: row)
      try added(new, row)
    }
    for state in states.values { try sink.setState(state) }
  }

  /// Marks all messages of a conversation as read.
  public func markRead(_ conversation: ConversationKey) throws {
    try connection.write {
      for statement in markReadStatements {
        statement.bind(1, conversation.row)
        try statement.run()
      }
    }
  }

  /// Sets a text of a conversation's metadata.
  public func setMetadata(_ value: String, at path: String, of conversation: ConversationKey) throws {
    try connection.write {
      for statement in metadataStatements {
        statement.bind(1, conversation.row)
        statement.bind(2, path)
        statement.bind(3, value)
        try statement.run()
      }
    }
  }

  /// Deletes a conversation with all its messages.
  public func delete(_ conversation: ConversationKey) throws {
    try connection.write {
      for statement in deleteStatements {
        statement.bind(1, conversation.row)
        try statement.run()
      }
    }
  }
}

import CSQLite

/// What SQLite says went wrong.
public struct SQLiteError: Error, CustomStringConvertible {
  public let description: String
}

/// One connection to a SQLite file, used by one thread at a time.
public final class SQLiteConnection {
  let handle: OpaquePointer
  public let path: String
  /// All statements that have been prepared, in order.
  public private(set) var prepared: [String] = []
  private let begin: SQLiteStatement
  private let commit: SQLiteStatement
  private let rollback: SQLiteStatement

  /// Opens or creates a file.
  public init(_ path: String) throws {
    _ = Self.configured
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
      throw SQLiteError(description: "\(path) cannot be opened")
    }
    self.handle = handle
    self.path = path
    sqlite3_busy_timeout(handle, 60_000)
    begin = try SQLiteStatement(handle, "BEGIN IMMEDIATE")
    commit = try SQLiteStatement(handle, "COMMIT")
    rollback = try SQLiteStatement(handle, "ROLLBACK")
  }

  deinit { sqlite3_close_v2(handle) }

  private static let configured = satchel_disable_memory_statistics()

  /// Runs statements that give nothing back.
  public func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  /// Prepares a statement, to be kept.
  public func prepare(_ sql: String) throws -> SQLiteStatement {
    let statement = try SQLiteStatement(handle, sql)
    prepared.append(sql)
    return statement
  }

  /// Moves all of the log into the file, and empties it. Throws where somebody's read keeps that from being done.
  public func checkpoint() throws {
    guard try SQLiteStatement(handle, "PRAGMA wal_checkpoint(TRUNCATE)").number() == 0 else {
      throw SQLiteError(description: "\(path): the log cannot be moved into the file while somebody reads")
    }
  }

  /// How SQLite goes about a statement, a step a line.
  public func plan(_ sql: String) throws -> [String] {
    let statement = try SQLiteStatement(handle, "EXPLAIN QUERY PLAN " + sql)
    var steps: [String] = []
    while try statement.step() { steps.append(statement.text(3)) }
    return steps
  }

  /// The row id of the last row inserted.
  public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  func check(_ code: Int32) throws {
    guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else {
      throw SQLiteError(description: "\(path): \(String(cString: sqlite3_errmsg(handle)))")
    }
  }
}

extension SQLiteConnection {
  /// How many rows the last statement has changed.
  var changeCount: Int { Int(sqlite3_changes(handle)) }

  /// Runs a transaction that writes.
  public func write<Result>(_ body: () throws -> Result) throws -> Result {
    try begin.run()
    do {
      let result = try body()
      try commit.run()
      return result
    } catch {
      try? rollback.run()
      throw error
    }
  }
}

import CSQLiteProof

/// What SQLite has refused, and the statement that it has refused.
struct SQLiteError: Error, CustomStringConvertible {
  let description: String
}

/// A database of SQLite in memory, with the functions of texts that SQLite lacks.
final class SQLiteDatabase {
  private let connection: OpaquePointer

  init() throws {
    var opened: OpaquePointer?
    let status = sqlite3_open(":memory:", &opened)
    guard status == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw SQLiteError(description: "no database in memory: \(status)")
    }
    connection = opened
    try SQLiteTexts.register(with: opened)
  }

  deinit {
    // Statements that are still there keep the connection until they go.
    sqlite3_close_v2(connection)
  }

  /// Runs statements that have no parameters and give nothing.
  func run(script: String) throws {
    guard sqlite3_exec(connection, script, nil, nil, nil) == SQLITE_OK else { throw failure(script) }
  }

  func prepare(_ text: String) throws -> SQLiteStatement {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, text, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw failure(text)
    }
    return SQLiteStatement(statement, text)
  }

  /// Runs one statement, and gives its rows.
  @discardableResult
  func run(_ sql: SQL) throws -> [[SQLValue]] {
    try prepare(sql.text).run(sql.values)
  }

  private func failure(_ text: String) -> SQLiteError {
    SQLiteError(description: "\(String(cString: sqlite3_errmsg(connection))) in \(text)")
  }
}

/// A statement that is prepared once and run with several values.
final class SQLiteStatement {
  private let statement: OpaquePointer
  private let text: String

  fileprivate init(_ statement: OpaquePointer, _ text: String) {
    self.statement = statement
    self.text = text
  }

  deinit {
    sqlite3_finalize(statement)
  }

  @discardableResult
  func run(_ values: [SQLValue]) throws -> [[SQLValue]] {
    sqlite3_reset(statement)
    guard sqlite3_bind_parameter_count(statement) == values.count else {
      throw SQLiteError(description: "\(values.count) values for other parameters in \(text)")
    }
    for (index, value) in values.enumerated() {
      guard bind(value, at: Int32(index + 1)) == SQLITE_OK else { throw failure() }
    }
    var rows: [[SQLValue]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map(value))
      case SQLITE_DONE: return rows
      default: throw failure()
      }
    }
  }

  private func bind(_ value: SQLValue, at place: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(statement, place)
    case .integer(let integer): sqlite3_bind_int64(statement, place, integer)
    case .real(let number): sqlite3_bind_double(statement, place, number)
    case .bytes(let bytes):
      bytes.utf8.withUnsafeBytes {
        satchel_bind_bytes(statement, place, $0.baseAddress, Int32($0.count))
      }
    }
  }

  private func value(at column: Int32) -> SQLValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
    case SQLITE_NULL: .null
    default:
      .bytes(
        ByteString(
          utf8: [UInt8](
            UnsafeRawBufferPointer(
              start: sqlite3_column_blob(statement, column),
              count: Int(sqlite3_column_bytes(statement, column))))))
    }
  }

  private func failure() -> SQLiteError {
    SQLiteError(description: "\(String(cString: sqlite3_errmsg(sqlite3_db_handle(statement)))) in \(text)")
  }
}

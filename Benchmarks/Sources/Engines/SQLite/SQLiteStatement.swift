import CSQLite

/// A prepared statement.
public final class SQLiteStatement {
  let handle: OpaquePointer
  public let sql: String
  private let connection: OpaquePointer

  init(_ connection: OpaquePointer, _ sql: String) throws {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw SQLiteError(
        description: "\(String(cString: sqlite3_errmsg(connection))) in \(sql)")
    }
    self.handle = handle
    self.connection = connection
    self.sql = sql
  }

  deinit { sqlite3_finalize(handle) }

  /// The next row; false at the end.
  public func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw SQLiteError(description: "\(String(cString: sqlite3_errmsg(connection))) in \(sql)")
    }
  }

  /// Makes it ready to be run again.
  public func reset() { sqlite3_reset(handle) }

  /// Runs it without looking at rows.
  public func run() throws {
    defer { reset() }
    while try step() {}
  }

  // MARK: Parameters, from 1

  @discardableResult
  public func bind(_ index: Int32, _ value: Int64?) -> SQLiteStatement {
    if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
    return self
  }

  @discardableResult
  public func bind(_ index: Int32, _ value: String?) -> SQLiteStatement {
    guard var value else {
      sqlite3_bind_null(handle, index)
      return self
    }
    value.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(handle, index, $0.baseAddress ?? Self.empty, Int32($0.count), Self.transient)
      }
    }
    return self
  }

  @discardableResult
  public func bind(_ index: Int32, _ value: [UInt8]) -> SQLiteStatement {
    value.withUnsafeBytes { bytes in
      _ = sqlite3_bind_blob(
        handle, index, bytes.baseAddress ?? UnsafeRawPointer(Self.empty), Int32(bytes.count), Self.transient)
    }
    return self
  }

  nonisolated(unsafe) private static let empty = UnsafePointer(
    UnsafeMutablePointer<CChar>.allocate(capacity: 1))
  nonisolated(unsafe) private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  // MARK: Columns, from 0

  public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  public func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  public func optionalText(_ column: Int32) -> String? {
    // NULL has no text.
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  public func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  }
}

import CLMDBFloor
import Foundation

/// What LMDB says went wrong.
public struct LMDBFloorError: Error, CustomStringConvertible {
  public let description: String

  init(_ code: Int32) { description = String(cString: mdb_strerror(code)) }
}

func check(_ code: Int32) throws {
  guard code == MDB_SUCCESS else { throw LMDBFloorError(code) }
}

/// LMDB with nothing around it: an environment, and transactions in which its functions are called.
final class LMDBEnvironment {
  let handle: OpaquePointer

  init(_ directory: String, mapBytes: Int) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    var handle: OpaquePointer?
    try check(mdb_env_create(&handle))
    guard let handle else { throw LMDBFloorError(ENOMEM) }
    self.handle = handle
    try check(mdb_env_set_maxdbs(handle, 16))
    try check(mdb_env_set_mapsize(handle, mapBytes))
    try check(mdb_env_open(handle, directory, UInt32(MDB_NOTLS | MDB_NORDAHEAD), 0o644))
  }

  deinit { mdb_env_close(handle) }

  /// Commits after this are durable when they return, or not.
  func setDurable(_ isDurable: Bool) throws {
    try check(mdb_env_set_flags(handle, UInt32(MDB_NOSYNC), isDurable ? 0 : 1))
    if isDurable { try check(mdb_env_sync(handle, 1)) }
  }

  func write<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(handle, nil, 0, &transaction))
    guard let transaction else { throw LMDBFloorError(ENOMEM) }
    let result: Result
    do { result = try body(transaction) } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction))
    return result
  }

  func database(_ name: String, _ transaction: OpaquePointer) throws -> MDB_dbi {
    var database: MDB_dbi = 0
    try check(mdb_dbi_open(transaction, name, UInt32(MDB_CREATE), &database))
    return database
  }
}

/// A read transaction that is kept and renewed, as a program would that counts nanoseconds.
final class LMDBReader {
  /// Stays open as long as its transaction.
  private let environment: LMDBEnvironment
  private let transaction: OpaquePointer

  init(_ environment: LMDBEnvironment) throws {
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(environment.handle, nil, UInt32(MDB_RDONLY), &transaction))
    guard let transaction else { throw LMDBFloorError(ENOMEM) }
    self.transaction = transaction
    self.environment = environment
    mdb_txn_reset(transaction)
  }

  deinit { mdb_txn_abort(transaction) }

  func read<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
    try check(mdb_txn_renew(transaction))
    defer { mdb_txn_reset(transaction) }
    return try body(transaction)
  }

  /// Calls `body` with a cursor of a database.
  func withCursor<Result>(
    _ database: MDB_dbi, _ transaction: OpaquePointer, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    var cursor: OpaquePointer?
    try check(mdb_cursor_open(transaction, database, &cursor))
    guard let cursor else { throw LMDBFloorError(ENOMEM) }
    defer { mdb_cursor_close(cursor) }
    return try body(cursor)
  }
}

extension MDB_val {
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: mv_data, count: mv_size) }
}

/// Puts an entry whose key and value are bytes.
func put(
  _ transaction: OpaquePointer, _ database: MDB_dbi, _ key: [UInt8], _ value: [UInt8] = [], flags: Int32 = 0
) throws -> Int32 {
  var key = key
  var value = value
  return key.withUnsafeMutableBytes { key in
    value.withUnsafeMutableBytes { value in
      var keyValue = MDB_val(mv_size: key.count, mv_data: key.baseAddress)
      var dataValue = MDB_val(mv_size: value.count, mv_data: value.baseAddress)
      return mdb_put(transaction, database, &keyValue, &dataValue, UInt32(flags))
    }
  }
}

import BenchmarkKit
import Engines
import Foundation
import Satchel

/// A copy of an engine's store that takes in many messages.
struct LongRunEngine {
  let name: EngineName
  let path: String
  let insert: ([NewMessage]) throws -> Void
  /// Takes everything to where it stays.
  let checkpoint: () throws -> Void
  /// How many messages there are.
  let count: () throws -> Int
  private let close: () throws -> Void

  /// Whether small commits would take it minutes: GRDB is SQLite, and LMDB syncs all its pages.
  var isSlow: Bool { name == .grdb || name == .lmdb }

  /// Closes the copy and removes it.
  func remove() {
    try? close()
    Files.remove(path)
  }

  /// Satchel and SQLite, with GRDB and raw LMDB behind them if asked for.
  static func all(_ data: LoadedDataset, withPeers: Bool) throws -> [LongRunEngine] {
    var engines = [try satchel(data), try sqlite(data)]
    guard withPeers else { return engines }
    engines.append(try grdb(data))
    if data.lmdb != nil { engines.append(try lmdb(data)) }
    return engines
  }

  private static func satchel(_ data: LoadedDataset) throws -> LongRunEngine {
    let path = data.path(ofCopy: "long.satchel")
    try data.copySatchel(to: path)
    let store = try MessageStore(existingAt: path)
    return LongRunEngine(
      name: .satchel, path: path, insert: { try store.insert($0) }, checkpoint: { try store.checkpoint() },
      count: { try store.totalCount(Query<Message>()) }, close: { store.close() })
  }

  private static func sqlite(_ data: LoadedDataset) throws -> LongRunEngine {
    let path = data.path(ofCopy: "long.sqlite")
    try data.copySQLite(to: path)
    let engine = try SQLiteEngine(path)
    let total = try engine.connection.prepare(Number.total)
    return LongRunEngine(
      name: .sqlite, path: path, insert: { try engine.insert($0) },
      checkpoint: { try engine.connection.checkpoint() }, count: { Int(try total.number()) }, close: {})
  }

  private static func grdb(_ data: LoadedDataset) throws -> LongRunEngine {
    let path = data.path(ofCopy: "long-grdb.sqlite")
    // Its file has the same tables and rows.
    try data.copySQLite(to: path)
    let engine = try GRDBEngine(path)
    return LongRunEngine(
      name: .grdb, path: path, insert: { try engine.insert($0) },
      checkpoint: { try engine.checkpoint() }, count: { try engine.number(Number.total) },
      close: { try engine.pool.close() })
  }

  private static func lmdb(_ data: LoadedDataset) throws -> LongRunEngine {
    let path = data.path(ofCopy: "long.lmdb")
    try data.copyLMDB(to: path)
    let engine = try LMDBEngine(path)
    // Each of its commits is whole where it stays.
    return LongRunEngine(
      name: .lmdb, path: path, insert: { try engine.insert($0) }, checkpoint: {},
      count: { try engine.messageCount() }, close: {})
  }
}

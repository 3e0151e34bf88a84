import Foundation
import Satchel

extension LoadedDataset {
  /// A path for a copy of a store, beside the store.
  public func path(ofCopy name: String) -> String { chat.directory + "/copy-" + name }

  /// Makes a store of Satchel's as it is now, free pages included, with no commit that is only in its journal.
  public func copySatchel(to path: String) throws {
    Files.remove(path)
    _ = try satchel.backup(to: URL(fileURLWithPath: path), verifying: false)
  }

  /// Makes a file of SQLite's as it is now, with nothing in its log.
  public func copySQLite(to path: String) throws {
    try sqlite.connection.checkpoint()
    try Self.copy(chat.sqlitePath, to: path)
  }

  /// Makes a directory of raw LMDB's as it is now. Nobody may write to it meanwhile.
  public func copyLMDB(to path: String) throws { try Self.copy(chat.lmdbPath, to: path) }

  /// Copies the files of a store that is open, with its journal or log: what a process leaves that is killed. Nobody may write
  /// to it meanwhile.
  public static func copyKilled(_ original: String, to path: String) throws {
    Files.remove(path)
    try FileManager.default.copyItem(atPath: original, toPath: path)
    let log = original + "-wal"
    if FileManager.default.fileExists(atPath: log) {
      try FileManager.default.copyItem(atPath: log, toPath: path + "-wal")
    }
    Files.syncAll(path)
  }

  /// Copies a file or a directory, and waits until the copy is on the disk: it is not to be written there while something is
  /// measured.
  public static func copy(_ original: String, to path: String) throws {
    Files.remove(path)
    try FileManager.default.copyItem(atPath: original, toPath: path)
    Files.syncAll(path)
  }
}

/// Copies of the stores, open: what writes to them leaves the stores themselves to the other workloads.
public final class StoreCopies {
  /// What is different about the copies.
  public enum Difference: Sendable {
    /// Commits are not synced one by one: `.relaxed`, and `synchronous = NORMAL`.
    case isRelaxed
    /// SQLite and GRDB keep the indexes that Satchel keeps.
    case hasSameIndexes
  }

  private let data: LoadedDataset
  private let difference: Difference
  private let paths: [String]
  private var stores: (satchel: MessageStore, sqlite: SQLiteEngine, grdb: GRDBEngine)?

  public var satchel: MessageStore { opened.satchel }
  public var sqlite: SQLiteEngine { opened.sqlite }
  public var grdb: GRDBEngine { opened.grdb }

  private var opened: (satchel: MessageStore, sqlite: SQLiteEngine, grdb: GRDBEngine) {
    guard let stores else { fatalError("the copies of the stores are not open") }
    return stores
  }

  /// - Parameter name: What tells the files from those of other copies.
  public init(of data: LoadedDataset, named name: String, _ difference: Difference) {
    self.data = data
    self.difference = difference
    paths = ["satchel", "sqlite", "grdb"].map { data.path(ofCopy: "\(name).\($0)") }
  }

  deinit { remove() }

  /// Makes the copies and opens them, unless they are open.
  public func open() throws {
    guard stores == nil else { return }
    try data.copySatchel(to: paths[0])
    try data.copySQLite(to: paths[1])
    if difference == .hasSameIndexes {
      let connection = try SQLiteConnection(paths[1])
      try connection.execute(Schema.loadSettings)
      try connection.execute(Schema.sameIndexes)
      Files.syncAll(paths[1])
    }
    // GRDB's file has the same tables and rows.
    try LoadedDataset.copy(paths[1], to: paths[2])
    let isDurable = difference != .isRelaxed
    var options = MessageStore.Options()
    options.durability = isDurable ? .full : .relaxed
    stores = (
      try MessageStore(existingAt: paths[0], options: options),
      try SQLiteEngine(paths[1], isDurable: isDurable),
      try GRDBEngine(paths[2], isDurable: isDurable)
    )
  }

  /// Closes the copies and removes them.
  public func remove() {
    stores?.satchel.close()
    try? stores?.grdb.pool.close()
    stores = nil
    for path in paths { Files.remove(path) }
  }
}

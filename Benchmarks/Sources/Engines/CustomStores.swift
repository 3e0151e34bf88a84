import Foundation
import Satchel

/// The chat once more, in stores whose messages all have data of the application: all other workloads are about messages few of
/// which have any.
public final class CustomStores {
  private let data: LoadedDataset
  private let lines: String
  private let paths: [String]
  private var stores: (satchel: MessageStore, sqlite: SQLiteEngine, grdb: GRDBEngine)?
  /// Names by which the service knows messages at random, all of them visible.
  public private(set) var serverIDs: [String] = []

  public var satchel: MessageStore { opened.satchel }
  public var sqlite: SQLiteEngine { opened.sqlite }
  public var grdb: GRDBEngine { opened.grdb }

  private var opened: (satchel: MessageStore, sqlite: SQLiteEngine, grdb: GRDBEngine) {
    guard let stores else { fatalError("the stores of custom data are not open") }
    return stores
  }

  /// - Parameter name: What tells the files from those of others of the kind.
  public init(of data: LoadedDataset, named name: String = "custom") {
    self.data = data
    lines = data.path(ofCopy: "\(name).jsonl")
    paths = ["satchel", "sqlite", "grdb"].map { data.path(ofCopy: "\(name).\($0)") }
  }

  deinit { remove() }

  /// Loads the stores and opens them, unless they are open.
  public func open() throws {
    guard stores == nil else { return }
    remove()
    try data.chat.lines.write(to: lines) { CustomValues(number: $0).json }
    let chat = LineFile(lines)
    try data.tool.loadAll(chat, into: paths[0], user: data.user)
    try SQLiteEngine.load(chat, into: paths[1], user: data.user)
    try Self.indexMetadata(of: paths[1])
    // GRDB's file has the same tables and rows.
    try LoadedDataset.copy(paths[1], to: paths[2])
    Files.remove(lines)
    let sqlite = try SQLiteEngine(paths[1])
    let serverID = try sqlite.connection.prepare(
      "SELECT json_extract(metadata, '$.serverID') FROM message WHERE id = ?1")
    // The lines are in the same order, so that the rows are the same.
    serverIDs = try data.keys.messages.flatMap { try serverID.bind(1, $0.row).texts() }
    stores = (try Self.withIndexes(paths[0]), sqlite, try GRDBEngine(paths[2]))
  }

  /// Opens our store with an index of messages by their tags and dates, which SQLite and GRDB have a table of.
  private static func withIndexes(_ path: String) throws -> MessageStore {
    let store = try MessageStore(existingAt: path)
    try store.declare(
      Index(named: "by tag", on: Message.self, where: { $0.metadata.tags != nil }) {
        [$0.metadata.tags.list, $0.sentAt]
      })
    // It is built beside other commits.
    while try store.indexes().contains(where: { !$0.isComplete }) { usleep(10_000) }
    return store
  }

  /// Makes what SQLite needs to find messages by their metadata.
  private static func indexMetadata(of path: String) throws {
    let connection = try SQLiteConnection(path)
    try connection.execute(Schema.loadSettings)
    try connection.execute(Schema.metadataIndexes)
    Files.syncAll(path)
  }

  /// Closes the stores and removes them.
  public func remove() {
    stores?.satchel.close()
    try? stores?.grdb.pool.close()
    stores = nil
    for path in paths + [lines] { Files.remove(path) }
  }
}

/// Stores of the same chat whose messages have two numbers each as metadata and nothing else: they tell what an index of numbers
/// takes.
public final class NumberStores {
  public let satchelPath: String
  public let sqlite: SQLiteConnection

  public init(of data: LoadedDataset) throws {
    satchelPath = data.path(ofCopy: "numbers.satchel")
    sqlitePath = data.path(ofCopy: "numbers.sqlite")
    let lines = data.path(ofCopy: "numbers.jsonl")
    for path in [satchelPath, sqlitePath, lines] { Files.remove(path) }
    defer { Files.remove(lines) }
    try data.chat.lines.write(to: lines) { CustomValues(number: $0).numbersJSON }
    try data.tool.loadAll(LineFile(lines), into: satchelPath, user: data.user)
    try SQLiteEngine.load(LineFile(lines), into: sqlitePath, user: data.user)
    sqlite = try SQLiteConnection(sqlitePath)
    try sqlite.execute(Schema.loadSettings)
    try sqlite.execute(Schema.metadataIndexes)
  }

  private let sqlitePath: String

  deinit {
    for path in [satchelPath, sqlitePath] { Files.remove(path) }
  }
}

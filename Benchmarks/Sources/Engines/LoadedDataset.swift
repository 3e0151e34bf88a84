import Foundation
import Satchel

/// A chat loaded into every engine, with what the loading took and what the workloads ask for.
public final class LoadedDataset {
  public let chat: Chat
  public let keys: Keys
  /// Seconds that each load took: satchel, sqlite, grdb.
  public let importSeconds: [String: Double]
  /// The bytes of each store right after the load.
  public let fileBytes: [String: Int]
  public let tool: SatchelTool

  /// The stores; nil while `withClosedStores` runs.
  private var stores: Stores?

  public var satchel: MessageStore { opened.satchel }
  public var sqlite: SQLiteEngine { opened.sqlite }
  public var grdb: GRDBEngine { opened.grdb }
  /// Nil for chats so large that loading it would take longer than everything else.
  public var lmdb: LMDBEngine? { opened.lmdb }

  private struct Stores {
    let satchel: MessageStore
    let sqlite: SQLiteEngine
    let grdb: GRDBEngine
    let lmdb: LMDBEngine?
  }

  private var opened: Stores {
    guard let stores else { fatalError("the stores of the data set are closed") }
    return stores
  }

  /// How many messages were generated; nil for a corpus.
  public var n: Int? { chat.n }
  public var user: String { chat.user }

  /// Loads a chat into every engine. The files stay until the directory is removed.
  /// - Parameter load: Loads a chat into a new store at a path, by the engine of a name, in place of this process.
  public init(_ chat: Chat, tool: SatchelTool, load: ((String, Chat, String) throws -> Void)? = nil) throws {
    self.chat = chat
    self.tool = tool
    var seconds: [String: Double] = [:]
    let loads: [(engine: String, path: String, inThisProcess: () throws -> Void)] = [
      (
        "satchel", chat.satchelPath,
        { try tool.load(chat.lines, into: chat.satchelPath, user: chat.user) }
      ),
      (
        "sqlite", chat.sqlitePath,
        { try SQLiteEngine.load(chat.lines, into: chat.sqlitePath, user: chat.user) }
      ),
      ("grdb", chat.grdbPath, { try GRDBEngine.load(chat.lines, into: chat.grdbPath, user: chat.user) }),
    ]
    for (engine, path, inThisProcess) in loads {
      seconds[engine] = try Self.time {
        if let load { try load(engine, chat, path) } else { try inThisProcess() }
      }
    }
    importSeconds = seconds
    fileBytes = [
      "satchel": Files.size(chat.satchelPath), "sqlite": Files.size(chat.sqlitePath),
      "grdb": Files.size(chat.grdbPath),
    ]
    hasFloor = (chat.n ?? 0) <= 1_000_000
    if hasFloor { try LMDBEngine(chat.lmdbPath).load(chat.lines, user: chat.user) }
    // A relational file that is set to its log, once, stays so.
    keys = try Keys(SQLiteEngine(chat.sqlitePath).connection, user: chat.user)
    try open()
  }

  private let hasFloor: Bool

  private func open() throws {
    stores = Stores(
      satchel: try MessageStore(existingAt: chat.satchelPath), sqlite: try SQLiteEngine(chat.sqlitePath),
      grdb: try GRDBEngine(chat.grdbPath), lmdb: hasFloor ? try LMDBEngine(chat.lmdbPath) : nil)
  }

  /// Closes all stores, and opens them again after `body`. Workloads made before this must not be run after it.
  public func withClosedStores<Result>(_ body: () throws -> Result) throws -> Result {
    satchel.close()
    try grdb.pool.close()
    stores = nil
    let result = Swift.Result { try body() }
    try open()
    return try result.get()
  }

  private static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = SuspendingClock.now
    try body()
    return (SuspendingClock.now - start) / .seconds(1)
  }

  /// A generated chat of so many messages with the conversations that the examples ask for.
  public static func generate(messages: Int, in directory: String, tool: SatchelTool) throws -> Chat {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let path = directory + "/chat.jsonl"
    try tool.run(["generate", "--messages", String(messages), "--seed", "1"], into: path)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(Examples.lines.utf8))
    try file.close()
    return Chat(n: messages, user: "alice", lines: LineFile(path), directory: directory)
  }

  /// A corpus.
  public static func corpus(_ path: String, user: String, in directory: String) throws -> Chat {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    return Chat(n: nil, user: user, lines: LineFile(path), directory: directory)
  }
}

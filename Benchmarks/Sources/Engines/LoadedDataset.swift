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

  public let satchel: MessageStore
  public let sqlite: SQLiteEngine
  public let grdb: GRDBEngine
  /// Nil for chats so large that loading it would take longer than everything else.
  public let lmdb: LMDBEngine?

  /// How many messages were generated; nil for a corpus.
  public var n: Int? { chat.n }
  public var user: String { chat.user }

  /// Loads a chat into every engine. The files stay until the directory is removed.
  public init(_ chat: Chat, tool: SatchelTool) throws {
    self.chat = chat
    self.tool = tool
    var seconds: [String: Double] = [:]
    seconds["satchel"] = try Self.time { try tool.load(chat.lines, into: chat.satchelPath, user: chat.user) }
    seconds["sqlite"] = try Self.time {
      try SQLiteEngine.load(chat.lines, into: chat.sqlitePath, user: chat.user)
    }
    seconds["grdb"] = try Self.time {
      try GRDBEngine.load(chat.lines, into: chat.grdbPath, user: chat.user)
    }
    importSeconds = seconds
    satchel = try MessageStore(existingAt: chat.satchelPath)
    sqlite = try SQLiteEngine(chat.sqlitePath)
    grdb = try GRDBEngine(chat.grdbPath)
    fileBytes = [
      "satchel": Files.size(chat.satchelPath), "sqlite": Files.size(chat.sqlitePath),
      "grdb": Files.size(chat.grdbPath),
    ]
    if (chat.n ?? 0) <= 1_000_000 {
      let floor = try LMDBEngine(chat.lmdbPath)
      try floor.load(chat.lines, user: chat.user)
      lmdb = floor
    } else {
      lmdb = nil
    }
    keys = try Keys(sqlite.connection, user: chat.user)
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

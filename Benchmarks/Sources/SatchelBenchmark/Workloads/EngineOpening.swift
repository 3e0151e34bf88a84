import BenchmarkKit
import Engines
import Satchel

/// How each engine's store is opened, and read for the first time.
struct EngineOpening {
  /// A store that is open for as long as this is kept.
  struct Opened {
    let page: (ConversationKey) throws -> Void
    /// Makes a durable commit.
    let insert: ([NewMessage]) throws -> Void
    /// How many messages there are.
    let count: () throws -> Int
  }

  let engine: EngineName
  /// The file or directory.
  let path: String
  /// Opens the store, reads one number and closes it.
  let open: () throws -> Void
  let justOpen: () throws -> Opened

  /// Opens the store and reads the latest messages of a conversation.
  func firstPage(_ conversation: ConversationKey) throws -> Opened {
    let opened = try justOpen()
    try opened.page(conversation)
    return opened
  }

  static func all(_ data: LoadedDataset) -> [EngineOpening] {
    [satchel(data.chat.satchelPath), grdb(data.chat.grdbPath), sqlite(data.chat.sqlitePath)]
  }

  static func satchel(_ path: String) -> EngineOpening {
    EngineOpening(
      engine: .satchel, path: path,
      open: {
        let store = try MessageStore(existingAt: path)
        _ = try store.count(Query<Conversation>())
        store.close()
      },
      justOpen: {
        let store = try MessageStore(existingAt: path)
        return Opened(
          page: { key in
            let id = Conversation.ID(key.identifier)
            _ = try store.fetch(
              Message.filter { $0.conversation == id }.order { $0.position.descending }.limit(20))
          }, insert: { try store.insert($0) }, count: { try store.totalCount(Query<Message>()) })
      })
  }

  private static func grdb(_ path: String) -> EngineOpening {
    let page = SQL.messagesOfConversation(Select.latest)
    return EngineOpening(
      engine: .grdb, path: path,
      open: {
        let engine = try GRDBEngine(path)
        _ = try engine.number(Number.unread)
        try engine.pool.close()
      },
      justOpen: {
        let engine = try GRDBEngine(path)
        return Opened(
          page: { key in _ = try engine.messages(page, [key.row, 20, 0], of: key.identifier) },
          insert: { try engine.insert($0) }, count: { try engine.number(Number.total) })
      })
  }

  static func sqlite(_ path: String) -> EngineOpening {
    let page = SQL.messagesOfConversation(Select.latest)
    return EngineOpening(
      engine: .sqlite, path: path,
      open: {
        let connection = try SQLiteConnection(path)
        try connection.execute(Schema.settings(isDurable: true))
        _ = try connection.prepare(Number.unread).number()
      },
      justOpen: {
        let connection = try SQLiteConnection(path)
        try connection.execute(Schema.settings(isDurable: true))
        return Opened(
          page: { key in
            _ = try connection.prepare(page).bind(1, key.row).bind(2, 20).bind(3, 0).messages(
              of: key.identifier)
          }, insert: { try SQLiteEngine(on: connection).insert($0) },
          count: { Int(try connection.prepare(Number.total).number()) })
      })
  }
}

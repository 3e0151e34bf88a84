import Foundation
import Satchel
import SatchelRelations
import SatchelResponses

/// The chat once more, with what is said to its messages and of its conversations: as many reactions as messages, replies, what
/// conversations are to the store's user, and edges between users. SQLite has a table of each, with the indexes that somebody who knows
/// the questions would make; the user's own states are on the conversation's row, as all that its list shows.
public final class TalkStores {
  /// How many users the store's user follows, how many follow the user, and how many of them are both.
  public static let edges = 10_000
  public static let mutual = edges / 2
  /// The conversations that are pinned.
  public static let pinned = 12
  public static let kinds = ["❤️", "🎉", "👀", "👍", "😂", "🙏"]

  private let data: LoadedDataset
  private let paths: [String]
  private var stores: (satchel: MessageStore, sqlite: SQLiteConnection)?
  private var random = SplitMix(seed: 20_261_129)

  public var satchel: MessageStore { opened.satchel }
  public var sqlite: SQLiteConnection { opened.sqlite }
  public var user: String { data.user }

  private var opened: (satchel: MessageStore, sqlite: SQLiteConnection) {
    guard let stores else { fatalError("the stores of reactions are not open") }
    return stores
  }

  public init(of data: LoadedDataset) {
    self.data = data
    paths = ["satchel", "sqlite"].map { data.path(ofCopy: "talk.\($0)") }
  }

  deinit { remove() }

  /// Makes the stores and opens them, unless they are open.
  public func open() throws {
    guard stores == nil else { return }
    try data.copySatchel(to: paths[0])
    try data.copySQLite(to: paths[1])
    let store = try MessageStore(existingAt: paths[0])
    try store.enable(.reactions, .threads, .participations, .relations)
    try fill(store)
    try store.checkpoint()
    let sqlite = try SQLiteConnection(paths[1])
    try sqlite.execute(Schema.settings(isDurable: true))
    stores = (store, sqlite)
  }

  /// Closes the stores and removes them.
  public func remove() {
    stores?.satchel.close()
    stores = nil
    for path in paths { Files.remove(path) }
  }

  // MARK: Writing

  /// A reaction of a user to a message.
  public func react(to message: MessageKey, with kind: String, by user: String) throws {
    _ = try satchel.write {
      try $0.react(to: Message.ID(message.identifier), with: kind, by: Identity.ID(user))
    }
  }

  /// The same.
  /// - Parameter statement: `insertReaction`.
  public func react(
    to message: MessageKey, with kind: String, by user: String, _ statement: SQLiteStatement
  ) throws {
    try sqlite.write { try Self.bind(message.row, kind, user, statement).run() }
  }

  private static func bind(
    _ message: Int64, _ kind: String, _ user: String, _ statement: SQLiteStatement
  ) -> SQLiteStatement {
    let microseconds = Int64(Date.now.timeIntervalSince1970 * 1e6)
    return statement.bind(1, message).bind(2, kind).bind(3, user).bind(4, microseconds)
  }

  // MARK: Filling

  private func fill(_ store: MessageStore) throws {
    let sqlite = try SQLiteConnection(paths[1])
    try sqlite.execute(Schema.loadSettings)
    try sqlite.execute(Self.tables)
    try sqlite.write {
      try fillMessages(store, sqlite)
      try fillConversations(store, sqlite)
      try fillRelations(store, sqlite)
    }
    try sqlite.execute(Self.indexes)
    Files.syncAll(paths[1])
  }

  /// A tenth of the messages has eight reactions each, so that there are as many as messages in all; a tenth answers one of four messages
  /// before it in its conversation.
  private func fillMessages(_ store: MessageStore, _ sqlite: SQLiteConnection) throws {
    let select = try sqlite.prepare(Self.nextMessages)
    let reaction = try sqlite.prepare(Self.insertReaction)
    let reply = try sqlite.prepare("INSERT INTO reply VALUES (?1, ?2)")
    var answered: [Int64: (row: Int64, identifier: Message.ID)] = [:]
    var last: Int64 = 0
    while true {
      var chunk: [(row: Int64, identifier: Message.ID, conversation: Int64)] = []
      select.bind(1, last)
      while try select.step() {
        chunk.append((select.integer(0), Message.ID(select.text(1)), select.integer(2)))
      }
      select.reset()
      guard let end = chunk.last else { return }
      last = end.row
      try store.write { transaction in
        for message in chunk {
          for _ in 0..<reactionCount() {
            let (kind, user) = (Self.kinds[random.below(Self.kinds.count)], reactingUser())
            try transaction.react(to: message.identifier, with: kind, by: Identity.ID(user))
            try Self.bind(message.row, kind, user, reaction).run()
          }
          if random.below(10) == 0, let parent = answered[message.conversation] {
            try transaction.setParent(parent.identifier, of: message.identifier)
            try reply.bind(1, message.row).bind(2, parent.row).run()
          } else if random.below(4) == 0 {
            answered[message.conversation] = (message.row, message.identifier)
          }
        }
      }
    }
  }

  /// Eight for one in ten, one for two in nine of the others: one in the mean.
  private func reactionCount() -> Int { random.below(10) == 0 ? 8 : random.below(9) < 2 ? 1 : 0 }

  private func reactingUser() -> String { random.below(20) == 0 ? user : "u\(random.below(1_000))" }

  /// Some conversations are pinned, a tenth is archived, and another tenth muted.
  private func fillConversations(_ store: MessageStore, _ sqlite: SQLiteConnection) throws {
    let pin = try sqlite.prepare("UPDATE conversation SET pinned_at = ?2 WHERE id = ?1")
    let archive = try sqlite.prepare("UPDATE conversation SET archived_at = ?2 WHERE id = ?1")
    let conversations = data.keys.conversations
    let distance = max(1, conversations.count / Self.pinned)
    try store.write { transaction in
      for (number, conversation) in conversations.enumerated() {
        let id = Conversation.ID(conversation.identifier)
        let seconds = Int64(1_700_000_000 + number)
        let date = Date(timeIntervalSince1970: Double(seconds))
        if number % distance == 0, number / distance < Self.pinned {
          try transaction.pin(id, at: date)
          try pin.bind(1, conversation.row).bind(2, seconds * 1_000_000).run()
        } else if number % 10 == 3 {
          try transaction.archive(id, at: date)
          try archive.bind(1, conversation.row).bind(2, seconds * 1_000_000).run()
        } else if number % 10 == 7 {
          try transaction.mute(id)
        }
      }
    }
  }

  private func fillRelations(_ store: MessageStore, _ sqlite: SQLiteConnection) throws {
    let insert = try sqlite.prepare("INSERT INTO relation VALUES ('following', ?1, ?2)")
    try store.write { transaction in
      for number in 0..<Self.edges {
        let followed = "r\(number)"
        try transaction.relate(.following, to: Identity.ID(followed))
        try insert.bind(1, user).bind(2, followed).run()
        let follower = "r\(number + Self.edges - Self.mutual)"
        try transaction.relate(.following, from: Identity.ID(follower), to: Identity.ID(user))
        try insert.bind(1, follower).bind(2, user).run()
      }
    }
  }

  // MARK: The tables

  private static let tables = """
    CREATE TABLE reaction (
      message INTEGER NOT NULL, kind TEXT NOT NULL, user TEXT NOT NULL, state INTEGER NOT NULL, remote_id TEXT,
      date INTEGER NOT NULL,
      PRIMARY KEY (message, kind, user)
    ) WITHOUT ROWID;
    CREATE TABLE reply (message INTEGER PRIMARY KEY, parent INTEGER NOT NULL);
    CREATE TABLE relation (
      kind TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (kind, source, target)
    ) WITHOUT ROWID;
    ALTER TABLE conversation ADD COLUMN pinned_at INTEGER;
    ALTER TABLE conversation ADD COLUMN archived_at INTEGER;
    """
  private static let indexes = """
    CREATE INDEX reply_parent ON reply (parent);
    CREATE INDEX relation_target ON relation (kind, target, source);
    CREATE INDEX conversation_mine ON conversation (visible, archived_at, pinned_at, last_received_at)
      WHERE visible = 1 AND archived_at IS NULL;
    ANALYZE;
    """
  private static let nextMessages = """
    SELECT id, identifier, conversation FROM message WHERE id > ?1 AND visible = 1 AND deleted_at IS NULL
    ORDER BY id LIMIT 10000
    """
  /// A reaction that has been received; one that is there stays.
  public static let insertReaction = "INSERT OR IGNORE INTO reaction VALUES (?1, ?2, ?3, 1, NULL, ?4)"
}

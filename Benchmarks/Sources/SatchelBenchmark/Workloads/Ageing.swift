import BenchmarkKit
import Engines
import Foundation
import Satchel

/// What years of a chat's commits make of a store: each engine's copy ages by the same commits, which need not be durable for that,
/// and is then measured by turns with a fresh store of the same content. Satchel's is an import of its export; SQLite's is what
/// `VACUUM INTO` makes.
func ageing(_ data: LoadedDataset) throws -> [Figure] {
  let n = data.n ?? 10_000
  // All of them at the size that the goals are about; elsewhere as many as show how it goes on.
  let commits = n == 1_000_000 ? 100_000 : n > 1_000_000 ? 10_000 : min(10_000, max(200, n / 10))
  return try data.withClosedStores {
    let stores = [try AgedSatchel(data), try AgedSQLite(data)] as [any AgedStore]
    defer { for store in stores { store.remove() } }
    let start = AgeingChat(data.keys, commits: commits)
    for store in stores { try store.age(start) }
    var end = start
    while end.next() != nil {}
    let there = end.there
    let counts = try stores.map { try $0.counts() }
    guard counts.allSatisfy({ $0 == counts[0] }) else { throw UnequalAge(counts: counts) }
    for store in stores { try store.makeFresh(data) }
    return try stores.flatMap { try figures($0, data, commits, there) }
  }
}

/// A copy of an engine's store that ages, and a fresh one of the same content beside it.
private protocol AgedStore {
  var engine: EngineName { get }
  var aged: String { get }
  var fresh: String { get }
  func age(_ chat: AgeingChat) throws
  /// The messages and how many of them are unread, in the aged store.
  func counts() throws -> [Int]
  /// Makes the fresh store.
  func makeFresh(_ data: LoadedDataset) throws
  /// How the store at a path is opened and asked.
  func asked(_ path: String) throws -> AgedQuestions
}

extension AgedStore {
  func remove() { for path in [aged, fresh] { Files.remove(path) } }
}

/// What an aged store and a fresh one are asked.
private struct AgedQuestions {
  let page: (ConversationKey) throws -> Void
  let unread: (ConversationKey) throws -> Void
  /// Makes a durable commit.
  let insert: (NewMessage) throws -> Void
  let close: () throws -> Void
}

/// Copies a store of an engine's that is closed. Returns the path of the copy, and that of the fresh store to come.
private func copyToAge(
  _ original: String, _ name: String, _ data: LoadedDataset
) throws -> (aged: String, fresh: String) {
  let paths = (aged: data.path(ofCopy: "aged.\(name)"), fresh: data.path(ofCopy: "fresh.\(name)"))
  Files.remove(paths.aged)
  try FileManager.default.copyItem(atPath: original, toPath: paths.aged)
  return paths
}

private struct AgedSatchel: AgedStore {
  let engine = EngineName.satchel
  let aged: String
  let fresh: String

  init(_ data: LoadedDataset) throws {
    (aged, fresh) = try copyToAge(data.chat.satchelPath, "satchel", data)
  }

  func age(_ chat: AgeingChat) throws {
    var options = MessageStore.Options()
    options.durability = .relaxed
    let store = try MessageStore(existingAt: aged, options: options)
    for commit in chat { try store.make(commit) }
    store.close()
  }

  func counts() throws -> [Int] {
    let store = try MessageStore(existingAt: aged)
    defer { store.close() }
    return [
      try store.count(Query<Message>()), try store.count(Message.filter { $0.isUnread }),
    ]
  }

  func makeFresh(_ data: LoadedDataset) throws {
    Files.remove(fresh)
    let lines = fresh + ".jsonl"
    defer { Files.remove(lines) }
    try data.tool.run(["export", aged], into: lines)
    try data.tool.run(["import", fresh, lines, "--as", data.user])
  }

  func asked(_ path: String) throws -> AgedQuestions {
    let store = try MessageStore(existingAt: path)
    return AgedQuestions(
      page: { key in
        let id = Conversation.ID(key.identifier)
        _ = try store.fetch(
          Message.filter { $0.conversation == id }.order { $0.position.descending }.limit(20))
      },
      unread: { key in
        let id = Conversation.ID(key.identifier)
        _ = try store.count(Message.filter { $0.conversation == id && $0.isUnread })
      },
      insert: { try store.insert([$0]) }, close: { store.close() })
  }
}

private struct AgedSQLite: AgedStore {
  let engine = EngineName.sqlite
  let aged: String
  let fresh: String

  init(_ data: LoadedDataset) throws {
    (aged, fresh) = try copyToAge(data.chat.sqlitePath, "sqlite", data)
  }

  func age(_ chat: AgeingChat) throws {
    let engine = try SQLiteEngine(aged, isDurable: false)
    let ageing = try AgeingSQLite(engine)
    for commit in chat { try ageing.make(commit) }
    try engine.connection.checkpoint()
  }

  func counts() throws -> [Int] {
    let connection = try SQLiteConnection(aged)
    return try [
      "SELECT count(*) FROM message WHERE visible = 1",
      "SELECT count(*) FROM message WHERE visible = 1 AND is_unread = 1",
    ].map { Int(try connection.prepare($0).number()) }
  }

  func makeFresh(_ data: LoadedDataset) throws {
    Files.remove(fresh)
    try SQLiteConnection(aged).execute("VACUUM INTO '\(fresh)'")
  }

  func asked(_ path: String) throws -> AgedQuestions {
    let engine = try SQLiteEngine(path)
    let page = try engine.connection.prepare(SQL.messagesOfConversation(Select.latest))
    let unread = try engine.connection.prepare(Number.unreadInConversation)
    return AgedQuestions(
      page: { _ = try page.bind(1, $0.row).bind(2, 20).bind(3, 0).messages(of: $0.identifier) },
      unread: { _ = try unread.bind(1, $0.row).number() },
      insert: { try engine.insert([$0]) }, close: { try engine.connection.checkpoint() })
  }
}

/// Sizes, and medians of questions to the aged store and the fresh one by turns.
private func figures(
  _ store: any AgedStore, _ data: LoadedDataset, _ commits: Int, _ there: Set<String>
) throws -> [Figure] {
  let years = "\(commits) commits of a chat's mix"
  func figure(_ name: String, _ about: String, _ value: Double, _ unit: BenchmarkKit.Unit) -> Figure {
    Figure("age/\(name)", about: about, n: data.n, engine: store.engine, value: value, unit: unit)
  }
  var figures = [
    figure("file", "The store on the disk after \(years)", Double(Files.size(store.aged)) / 1e6, .megabytes),
    figure(
      "file-fresh", "A fresh store of what is left after \(years)", Double(Files.size(store.fresh)) / 1e6,
      .megabytes),
  ]
  var times: [String: [Double]] = [:]
  for round in 0..<9 {
    for (path, suffix) in round % 2 == 0
      ? [(store.aged, ""), (store.fresh, "-fresh")] : [(store.fresh, "-fresh"), (store.aged, "")]
    {
      for (name, time) in try measured(store, path, data, there, round) {
        times[name + suffix, default: []].append(time)
      }
    }
  }
  let titles = [
    ("open", "Opening the store and reading a count"), ("page-latest-20", "The latest 20 messages"),
    ("unread-conversation", "How many messages of a conversation are unread"), ("commit", "A durable commit"),
  ]
  for (name, title) in titles {
    for (suffix, place) in [("", "after \(years)"), ("-fresh", "in a fresh store of what is left then")] {
      guard let median = Statistics(times[name + suffix] ?? [])?.median else { continue }
      figures.append(figure(name + suffix, "\(title), \(place)", median, .microseconds))
    }
  }
  return figures
}

/// What each question takes in the store at a path, in microseconds.
private func measured(
  _ store: any AgedStore, _ path: String, _ data: LoadedDataset, _ there: Set<String>, _ round: Int
) throws -> [(String, Double)] {
  let keys = data.keys.messages.map(\.conversation).filter { there.contains($0.identifier) }
  func mean(_ count: Int, _ body: (Int) throws -> Void) rethrows -> Double {
    try microseconds { for number in 0..<count { try body(number) } } / Double(count)
  }
  // What the opening before has left to be given back is not this one's.
  try store.asked(path).close()
  let open = try microseconds {
    let asked = try store.asked(path)
    try asked.unread(keys[0])
    try asked.close()
  }
  let asked = try store.asked(path)
  for key in keys { try asked.page(key) }
  let page = try mean(keys.count) { try asked.page(keys[$0]) }
  let unread = try mean(keys.count) { try asked.unread(keys[$0]) }
  let texts = Tail(data.keys, "age-\(round)")
  let messages = texts.messages(0..<200).filter { there.contains($0.conversation.identifier) }.prefix(50)
  let commit = try mean(messages.count) { try asked.insert(messages[messages.startIndex + $0]) }
  try asked.close()
  return [("open", open), ("page-latest-20", page), ("unread-conversation", unread), ("commit", commit)]
}

/// The engines have not aged alike.
private struct UnequalAge: Error, CustomStringConvertible {
  let counts: [[Int]]

  var description: String { "messages and unread messages differ after the same commits: \(counts)" }
}

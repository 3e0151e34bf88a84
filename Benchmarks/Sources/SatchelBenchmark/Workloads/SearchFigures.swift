import BenchmarkKit
import Engines
import Foundation
import Satchel

/// The names that these figures begin with.
public let namesOfSearchFigures = ["search/import", "search/bytes", "search/live"]

/// What an index of words takes to make with an import, what it takes on the disk, and what a live search costs other commits; in stores of
/// their own.
public func searchFigures(_ data: LoadedDataset) throws -> [Figure] {
  let paths = (
    satchel: data.path(ofCopy: "search-import.satchel"), sqlite: data.path(ofCopy: "search-import.sqlite")
  )
  func remove() { for path in [paths.satchel, paths.sqlite] { Files.remove(path) } }
  remove()
  defer { remove() }
  let own = try imported(data, into: paths.satchel)
  let (other, bytesOfText, connection) = try importedBySQLite(data, into: paths.sqlite)
  func figure(
    _ name: String, _ about: String, _ engine: EngineName, _ value: Double, _ unit: BenchmarkKit.Unit
  )
    -> Figure
  {
    Figure("search/\(name)", about: about, n: data.n, engine: engine, value: value, unit: unit)
  }
  let importing =
    "Loading all lines into a new store, and making an index of their words (FTS5: detail=column)"
  let ownBytes = Double(try statistics(of: paths.satchel, data).indexes["declared.entries"]?.bytes ?? 0)
  var figures = [
    figure("import", importing, .satchel, own, .seconds),
    figure("import", importing, .sqlite, other, .seconds),
  ]
  for (name, table) in [("bytes", FullTextTable.column), ("bytes-full", .full)] {
    if table == .full {
      try table.make(in: connection)
      try FullTextTable.fill([table], in: connection)
    }
    try table.optimize(in: connection)
    let about = "The bytes of the index of words, a byte of text (FTS5: detail=\(table.rawValue))"
    for (engine, bytes) in [
      (EngineName.satchel, ownBytes), (.sqlite, Double(try table.bytes(in: connection))),
    ] {
      figures.append(figure(name, about, engine, bytes / Double(max(1, bytesOfText)), .bytes))
    }
  }
  // The messages that it brings are from somebody of a generated chat.
  guard data.n != nil else { return figures }
  let live = try costOfLiveSearch(paths.satchel, data)
  figures.append(
    figure(
      "live", "What a list of 25 messages with a word costs a commit that brings none, in processor time",
      .satchel,
      live, .microseconds))
  return figures
}

/// Loads the lines, and then makes the index, as with FTS5.
private func imported(_ data: LoadedDataset, into path: String) throws -> Double {
  try seconds {
    try data.tool.load(data.chat.lines, into: path, user: data.user)
    let store = try MessageStore(existingAt: path)
    try SearchStores.declare(in: store)
    store.close()
  }
}

/// Loads the tables, and then the terms. That our terms have to be made for FTS5 is left out.
private func importedBySQLite(_ data: LoadedDataset, into path: String) throws
  -> (seconds: Double, bytesOfText: Int, connection: SQLiteConnection)
{
  let loading = try seconds { try SQLiteEngine.load(data.chat.lines, into: path, user: data.user) }
  let connection = try SQLiteConnection(path)
  try connection.execute(Schema.loadSettings)
  var bytes = 0
  let terms = try seconds { bytes = try FullTextTable.fill([], in: connection) }
  let inserting = try seconds {
    try FullTextTable.column.make(in: connection)
    try FullTextTable.fill([.column], in: connection)
    try Files.sync(path)
  }
  return (loading + inserting - terms, bytes, connection)
}

private func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = SuspendingClock.now
  try body()
  return (SuspendingClock.now - start) / .seconds(1)
}

/// Returns the microseconds of processor time, of all threads, that a live search adds to a commit of a message that it does not find.
private func costOfLiveSearch(_ path: String, _ data: LoadedDataset) throws -> Double {
  let store = try MessageStore(existingAt: path)
  defer { store.close() }
  guard let conversation = data.keys.conversations.first?.identifier else { return 0 }
  let (searches, commits) = (10, 1_000)
  func receive(_ text: String) throws {
    _ = try store.write {
      try $0.receive([.text(text)], in: Conversation.ID(conversation), from: "noah")
    }
  }
  func time(_ count: Int, _ controllers: [QueryController<Message>]) throws -> Double {
    let totals = controllers.map(\.totalNumberOfObjects)
    let start = processorTime()
    for _ in 0..<count { try receive("qzqz") }
    // What all of them find says when they have followed that far.
    try receive((0..<searches).map { "zqzq\($0)" }.joined(separator: " "))
    while zip(controllers, totals).contains(where: { $0.totalNumberOfObjects == $1 }) { usleep(500) }
    return processorTime() - start
  }
  let alone = try time(commits, []) - time(0, [])
  let controllers = try (0..<searches).map { number in
    let controller = store.controller(
      for: Message.filter { $0.parts.any { $0.text.matches("meeting OR zqzq\(number)") } }, window: .first(25)
    )
    try controller.execute()
    return controller
  }
  defer { for controller in controllers { controller.close() } }
  let together = try time(commits, controllers) - time(0, controllers)
  return max(0, together - alone) / Double(commits * searches)
}

/// Microseconds.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

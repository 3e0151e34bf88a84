import BenchmarkKit
import Engines
import Foundation
import Satchel

/// What commits cost that are only in the journal, up to as many as it takes: reads beside them, their memory, and opening a
/// store whose process ended without a checkpoint.
public enum TailFigures {
  /// What the names of the figures begin with.
  public static let names = ["tail/", "memory/full-tail", "open/full-journal", "open/first-commit"]

  /// All figures; the copies of the store that they need are removed afterwards.
  public static func all(_ data: LoadedDataset) throws -> [Figure] {
    let tails = try [0, 1_000, TailStore.most].map { try TailStore(data, commits: $0) }
    return try tailReads(data, tails) + memory(data, tails[2]) + opening(data, tails[2])
  }

  private static func memory(_ data: LoadedDataset, _ tail: TailStore) -> [Figure] {
    guard let bytes = tail.memory else { return [] }
    return [
      Figure(
        "memory/full-tail",
        about:
          "How much anonymous memory grew by \(Quantity.count(tail.commits)) commits of a message, all of them only in the journal",
        n: data.n, engine: .satchel, value: Double(bytes) / 1e6, unit: .megabytes)
    ]
  }

  /// Opens stores as a process leaves them that is killed: copies of their files, made while they are open.
  private static func opening(_ data: LoadedDataset, _ tail: TailStore) throws -> [Figure] {
    let killed = data.path(ofCopy: "killed")
    defer { Files.remove(killed) }
    let path = data.path(ofCopy: "tail.sqlite")
    defer { Files.remove(path) }
    try data.copySQLite(to: path)
    let sqlite = try SQLiteEngine(path, isDurable: false)
    let messages = Tail(data.keys, "tail")
    for number in 0..<tail.commits { try sqlite.insert([messages.message(number)]) }

    let held: [EngineName: Int] = [
      .satchel: try tail.store.totalCount(Query<Message>()),
      .sqlite: Int(try sqlite.connection.prepare(Number.total).number()),
    ]
    let late = Tail(data.keys, "late")
    var pages: [EngineName: [Double]] = [:]
    var commits: [EngineName: [Double]] = [:]
    for round in 0..<3 {
      let ways = [(tail.path, EngineOpening.satchel(killed)), (path, EngineOpening.sqlite(killed))]
      for (original, way) in round % 2 == 0 ? ways : ways.reversed() {
        try LoadedDataset.copyKilled(original, to: killed)
        let key = data.keys.messages[round].conversation
        var open: EngineOpening.Opened?
        let page = try microseconds { open = try way.firstPage(key) }
        let commit = try microseconds { try open?.insert([late.message(round)]) }
        pages[way.engine, default: []].append(page)
        commits[way.engine, default: []].append(commit)
        // Nothing that was committed is missing.
        guard try open?.count() == held[way.engine].map({ $0 + 1 }) else {
          throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: killed])
        }
        open = nil
      }
    }
    let what = "a store whose process was killed after \(Quantity.count(tail.commits)) commits of a message"
    return [
      (
        "open/full-journal", pages,
        "Opening \(what), and reading the latest 20 messages; SQLite has moved most of them into its file"
      ),
      ("open/first-commit", commits, "The first durable commit after opening \(what), and reading a page"),
    ].flatMap { name, times, about in
      [EngineName.satchel, .sqlite].compactMap { engine in
        Statistics(times[engine] ?? []).map {
          Figure(
            name, about: about, n: data.n, engine: engine, value: $0.median, unit: .microseconds)
        }
      }
    }
  }
}

import BenchmarkKit
import Engines
import Foundation
import Satchel

/// How much a file grows over many small commits, which need not be durable for that: in copies of the stores.
func growth(_ data: LoadedDataset) throws -> [Figure] {
  // All of them at the size that the goals are about; elsewhere as many as show how it goes on.
  let n = data.n ?? 10_000
  let commits = n == 1_000_000 ? 100_000 : n > 1_000_000 ? 10_000 : min(2_000, max(200, n / 10))
  let tail = Tail(data.keys, "growth")
  func copy(_ path: String) -> String { path + "-growth" }
  let engines: [(EngineName, String, (String) throws -> ([NewMessage]) throws -> Void)] = [
    (
      .satchel, data.chat.satchelPath,
      { path in
        var options = MessageStore.Options()
        options.durability = .relaxed
        let store = try MessageStore(existingAt: path, options: options)
        return { try store.insert($0) }
      }
    ),
    (
      .grdb, data.chat.grdbPath,
      { path in
        let engine = try GRDBEngine(path, isDurable: false)
        return { try engine.insert($0) }
      }
    ),
    (
      .sqlite, data.chat.sqlitePath,
      { path in
        let engine = try SQLiteEngine(path, isDurable: false)
        return { try engine.insert($0) }
      }
    ),
  ]
  return try data.withClosedStores {
    try engines.map { engine, original, open in
      let path = copy(original)
      Files.remove(path)
      try FileManager.default.copyItem(atPath: original, toPath: path)
      defer { Files.remove(path) }
      let isRelational = engine != .satchel
      if isRelational { try SQLiteConnection(path).checkpoint() }
      let before = Files.size(path)
      do {
        let insert = try open(path)
        for number in 0..<commits { try insert([tail.message(number)]) }
      }
      if isRelational { try SQLiteConnection(path).checkpoint() }
      return Figure(
        "growth/100000-commits",
        about: "How much the file grew over \(commits) commits of a message each", n: data.n, engine: engine,
        value: Double(Files.size(path) - before) / 1e6, unit: .megabytes)
    }
  }
}

import BenchmarkKit
import Engines
import Foundation
import Satchel

/// What is measured once: before any workload is made of the data, because stores are closed and opened for it.
/// - Parameter filter: What the names of the figures begin with that are wanted; those that take longest are left out where none is.
public func figuresBeforeWorkloads(_ data: LoadedDataset, filter: String = "") throws -> [Figure] {
  func isWanted(_ group: String) -> Bool { group.hasPrefix(filter) || filter.hasPrefix(group) }
  return try imports(data) + sizes(data) + opening(data) + (isWanted("growth/") ? growth(data) : [])
    + (isWanted("age/") ? ageing(data) : [])
}

/// How long loading took: the same lines into each engine.
private func imports(_ data: LoadedDataset) -> [Figure] {
  EngineName.allCases.compactMap { engine in
    data.importSeconds[engine.rawValue].map {
      Figure(
        data.n == nil ? "import/corpus" : "import/generated",
        about: "Loading all lines into a new store, synced at the end", n: data.n, engine: engine, value: $0,
        unit: .seconds)
    }
  }
}

/// Medians of opening, the engines in turns.
private func opening(_ data: LoadedDataset) throws -> [Figure] {
  var times: [String: [EngineName: [Double]]] = [:]
  let ways = EngineOpening.all(data)
  try data.withClosedStores {
    for round in 0..<9 {
      for way in round % 2 == 0 ? ways : ways.reversed() {
        let key = data.keys.messages[round].conversation
        // Warm: everything is in memory already, but nobody has the file open.
        if round == 0 { _ = try way.firstPage(key) }
        times["open/store", default: [:]][way.engine, default: []] += [try microseconds { try way.open() }]
        Files.evict(way.path)
        var open: EngineOpening.Opened?
        let cold = try microseconds { open = try way.firstPage(key) }
        times["open/first-page-cold", default: [:]][way.engine, default: []] += [cold]
        open = nil
        Files.evict(way.path)
        open = try way.justOpen()
        times["page/cold-latest-20", default: [:]][way.engine, default: []] += [
          try microseconds { try open?.page(key) }
        ]
        open = nil
      }
    }
    // All else is measured with the stores in memory, whatever the engines have read of them by now.
    for way in ways { try Files.warm(way.path) }
  }
  return [
    ("open/store", "Opening a store whose file is in memory, and reading one number"),
    (
      "open/first-page-cold",
      "Opening a store that nothing is in memory of, and reading the latest 20 messages"
    ),
    ("page/cold-latest-20", "The latest 20 messages from a store just opened, of which little is in memory"),
  ].flatMap { name, about in
    ways.compactMap { way in
      Statistics(times[name]?[way.engine] ?? []).map {
        Figure(name, about: about, n: data.n, engine: way.engine, value: $0.median, unit: .microseconds)
      }
    }
  }
}

func microseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = SuspendingClock.now
  try body()
  return (SuspendingClock.now - start) / .microseconds(1)
}

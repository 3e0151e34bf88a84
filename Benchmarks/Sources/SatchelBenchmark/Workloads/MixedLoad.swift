import BenchmarkKit
import Engines
import Foundation
import Histogram
import Satchel
import Synchronization

/// Eight readers that ask for the latest messages of conversations one after the other, and a writer that takes in a
/// message a durable commit, all at once and as fast as they can: percentiles of what each read and each commit takes.
/// - Parameter seconds: How long each of the three engines runs.
public func mixedLoad(_ data: LoadedDataset, seconds: Double) throws -> [Figure] {
  let keys = data.keys.messages.map(\.conversation)
  let page = SQL.messagesOfConversation(Select.latest)
  let tail = Tail(data.keys, "mixed")
  var figures: [Figure] = []

  let store = data.satchel
  figures += try MixedLoad.run(
    .satchel, data.n, seconds,
    reader: { _ in
      { number in
        let id = Conversation.ID(keys[number % keys.count].identifier)
        return try store.fetch(
          Message.filter { $0.conversation == id }.order { $0.position.descending }.limit(20)
        ).count
      }
    },
    writer: { try store.insert([tail.message($0)]) })

  let grdb = data.grdb
  figures += try MixedLoad.run(
    .grdb, data.n, seconds,
    reader: { _ in
      { number in
        let key = keys[number % keys.count]
        return try grdb.messages(page, [key.row, 20, 0], of: key.identifier).count
      }
    },
    writer: { try grdb.insert([tail.message($0)]) })

  let path = data.chat.sqlitePath
  let sqlite = SharedSQLite(data.sqlite)
  figures += try MixedLoad.run(
    .sqlite, data.n, seconds,
    reader: { _ in
      // A connection for each reader: they need not wait for each other.
      let connection = try SQLiteConnection(path)
      try connection.execute(Schema.settings(isDurable: true))
      let statement = try connection.prepare(page)
      return { number in
        let key = keys[number % keys.count]
        return try statement.bind(1, key.row).bind(2, 20).bind(3, 0).messages(of: key.identifier).count
      }
    },
    writer: { try sqlite.insert([tail.message($0)]) })
  return figures
}

private enum MixedLoad {
  static let readers = 8

  /// Runs one engine; figures are percentiles in microseconds.
  static func run(
    _ engine: EngineName, _ n: Int?, _ seconds: Double,
    reader: @escaping @Sendable (Int) throws -> (Int) throws -> Int,
    writer: @escaping @Sendable (Int) throws -> Void
  ) throws -> [Figure] {
    let reads = Mutex(Histogram<UInt64>(numberOfSignificantValueDigits: .three))
    let writes = Mutex(Histogram<UInt64>(numberOfSignificantValueDigits: .three))
    let start = SuspendingClock.now
    let end = start.advanced(by: .seconds(seconds))
    try onThreads(readers + 1) { thread in
      var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
      if thread == 0 {
        try repeating(until: end, &histogram) { try writer($0) }
        writes.withLock { $0.add(histogram) }
      } else {
        let read = try reader(thread)
        // Each reader begins somewhere else.
        try repeating(until: end, &histogram) { _ = try read($0 + thread * 31) }
        reads.withLock { $0.add(histogram) }
      }
    }
    let elapsed = (SuspendingClock.now - start) / .microseconds(1)
    let pages = reads.withLock { $0.totalCount }
    let page = Figure(
      "mixed/reader-page",
      about:
        "The time of the run over the pages of all 8 readers together, beside a writer: "
        + "\(Int(Double(pages) / elapsed * 1e6)) pages a second",
      n: n, engine: engine, value: elapsed / Double(max(1, pages)), unit: .microseconds)
    return [page] + figures("reader", engine, n, reads.withLock { $0 })
      + figures("writer", engine, n, writes.withLock { $0 })
  }

  /// Records nanoseconds.
  private static func repeating(
    until end: SuspendingClock.Instant, _ histogram: inout Histogram<UInt64>, _ body: (Int) throws -> Void
  ) throws {
    var number = 0
    var start = SuspendingClock.now
    while start < end {
      try body(number)
      let now = SuspendingClock.now
      _ = histogram.record(UInt64(max(0, (now - start) / .nanoseconds(1))))
      start = now
      number += 1
    }
  }

  private static func figures(
    _ who: String, _ engine: EngineName, _ n: Int?, _ histogram: Histogram<UInt64>
  ) -> [Figure] {
    let seen = "\(histogram.totalCount) of them"
    let work = who == "reader" ? "The latest 20 messages" : "A message in a durable commit"
    return [("p50", 50.0), ("p99", 99), ("p99.9", 99.9), ("max", 100)].map { name, percentile in
      Figure(
        "mixed/\(who)-\(name)", about: "\(work) while 8 readers and a writer do their utmost (\(seen))", n: n,
        engine: engine, value: Double(histogram.valueAtPercentile(percentile)) / 1000, unit: .microseconds)
    }
  }
}

import BenchmarkKit
import Engines
import Foundation
import Histogram
import Satchel

/// Many messages one after the other, so many a durable commit, and then the checkpoint that takes all of them to where they
/// stay: an engine gains nothing by putting work off. Each engine has a copy of its store, and does a whole run at once.
public struct LongRuns {
  private let data: LoadedDataset
  /// How many messages a run takes in.
  private let messages: Int
  private let device: BlockDevice?

  /// The numbers of messages a commit.
  private static let batches = [1, 10, 100, 1_000, 10_000]

  /// The names of the figures of runs with so many messages a commit.
  private static func names(_ batch: Int) -> [String] {
    ["mean", "device-bytes", "growth"].map { "insert/\(batch)-\($0)" }
      + (batch == 1 ? ["p99", "p99.9", "max", "p99-of-worst-1000"].map { "insert/1-\($0)" } : [])
  }

  /// The names of all figures.
  public static let names = batches.flatMap { names($0) }

  /// How many messages a run takes in when there are so many in the store: as many as the goals are about, but no more than
  /// there are already; in larger stores as many as have a checkpoint of their own among them.
  public static func messages(in store: Int) -> Int { store > 1_000_000 ? 20_000 : min(100_000, store) }

  /// - Parameter messages: How many messages each run takes in; no fewer than one commit has.
  public init(_ data: LoadedDataset, messages: Int) {
    self.data = data
    self.messages = messages
    device = BlockDevice(of: data.chat.directory)
  }

  /// Runs all numbers of messages a commit of which a figure's name begins so.
  public func figures(filter: String = "") throws -> [Figure] {
    let batches = Self.batches.filter { Self.names($0).contains { $0.hasPrefix(filter) } }
    guard !batches.isEmpty else { return [] }
    let engines = try LongRunEngine.all(data, withPeers: batches.contains { $0 >= 1_000 })
    defer { for engine in engines { engine.remove() } }
    var figures: [Figure] = []
    for (place, batch) in batches.enumerated() {
      // The slower peers take part where their runs are short.
      let taking = engines.filter { batch >= 1_000 || !$0.isSlow }
      for engine in place % 2 == 0 ? taking : taking.reversed() { figures += try run(engine, batch) }
    }
    return figures.filter { $0.name.hasPrefix(filter) }
  }

  private func run(_ engine: LongRunEngine, _ batch: Int) throws -> [Figure] {
    let tail = Tail(data.keys, "long-\(batch)")
    let commits = max(1, messages / batch)
    // Made in chunks, while the clock stands still.
    let chunk = max(1, 10_000 / batch)
    var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
    // Of commits in a row: the worst of these rows is one that has a checkpoint beside it.
    var row = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
    var worst: UInt64 = 0
    var nanoseconds = 0.0
    let held = try engine.count()
    // What else waits to be written is not this engine's.
    sync()
    let (bytes, size) = (device?.bytesWritten, Files.size(engine.path))
    for first in stride(from: 0, to: commits, by: chunk) {
      let made = (first..<min(first + chunk, commits)).map {
        tail.messages($0 * batch..<($0 + 1) * batch)
      }
      for messages in made {
        let start = SuspendingClock.now
        try engine.insert(messages)
        let taken = (SuspendingClock.now - start) / .nanoseconds(1)
        nanoseconds += taken
        _ = histogram.record(UInt64(max(0, taken)))
        _ = row.record(UInt64(max(0, taken)))
        guard row.totalCount == Self.commitsInRow else { continue }
        worst = max(worst, row.valueAtPercentile(99))
        row.reset()
      }
    }
    let start = SuspendingClock.now
    try engine.checkpoint()
    nanoseconds += (SuspendingClock.now - start) / .nanoseconds(1)
    Files.syncAll(engine.path)
    let total = commits * batch
    guard try engine.count() == held + total else {
      throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: engine.path])
    }

    let what =
      "\(Quantity.count(total)) messages, \(batch) of them in a durable commit, and a full checkpoint at the end"
    func figure(_ name: String, _ about: String, _ value: Double, _ unit: BenchmarkKit.Unit = .microseconds)
      -> Figure
    {
      Figure(
        "insert/\(batch)-\(name)", about: about, n: data.n, engine: engine.name, value: value, unit: unit)
    }
    var figures = [
      figure("mean", "A message in the mean of \(what)", nanoseconds / 1000 / Double(total)),
      figure(
        "growth", "How much all files of the store grew for a message, by \(what)",
        Double(Files.size(engine.path) - size) / Double(total), .bytes),
    ]
    if let bytes, let device {
      figures.append(
        figure(
          "device-bytes",
          "Bytes that the disk was given for a message, of \(what), with all else that it was given",
          Double(device.bytesWritten - bytes) / Double(total), .bytes))
    }
    guard batch == 1 else { return figures }
    let percentiles = [
      ("p99", 99.0, "The 99th percentile"), ("p99.9", 99.9, "The 99.9th percentile"),
      ("max", 100, "The longest"),
    ]
    for (name, percentile, which) in percentiles {
      figures.append(
        figure(
          name,
          "\(which) of \(Quantity.count(total)) durable commits of a message, automatic checkpoints included",
          Double(histogram.valueAtPercentile(percentile)) / 1000))
    }
    if commits >= Self.commitsInRow {
      figures.append(
        figure(
          "p99-of-worst-1000",
          "The 99th percentile of the worst \(Quantity.count(Int(Self.commitsInRow))) durable commits in a row",
          Double(worst) / 1000))
    }
    return figures
  }

  /// Few enough to be made while a checkpoint runs.
  private static let commitsInRow: UInt64 = 1000
}

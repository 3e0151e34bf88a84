import BenchmarkKit
import Engines
import Foundation
import Workloads

/// One run over several chats, one after the other: each is made, loaded into every engine, measured and removed.
final class Session {
  /// A chat to measure.
  enum Source {
    case generated(Int)
    case corpus(Corpus)

    var title: String {
      switch self {
      case .generated(let messages): "\(messages) messages"
      case .corpus(let corpus): corpus.name
      }
    }

    /// How many messages it may have; corpora are guessed.
    var messages: Int {
      switch self {
      case .generated(let messages): messages
      case .corpus: 100_000
      }
    }

    /// The part of the time that its workloads get, against those of others: what grows with n takes longer.
    var weight: Double { max(1, log10(Double(messages)) - 3) * (messages >= 1_000_000 ? 1.5 : 1) }
  }

  let runner: Runner
  let scratch: Scratch
  /// What could not be measured, one line each.
  private(set) var failures: [String] = []

  private let options: RunCommand
  private let progress: ProgressBar
  private let sources: [Source]
  private let tool: SatchelTool
  private let start = Date.now
  private let machine: Machine
  /// Seconds that loading takes a message, in all engines together: a guess until one was loaded.
  private var secondsPerMessage = 1.5e-4
  /// How many workloads a chat has: a guess until one was loaded.
  private var workloadCount = 60.0
  private static let secondsPerWorkload = 2.0

  init(_ options: RunCommand, progress: ProgressBar) throws {
    self.options = options
    self.progress = progress
    tool = try SatchelTool()
    runner = Runner(rounds: options.rounds, progress: progress)
    let sizes = options.large ? [10_000_000] : options.sizes.numbers
    sources =
      sizes.map { .generated($0) }
      + (try options.corpora.map { try Corpus.all(in: $0).map { .corpus($0) } } ?? [])
    scratch = try Scratch(in: options.scratch)
    machine = Machine(storesIn: scratch.path)
  }

  /// What the rows were measured in.
  var conditions: Conditions {
    var format = Date.ISO8601FormatStyle().year().month().day().time(includingFractionalSeconds: false)
    format.timeZone = .gmt
    let date = String(start.formatted(format).replacing("T", with: " ").prefix(16))
    let names = sources.compactMap { source -> String? in
      if case .corpus(let corpus) = source { corpus.name } else { nil }
    }
    let sizes = sources.compactMap { source -> Int? in
      if case .generated(let messages) = source { messages } else { nil }
    }
    return Conditions(
      date: date, minutes: Date.now.timeIntervalSince(start) / 60, machine: machine,
      versions: Peers.versions(), sizes: sizes, corpora: names, isPartial: !options.filter.isEmpty)
  }

  /// Why there are no rows.
  func nothingMeasured(_ filter: String) -> String {
    guard failures.isEmpty else { return failures.joined(separator: "\n") }
    return "no workload begins with \(filter); their names are like page/latest-20, seed/, count/, insert/100"
  }

  /// Measures everything.
  func run() throws {
    if machine.fileSystem.hasPrefix("tmpfs") {
      StandardError.write(
        "\(scratch.path) is in memory: durable commits cost nothing there; name a folder on a disk with --scratch\n"
      )
    }
    try scratch.require(room: sources.map(\.messages).max() ?? 0)
    for source in sources { progress.expect(expectedSeconds(source)) }
    for (place, source) in sources.enumerated() {
      try measure(source, followedBy: sources[(place + 1)...])
    }
  }

  private func expectedSeconds(_ source: Source) -> Double {
    secondsPerMessage * Double(source.messages) + workloadCount * Self.secondsPerWorkload
  }

  private func measure(_ source: Source, followedBy others: ArraySlice<Source>) throws {
    let folder = scratch.path + "/chat"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    progress.show("\(source.title): loading")
    let loading = Date.now
    let data = try load(source, in: folder)
    let seconds = Date.now.timeIntervalSince(loading)
    progress.expect(-expectedSeconds(source))
    if case .generated(let messages) = source { secondsPerMessage = seconds / Double(messages) }

    let all = try workloads(for: data).filter { $0.name.hasPrefix(options.filter) }
    workloadCount = Double(all.count)
    progress.expect(seconds + Double(all.count) * Self.secondsPerWorkload)
    progress.advance(by: seconds)
    runner.pace = pace(for: source, followedBy: others)
    runner.pace?.expect(all.count)
    for workload in all {
      attempt { try runner.run(workload) }
      progress.advance(by: Self.secondsPerWorkload)
    }
  }

  private func load(_ source: Source, in folder: String) throws -> LoadedDataset {
    switch source {
    case .generated(let messages):
      runner.corpus = nil
      return try LoadedDataset(LoadedDataset.generate(messages: messages, in: folder, tool: tool), tool: tool)
    case .corpus(let corpus):
      runner.corpus = corpus.name
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let lines = try corpus.unpack(into: folder)
      let named = options.user.first { $0.hasPrefix(corpus.name + "=") }
      let user = try named.map { String($0.dropFirst(corpus.name.count + 1)) } ?? Corpus.user(of: lines)
      return try LoadedDataset(LoadedDataset.corpus(lines, user: user, in: folder), tool: tool)
    }
  }

  /// The time for this chat's workloads: its part of what is left when the others have been loaded.
  private func pace(for source: Source, followedBy others: ArraySlice<Source>) -> Pace? {
    guard let minutes = options.minutes else { return nil }
    let loads = others.map { Double($0.messages) * secondsPerMessage * 1.2 }.reduce(0, +)
    let left = minutes * 60 - Date.now.timeIntervalSince(start) - loads
    let weights = others.map(\.weight).reduce(source.weight, +)
    return Pace(minutes: max(0, left * source.weight / weights) / 60)
  }

  /// Goes on after a failure: what else was measured is worth having.
  private func attempt(_ work: () throws -> Void) {
    do { try work() } catch { failures.append(String(describing: error)) }
  }
}

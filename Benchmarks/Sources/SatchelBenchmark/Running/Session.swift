import BenchmarkKit
import Engines
import Foundation
import Workloads

/// One run over several chats, one after the other: each is made, loaded into every engine, measured and removed.
final class Session {
  let runner: Runner
  let scratch: Scratch
  let options: RunCommand
  let tool: SatchelTool
  /// What could not be measured, one line each.
  private(set) var failures: [String] = []

  private let progress: ProgressBar
  private let sources: [Source]
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
    sources =
      options.numbers.map { .generated($0) }
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
  var nothingMeasured: String {
    guard failures.isEmpty else { return failures.joined(separator: "\n") }
    return
      "no workload begins with \(options.filter); their names are like page/latest-20, seed/, count/, insert/100"
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

  private func measure(_ source: Source, followedBy others: ArraySlice<Source>) throws {
    let folder = scratch.path + "/chat"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    progress.show("\(source.title): loading")
    let loading = Date.now
    let memory = ImportMemory()
    let data = try load(source, in: folder, watchedBy: memory)
    let seconds = Date.now.timeIntervalSince(loading)
    progress.expect(-expectedSeconds(source))
    if case .generated(let messages) = source { secondsPerMessage = seconds / Double(messages) }
    progress.expect(expectedSeconds(source))
    progress.advance(by: seconds)

    figures(["import/", "size/", "open/", "page/cold-latest-20", "growth/", "age/"], source, "files") {
      try figuresBeforeWorkloads(data, filter: options.filter)
    }
    figures(["memory/"], source, "memory of imports") { memory.figures(data.n) }

    // Made now: the figures close and open the stores.
    let all = try workloads(for: data).filter { $0.name.hasPrefix(options.filter) }
    progress.expect((Double(all.count) - workloadCount) * Self.secondsPerWorkload)
    workloadCount = Double(all.count)
    runner.pace = pace(for: source, followedBy: others)
    runner.pace?.expect(all.count)
    for workload in all {
      attempt(workload.name) { try runner.run(workload) }
      progress.advance(by: Self.secondsPerWorkload)
    }
    figures(["custom/number-entry"], source, "an index of numbers") { try numberEntries(data) }
    figures(namesOfDeclaredFigures, source, "commits beside the making of an index") {
      try declaredFigures(data)
    }
    figures(namesOfCascadeFigures, source, "commits beside a cascade") { try cascadeFigures(data) }
    figures(namesOfSearchFigures, source, "an index of words") { try searchFigures(data) }
    figures(["mixed/"], source, "readers beside a writer") {
      try mixedLoad(data, seconds: mixedSeconds(source))
    }
    figures(TailFigures.names, source, "commits in the journal") { try TailFigures.all(data) }
    figures(LongRuns.names, source, "many commits") {
      try LongRuns(data, messages: longRunMessages(source)).figures(filter: options.filter)
    }
    progress.advance(by: laterSeconds(source))
  }

  /// Adds figures, unless none of them is asked for.
  private func figures(
    _ groups: [String], _ source: Source, _ title: String, _ measure: () throws -> [Figure]
  ) {
    let filter = options.filter
    guard groups.contains(where: { $0.hasPrefix(filter) || filter.hasPrefix($0) }) else { return }
    progress.show("\(source.title): \(title)")
    attempt(title) { for figure in try measure() where figure.name.hasPrefix(filter) { runner.add(figure) } }
  }

  /// Goes on after a failure: what else was measured is worth having.
  private func attempt(_ name: String, _ work: () throws -> Void) {
    do { try work() } catch { failures.append("\(name) was not measured: \(error)") }
  }

  // MARK: Time

  private func loadSeconds(_ source: Source) -> Double { secondsPerMessage * Double(source.messages) }

  /// Seconds of mixed load an engine: a minute at the size that the goals are about, if there is time for it.
  private func mixedSeconds(_ source: Source) -> Double {
    let whole = source.messages >= 1_000_000 ? 60.0 : 5
    return options.minutes.map { min(whole, $0 * 60 / 22) } ?? whole
  }

  /// How many messages each of the long runs takes in: as many as its share of the minutes allows.
  private func longRunMessages(_ source: Source) -> Int {
    let whole = LongRuns.messages(in: source.messages)
    guard let minutes = options.minutes else { return whole }
    let seconds = minutes * 60 / (source.messages >= 1_000_000 ? 7 : 28)
    return min(whole, Int(seconds / Self.secondsPerLongMessage))
  }

  /// Seconds that a message takes in all long runs of all engines together.
  private static let secondsPerLongMessage = 1.5e-3

  /// Seconds of what is beside the workloads: mixed load, tails, many small commits, and the copies for them; three times the stores with
  /// metadata, which take what the others took to load.
  private func laterSeconds(_ source: Source) -> Double {
    let copies = 20 + Double(source.messages) * 4e-5
    let commits = source.messages == 1_000_000 ? 100_000.0 : Double(min(source.messages, 100_000)) / 10
    let long = Double(longRunMessages(source)) * Self.secondsPerLongMessage
    return loadSeconds(source) * 3 + mixedSeconds(source) * 3 + copies + commits * 1e-3 + long
  }

  private func expectedSeconds(_ source: Source) -> Double {
    loadSeconds(source) + workloadCount * Self.secondsPerWorkload + laterSeconds(source)
  }

  /// The time for this chat's workloads: its part of what is left when all else is done.
  private func pace(for source: Source, followedBy others: ArraySlice<Source>) -> Pace? {
    guard let minutes = options.minutes else { return nil }
    let fixed = others.map { loadSeconds($0) * 1.1 + laterSeconds($0) }.reduce(laterSeconds(source), +)
    let left = minutes * 60 - Date.now.timeIntervalSince(start) - fixed
    let weights = others.map(\.weight).reduce(source.weight, +)
    return Pace(minutes: max(0, left * source.weight / weights) / 60)
  }
}

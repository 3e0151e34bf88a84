import BenchmarkKit
import Engines
import Foundation
import Workloads

/// Runs every workload on a small chat, all engines' answers compared: a check that the benchmark measures the same work
/// on each of them.
///
/// Usage: BenchmarkCheck [MESSAGES [ROUNDS [FILTER]]]; 2,000 messages and as few rounds as possible without arguments.
/// BenchmarkCheck FILE.jsonl USER does the same with a corpus.
@main
struct BenchmarkCheck {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().map { $0 }
    let messages = arguments.first.flatMap { Int($0) } ?? 2_000
    let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 1
    let filter = arguments.dropFirst(2).first ?? ""
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "benchmark-check-\(UUID().uuidString)"
    ).path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let tool = try SatchelTool()
    let chat: Chat
    if let path = arguments.first, path.hasSuffix(".jsonl"), arguments.count > 1 {
      chat = try LoadedDataset.corpus(path, user: arguments[1], in: directory)
    } else {
      chat = try LoadedDataset.generate(messages: messages, in: directory, tool: tool)
    }
    let data = try LoadedDataset(chat, tool: tool)
    func show(_ figures: [Figure]) {
      for figure in figures where figure.name.hasPrefix(filter) {
        print(figure.name, figure.engine, String(format: "%.2f", figure.value), figure.unit.rawValue)
      }
    }
    show(try figuresBeforeWorkloads(data, filter: filter))
    let work = try workloads(for: data)
    if arguments.contains("plans") { try printPlans(data.sqlite.connection) }
    let runner = Runner(rounds: rounds, progress: ProgressBar(style: .quiet))
    // Without a number of rounds as few as there can be.
    if arguments.count < 2 { runner.pace = Pace(minutes: 0) }
    for workload in work where workload.name.hasPrefix(filter) {
      let first = runner.results.count
      try runner.run(workload)
      let results = runner.results[first...].map { result in
        let ratio = result.ratio.map { String(format: " (%.3f)", $0) } ?? ""
        return "\(result.engine) \(String(format: "%.2f", result.median))\(ratio)"
      }
      print(workload.name, workload.unit.rawValue, results.joined(separator: ", "))
    }
    show(try numberEntries(data))
    if namesOfDeclaredFigures.contains(where: { $0.hasPrefix(filter) || filter.hasPrefix($0) }) {
      show(try declaredFigures(data))
    }
    if namesOfCascadeFigures.contains(where: { $0.hasPrefix(filter) || filter.hasPrefix($0) }) {
      show(try cascadeFigures(data))
    }
    if namesOfSearchFigures.contains(where: { $0.hasPrefix(filter) || filter.hasPrefix($0) }) {
      show(try searchFigures(data))
    }
    show(try mixedLoad(data, seconds: 0.3))
    show(try TailFigures.all(data))
    // Without a number of rounds each with so few that a slow disk does not matter.
    let long = arguments.count < 2 ? 500 : LongRuns.messages(in: messages)
    show(try LongRuns(data, messages: long).figures(filter: filter))
  }

  private static func printPlans(_ connection: SQLiteConnection) throws {
    for sql in connection.prepared {
      print(sql)
      for step in try connection.plan(sql) { print("    " + step) }
    }
  }
}

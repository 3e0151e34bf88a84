import ArgumentParser
import BenchmarkKit

/// Tells what became slower between two builds that were measured by turns.
struct JudgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "judge",
    abstract: "Tells what became slower between two builds that were measured by turns.",
    discussion: """
      Takes results.json of each run in the order of the runs: before, after, before, after, and so on. A row of ours is a \
      regression if its ratio to SQLite's is over 5 % worse in every round. Exit status 0: there is none; 1: there are, or \
      nothing could be judged.
      """)

  @Argument(help: "results.json of each run.", completion: .file(extensions: ["json"]))
  var runs: [String]

  @Flag(name: .long, help: "Print only the names of the workloads that are worse, one a line.")
  var names = false

  @Option(name: .long, help: "Judge only the workload of this name.")
  var only: String?

  func validate() throws {
    guard runs.count >= 2, runs.count.isMultiple(of: 2) else {
      throw ValidationError("expected are pairs of runs, before and after, not \(runs.count) files")
    }
  }

  func run() throws {
    let results = try runs.map { path in
      try ResultFile.rows(at: path).filter { only == nil || $0.key.workload == only }
    }
    let rounds = stride(from: 0, to: results.count, by: 2).map {
      Regressions.Round(before: results[$0], after: results[$0 + 1])
    }
    let judgement = Regressions(rounds)
    print(names ? judgement.names : judgement.text, terminator: "")
    guard !judgement.rows.isEmpty else {
      throw BenchmarkError("no row of ours has a ratio to SQLite's in every run: nothing was compared")
    }
    if !judgement.regressions.isEmpty { throw ExitCode.failure }
  }
}

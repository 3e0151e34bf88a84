import ArgumentParser
import BenchmarkKit
import Foundation

/// Measures, and writes results, report and plots.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Measures, and writes results.json, RESULTS.md and the plots.",
    discussion: """
      Rows of sizes and corpora that are not measured stay in the results. Exit status 0: all was measured; 1: something \
      was not, which standard error names.
      """)

  @Option(
    name: .long,
    help: "Numbers of messages to generate, with commas between them. (default: 10000,100000,1000000)",
    transform: RunCommand.numbers)
  var sizes: [Int]?

  @Flag(name: .long, help: "Measure a chat of 10,000,000 messages only, and merge it into the results.")
  var large = false

  @Option(
    name: .long,
    help: "A folder of chats in the interchange format, *.jsonl or *.jsonl.xz, to measure as well.")
  var corpora: String?

  @Option(
    name: .long, help: "Whose store a corpus makes, as CORPUS=USER; otherwise who takes part in most of it.")
  var user: [String] = []

  @Option(name: .long, help: "Only workloads and figures whose names begin so, like page/.")
  var filter = ""

  @Option(name: .long, help: "Minutes that the run may take: workloads get fewer rounds, but never too few.")
  var minutes: Double?

  @Option(name: .long, help: "Rounds of a workload that may be repeated at will.")
  var rounds = 15

  @Option(name: .long, help: "The folder of the results.")
  var output = Output.defaultFolder

  @Option(name: .long, help: "A folder on the disk to measure, for the stores.")
  var scratch = Output.defaultFolder + "/.build/stores"

  @Option(name: .long, help: "results.json of an earlier run: shows what changed since.")
  var compare: String?

  @Flag(name: .long, help: "No progress bar.")
  var quiet = false

  func validate() throws {
    if large, sizes != nil {
      throw ValidationError("--large measures 10,000,000 messages only; leave --sizes out")
    }
    if let minutes, !(minutes > 0 && minutes < 100_000) {
      throw ValidationError("--minutes needs a positive number, like 25")
    }
    guard rounds >= 5 else {
      throw ValidationError("--rounds needs 5 at least: fewer have no median worth telling")
    }
    for pair in user where !pair.contains("=") {
      throw ValidationError("--user \(pair): expected is CORPUS=USER")
    }
  }

  /// The numbers of messages that are measured.
  var numbers: [Int] { large ? [10_000_000] : sizes ?? [10_000, 100_000, 1_000_000] }

  private static func numbers(_ text: String) throws -> [Int] {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard numbers.allSatisfy({ $0 >= 1000 }) else {
      throw ValidationError("expected are numbers from 1000 on with commas between them, like 10000,100000")
    }
    return Set(numbers).sorted()
  }

  func run() throws {
    let earlier = try compare.map { try ResultFile.rows(at: $0) }
    let output = Output(folder: output)
    try output.prepare()
    try Peers.check()
    let progress = ProgressBar(style: quiet ? .quiet : .automatic)
    let session = try Session(self, progress: progress)
    let interruption = Interruption(removing: session.scratch)
    defer { session.scratch.remove() }
    try withExtendedLifetime(interruption) { try session.run() }
    progress.finish()

    let rows = session.runner.results
    guard !rows.isEmpty else { throw BenchmarkError(session.nothingMeasured) }
    try output.write(rows, measuredIn: session.conditions)
    print("\(output.reportPath): \(rows.count) rows")
    if let earlier { print("\n" + Comparison(old: earlier, new: rows).text, terminator: "") }
    for failure in session.failures { StandardError.write("satchel-benchmark: \(failure)\n") }
    if !session.failures.isEmpty { throw ExitCode.failure }
  }
}

/// Lines for people, beside what a program may read.
enum StandardError {
  static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}

import ArgumentParser

/// `satchel-benchmark`: measures the same work on Satchel, GRDB, SQLite and raw LMDB.
@main
struct SatchelBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "satchel-benchmark",
    abstract: "Measures the same work on Satchel, GRDB, SQLite and raw LMDB, and writes a report.",
    subcommands: [
      RunCommand.self, ReportCommand.self, CompareCommand.self, JudgeCommand.self, ImportCommand.self,
    ],
    defaultSubcommand: RunCommand.self)
}

/// What is wrong, and what would be right: the one line that a user sees.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

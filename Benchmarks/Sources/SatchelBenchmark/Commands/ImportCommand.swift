import ArgumentParser
import BenchmarkKit
import Workloads

/// The process whose memory is watched: loads lines into a new store, and ends.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "import", shouldDisplay: false)

  @Argument var engine: EngineName
  @Argument var lines: String
  @Argument var user: String
  @Argument var store: String

  func run() throws {
    try measureImport(engine, lines: lines, user: user, store: store)
  }
}

extension EngineName: ExpressibleByArgument {}

import ArgumentParser
import BenchmarkKit

/// Shows what changed between two runs.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Shows what changed between two runs, beyond the range of their rounds.",
    discussion: "Medians of runs on different machines cannot be compared; their ratios can.")

  @Argument(help: "results.json of the earlier run.", completion: .file(extensions: ["json"]))
  var old: String

  @Argument(help: "results.json of the later run.", completion: .file(extensions: ["json"]))
  var new: String

  func run() throws {
    print(try Comparison(old: ResultFile.rows(at: old), new: ResultFile.rows(at: new)).text, terminator: "")
  }
}

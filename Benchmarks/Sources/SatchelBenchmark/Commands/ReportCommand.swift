import ArgumentParser
import BenchmarkKit
import Foundation

/// Makes the report anew from a run's rows.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Writes RESULTS.md and the plots anew from results.json, beside it.")

  @Option(name: .long, help: "The rows of a run; its conditions.json is expected beside it.")
  var json = Output.defaultFolder + "/results.json"

  func run() throws {
    let rows = try ResultFile.rows(at: json)
    let output = Output(folder: (json as NSString).deletingLastPathComponent)
    try output.writeReport(of: rows, measuredIn: Conditions.runs(at: output.conditionsPath))
    print("\(output.reportPath): \(rows.count) rows")
  }
}

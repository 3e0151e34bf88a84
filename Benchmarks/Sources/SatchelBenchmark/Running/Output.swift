import BenchmarkKit
import Foundation

/// The files that a run writes.
struct Output {
  /// The folder that they are in.
  let folder: String

  init(folder: String) {
    self.folder = folder.isEmpty ? "." : folder
  }

  /// The folder of the package that this was built from: links in the report are relative to it.
  static let defaultFolder = packageFolder

  private static let packageFolder = (0..<4).reduce(#filePath) { path, _ in
    (path as NSString).deletingLastPathComponent
  }

  var resultsPath: String { folder + "/results.json" }
  var conditionsPath: String { folder + "/conditions.json" }
  var reportPath: String { folder + "/RESULTS.md" }

  /// Makes sure before anything is measured that results can be written.
  func prepare() throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw BenchmarkError("\(folder) cannot be made; name a folder that can be written to with --output")
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw BenchmarkError("\(folder) cannot be written to; name another folder with --output")
    }
  }

  /// Merges the rows of a run into those that are there, and writes all files.
  func write(_ rows: [BenchmarkKit.Result], measuredIn conditions: Conditions) throws {
    let earlier =
      FileManager.default.fileExists(atPath: resultsPath) ? try ResultFile.rows(at: resultsPath) : []
    let merged = earlier.merged(with: rows, onlySome: conditions.isPartial)
    let runs = Conditions.runs(at: conditionsPath).merged(with: conditions)
    try write(ResultFile.text(of: merged), to: resultsPath)
    try write(try Conditions.text(of: runs), to: conditionsPath)
    try writeReport(of: merged, measuredIn: runs)
  }

  /// Writes the report and its pictures.
  func writeReport(of rows: [BenchmarkKit.Result], measuredIn runs: [Conditions]) throws {
    for plot in Plots.all(of: rows) { try write(plot.text, to: folder + "/" + plot.file) }
    try write(Report(rows, measuredIn: runs).text, to: reportPath)
  }

  private func write(_ text: String, to path: String) throws {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw BenchmarkError("\(path) cannot be written: \(error.localizedDescription)")
    }
  }
}

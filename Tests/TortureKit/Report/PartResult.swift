#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a part of the harness has tried and found.
package struct PartResult: Codable, Sendable {
  /// A run of the same checks on something that is known to be wrong.
  package struct Control: Codable, Sendable {
    package let name: String
    package let tried: Int
    /// How many of them the harness found: none is a failure of the harness.
    package let found: Int

    package init(_ name: String, tried: Int, found: Int) {
      self.name = name
      self.tried = tried
      self.found = found
    }
  }

  package let part: String
  package var seed: UInt64
  /// What repeats it.
  package var command = ""
  package var date = ""
  package var seconds = 0.0
  /// What was counted, in the order in which it is told.
  package private(set) var figures: [String] = []
  package private(set) var counts: [String: Int] = [:]
  package var controls: [Control] = []
  /// What should not have been, the first of each kind.
  package private(set) var failures: [String] = []
  package private(set) var failureCount = 0
  /// The lines of a table, if the part has one.
  package var rows: [[String]] = []
  /// What could not be run here, and why.
  package var skipped: [String] = []

  package init(_ part: String, seed: UInt64) {
    self.part = part
    self.seed = seed
  }

  package subscript(figure: String) -> Int {
    get { counts[figure] ?? 0 }
    set {
      if counts.updateValue(newValue, forKey: figure) == nil { figures.append(figure) }
    }
  }

  /// Notes what should not have been.
  package mutating func fail(_ text: String) {
    failureCount += 1
    if failures.count < 40 { failures.append(text) }
  }

  /// Whether everything was as it should be, and each control was found.
  package var isGood: Bool { failureCount == 0 && controls.allSatisfy { $0.found > 0 } }

  /// The whole as lines of text.
  package var text: String {
    var lines = ["\(part), seed \(seed), \(Int(seconds)) s"]
    lines += figures.map { "  \($0): \(counts[$0] ?? 0)" }
    lines += controls.map { control in
      "  control, \(control.name): \(control.found) of \(control.tried) found"
        + (control.found == 0 ? ": THE HARNESS IS BLIND" : "")
    }
    lines += skipped.map { "  SKIPPED: \($0)" }
    lines += failures.map { "  FAILURE: \($0)" }
    if failureCount > failures.count { lines.append("  … \(failureCount) failures") }
    return lines.joined(separator: "\n")
  }

  /// Runs a part, and times it.
  package static func measuring(
    _ part: String, seed: UInt64, _ body: (inout PartResult) throws -> Void
  ) rethrows -> PartResult {
    var result = PartResult(part, seed: seed)
    let start = ContinuousClock().now
    try body(&result)
    result.seconds = Double((ContinuousClock().now - start).components.seconds)
    return result
  }

  // MARK: Files

  package func save(in directory: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try Files.write(Array(try encoder.encode(self)), to: directory + "/\(part).json")
  }

  /// The results of a directory by part, also those that other targets of the Makefile have left there.
  /// - Throws: What a file is not that should be a result, with its path.
  package static func all(in directory: String) throws -> [String: PartResult] {
    var found: [String: PartResult] = [:]
    for name in Files.names(in: directory) where name.hasSuffix(".json") {
      let path = directory + "/" + name
      do {
        let result = try JSONDecoder().decode(PartResult.self, from: Data(Files.read(path)))
        found[result.part] = result
      } catch let error as DecodingError {
        throw NoResult(path: path, error: error)
      }
    }
    return found
  }

  /// A file among the results that is none.
  private struct NoResult: Error, CustomStringConvertible {
    let path: String
    let error: DecodingError

    var description: String { "\(path) is not the result of a part, remove it: \(error)" }
  }
}

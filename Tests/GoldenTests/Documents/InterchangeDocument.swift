import Foundation
import TestSupport

/// INTERCHANGE.md: its tables of keys, its examples, and its table of lines that are refused.
struct InterchangeDocument {
  struct Key: Equatable {
    let name: String
    let isRequired: Bool
  }

  private let lines: [String]

  init() throws {
    let path = FormatDocument.path.deletingLastPathComponent().appendingPathComponent("INTERCHANGE.md")
    lines = try String(contentsOf: path, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The tables of keys by the heading that each stands under, without its backticks.
  func keys() -> [String: [Key]] {
    var keys: [String: [Key]] = [:]
    for table in tables(of: ["key", "type", "must be there", "meaning"]) {
      keys[table.heading] = table.rows.map { row in
        Key(name: row[0].replacing("`", with: ""), isRequired: row[2] == "yes")
      }
    }
    return keys
  }

  /// Lines that are refused, and what is said of them.
  func refusedLines() -> [(line: String, reason: String)] {
    tables(of: ["line", "reason"]).flatMap(\.rows).map { (String($0[0].dropFirst().dropLast()), $0[1]) }
  }

  /// The table of limits.
  func limits() -> [String: Int] {
    let rows = tables(of: ["what", "most"]).flatMap(\.rows)
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0[0], Int($0[1].replacing(",", with: "")) ?? -1) })
  }

  /// The lines of the fenced block of a name, each with its end.
  func example(_ name: String) -> [UInt8] {
    let block = lines.drop { $0 != "```jsonl \(name)" }.dropFirst().prefix { $0 != "```" }
    return Array(block.map { $0 + "\n" }.joined().utf8)
  }

  private func tables(of header: [String]) -> [(heading: String, rows: [[String]])] {
    var tables: [(heading: String, rows: [[String]])] = []
    var heading = ""
    var isInside = false
    for line in lines {
      if line.hasPrefix("#") {
        heading = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
      }
      guard line.hasPrefix("|") else {
        isInside = false
        continue
      }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
      if cells == header {
        isInside = true
        tables.append((heading, []))
      } else if isInside, !cells.allSatisfy({ $0.hasPrefix("---") }) {
        tables[tables.count - 1].rows.append(cells)
      }
    }
    return tables
  }
}

/// What a report said before: a run of some parts keeps what it says of the others.
struct EarlierReport {
  /// The rows of the figures without their numbers, by title.
  private(set) var figures: [String: String] = [:]
  private var sections: [String: [String]] = [:]

  init(_ text: String) {
    var section = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("## ") {
        section = String(line.dropFirst(3))
      } else {
        sections[section, default: []].append(line)
      }
    }
    for cells in (sections[""] ?? []).map(Self.cells) where cells.count == 6 {
      figures[cells[1]] = cells.dropFirst().joined(separator: " | ")
    }
  }

  /// The lines of a section, without the empty ones at its ends.
  func lines(of section: String) -> [String] {
    let lines = (sections[section] ?? []).drop { $0.isEmpty }
    return Array(lines.prefix((lines.lastIndex { !$0.isEmpty } ?? -1) + 1 - lines.startIndex))
  }

  /// The rows and items of a section that begin with none of the parts, each item with the lines under it.
  func lines(of section: String, without parts: some Collection<String>) -> [String] {
    var part = ""
    return lines(of: section).filter { line in
      if line.hasPrefix("| ") { part = Self.cells(line)[0] }
      if line.hasPrefix("- ") { part = String(line.dropFirst(2).prefix { $0 != ":" && $0 != "," }) }
      return !line.isEmpty && part != "Part" && part != "---" && !parts.contains(part)
    }
  }

  private static func cells(_ line: String) -> [String] {
    line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
  }
}

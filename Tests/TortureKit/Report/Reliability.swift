/// RELIABILITY.md: what has been tried, how often, and what came of it.
package struct Reliability {
  private let results: [String: PartResult]
  private let earlier: EarlierReport

  /// - Parameter report: What the report said before: it says the same of the parts without a result.
  package init(_ results: [String: PartResult], keeping report: String = "") {
    self.results = results
    earlier = EarlierReport(report)
  }

  /// Brings a report up to the results of a directory.
  package static func update(_ path: String, with directory: String) throws {
    let report = (try? Files.read(path)).map { String(decoding: $0, as: UTF8.self) }
    try Files.write(
      Reliability(try PartResult.all(in: directory), keeping: report ?? "").text, to: path)
  }

  package var text: String {
    var lines = [
      "# Reliability", "",
      "`make torture` writes this file: what was done to stores, and what became of them. Everything follows from the seed;",
      "the command in the last column repeats a row. A harness that has not seen damage proves nothing: each part also runs",
      "on something that is known to be wrong, and fails if it finds nothing there.", "",
      "| | What | Result | Seed | Date | Command |", "| ---: | --- | --- | ---: | --- | --- |",
    ]
    var number = 0
    for figure in Figure.all {
      if figure.isNumbered { number += 1 }
      lines.append("| \(number) | \(row(figure)) |")
    }
    let disks = results["disks"].map { Self.disks($0.rows) } ?? earlier.lines(of: Self.fullDisks)
    lines += Self.section(Self.fullDisks, disks)
    let controls = ordered.flatMap { result in
      result.controls.map { "| \(result.part) | \($0.name) | \($0.found) of \($0.tried) |" }
    }
    lines += ["", "## \(Self.controls)", "", "| Part | What is wrong | Found |", "| --- | --- | ---: |"]
    lines += (controls + kept(Self.controls)).sorted()
    let skipped = ordered.flatMap { result in result.skipped.map { "- \(result.part): \($0)" } }
    lines += Self.section(Self.skipped, skipped + kept(Self.skipped))
    let failing = ordered.filter { $0.failureCount > 0 }
    lines += Self.section(Self.failures, failing.flatMap(Self.failures) + kept(Self.failures))
    return lines.joined(separator: "\n") + "\n"
  }

  private static let fullDisks = "Full disks"
  private static let controls = "Negative controls"
  private static let skipped = "Not run"
  private static let failures = "Failures"

  private func kept(_ section: String) -> [String] { earlier.lines(of: section, without: results.keys) }

  private static func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", "## \(title)", ""] + lines
  }

  private func row(_ figure: Figure) -> String {
    if let result = results[figure.part] {
      return
        "\(figure.title) | \(figure.text(result)) | \(result.seed) | \(result.date) | `\(result.command)`"
    }
    return earlier.figures[figure.title] ?? "\(figure.title) | not run |  |  | `make \(figure.target)`"
  }

  private static func disks(_ rows: [[String]]) -> [String] {
    rows.isEmpty
      ? []
      : [
        "A store is filled until a write is refused with `storeFull`, others take what is left of the disk, and then messages are",
        "marked as read, the store is checkpointed, closed, opened, opened for reading; half of the messages are deleted, and others",
        "are written in their room until a write is refused.", "",
        "| Room | Filled by | Level | Messages | Deleted | Written again | Failures |",
        "| --- | --- | --- | ---: | --- | ---: | ---: |",
      ] + rows.map { "| " + $0.joined(separator: " | ") + " |" }
  }

  private var ordered: [PartResult] { results.keys.sorted().compactMap { results[$0] } }

  /// The first of each kind: what differs in nothing but numbers is one kind.
  private static func failures(_ result: PartResult) -> [String] {
    var kinds: [String: (first: String, count: Int)] = [:]
    var order: [String] = []
    for failure in result.failures {
      let line = failure.split(separator: "\n").first.map(String.init) ?? ""
      let kind = line.filter { !$0.isNumber }
      if kinds[kind] == nil { order.append(kind) }
      kinds[kind] = (kinds[kind]?.first ?? line, (kinds[kind]?.count ?? 0) + 1)
    }
    return ["- \(result.part), \(result.failureCount) in all:"]
      + order.prefix(10).compactMap { kind in
        kinds[kind].map {
          "  - \(withoutPaths($0.first).prefix(240)) (\($0.count) like it among the first \(result.failures.count))"
        }
      }
  }

  /// A line without the paths of the machine that it was said on.
  private static func withoutPaths(_ line: String) -> String {
    line.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let names = word.split(separator: "/", omittingEmptySubsequences: false)
      return names.count > 2 ? String(names[0]) + "…" : String(word)
    }.joined(separator: " ")
  }
}

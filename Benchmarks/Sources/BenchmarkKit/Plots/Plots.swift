/// A picture of results.
public struct Plot: Hashable, Sendable {
  /// What it shows.
  public let title: String
  /// The name of its file.
  public let file: String
  /// The file.
  public let text: String
}

/// The pictures that the report and the README show.
public enum Plots {
  /// The pictures that the rows are enough for.
  public static func all(of rows: [Result]) -> [Plot] {
    [ratios(rows), growth(rows), inserts(rows)].compactMap { $0 }
  }

  /// How many times faster than SQLite, workload by workload.
  private static func ratios(_ rows: [Result]) -> Plot? {
    let groups = [
      "seed", "page", "count", "identifiers", "custom", "declared", "records", "groups", "scan", "insert",
      "edit",
      "tombstone",
      "confirm", "merge", "write", "open",
    ]
    guard let n = GoalRows(rows).n else { return nil }
    let shown = rows.filter {
      $0.n == n && groups.contains($0.group) && $0.unit.inNanoseconds != nil
        && !$0.workload.hasSuffix("-codable")
    }
    let bars = RatioPlot(shown, groups: groups)
    guard !bars.isEmpty else { return nil }
    let title = "Times faster than SQLite, with \(Quantity.count(n)) messages"
    return Plot(title: title, file: "ratios.svg", text: bars.document(title: title))
  }

  /// What a handful of workloads cost as the store grows.
  private static func growth(_ rows: [Result]) -> Plot? {
    let wanted = [
      "page/latest-20", "page/5000", "count/unread", "count/offset", "count/rank-of-message",
      "identifiers/png",
    ]
    let sized = rows.filter { ($0.n ?? 0) > 0 && $0.unit.inNanoseconds != nil }
    let several = Dictionary(grouping: sized.filter { $0.engine == .satchel }, by: \.workload)
      .filter { Set($0.value.map(\.n)).count > 1 }
    let others = several.keys.filter { name in
      ["seed", "page", "count", "identifiers"].contains { name.hasPrefix($0 + "/") }
    }.sorted()
    let names = (wanted.filter { several[$0] != nil } + others.filter { !wanted.contains($0) }).prefix(6)
    guard !names.isEmpty else { return nil }
    let panels = names.map { name in
      LinePanel(
        title: name, x: "messages in the store", lines: lines(sized.filter { $0.workload == name }, \.n))
    }
    let title = "Time as the store grows"
    return Plot(title: title, file: "growth.svg", text: LinePanel.document(panels, columns: 3, title: title))
  }

  /// What a durable insert costs a message, by messages a commit.
  private static func inserts(_ rows: [Result]) -> Plot? {
    guard let n = GoalRows(rows).n else { return nil }
    let sized = rows.filter { $0.n == n && batch(of: $0) != nil && $0.unit.inNanoseconds != nil }
    guard Set(sized.map { batch(of: $0) }).count > 1 else { return nil }
    let title = "A durable insert, a message, by messages a commit"
    let panel = LinePanel(
      title: "with \(Quantity.count(n)) messages in the store", x: "messages a commit",
      lines: lines(sized, { batch(of: $0) }))
    return Plot(
      title: title, file: "inserts.svg", text: LinePanel.document([panel], columns: 1, title: title))
  }

  /// The number of messages a commit, of `insert/100`.
  private static func batch(of row: Result) -> Int? {
    row.group == "insert" ? Int(row.workload.dropFirst("insert/".count)) : nil
  }

  private static func lines(_ rows: [Result], _ x: (Result) -> Int?) -> [LinePanel.Line] {
    EngineName.columns.compactMap { engine in
      let points = rows.filter { $0.engine == engine && $0.median > 0 }
        .compactMap { row in
          x(row).map { (x: Double($0), nanoseconds: row.median * (row.unit.inNanoseconds ?? 1)) }
        }
        .sorted { $0.x < $1.x }
      return points.isEmpty ? nil : LinePanel.Line(engine: engine, points: points)
    }
  }
}

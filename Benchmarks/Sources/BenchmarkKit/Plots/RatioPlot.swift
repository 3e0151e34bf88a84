/// Bars of how many times faster than SQLite Satchel is, with marks for the other engines, on a logarithmic scale.
struct RatioPlot {
  private struct Row {
    let name: String
    /// How many times SQLite takes what the engine takes.
    let times: [EngineName: Double]
  }

  private let groups: [(name: String, rows: [Row])]

  /// The workloads of which Satchel and SQLite are both known, group by group.
  init(_ results: [Result], groups: [String]) {
    self.groups = groups.compactMap { group in
      var names: [String] = []
      var times: [String: [EngineName: Double]] = [:]
      for row in results where row.group == group {
        guard let ratio = row.ratio, ratio > 0, row.engine != .sqlite else { continue }
        if times[row.workload] == nil { names.append(row.workload) }
        times[row.workload, default: [:]][row.engine] = 1 / ratio
      }
      let rows = names.map { Row(name: $0, times: times[$0] ?? [:]) }.filter { $0.times[.satchel] != nil }
      return rows.isEmpty ? nil : (group, rows)
    }
  }

  var isEmpty: Bool { groups.isEmpty }

  private static let width = 860
  private static let rowHeight = 19.0
  private static let top = 74.0

  func document(title: String) -> String {
    let count = groups.map(\.rows.count).reduce(0, +)
    let bottom = Self.top + Double(count) * Self.rowHeight + Double(groups.count - 1) * 8
    var svg = SVG(width: Self.width, height: Int(bottom) + 42, title: title)
    svg.text(title, 20, 28, class: "title")
    let all = groups.flatMap(\.rows).flatMap { $0.times.values }
    let scale = LogScale(all + [0.5, 2], from: 270, to: Double(Self.width) - 70)
    let engines = EngineName.columns.filter { engine in
      groups.contains { $0.rows.contains { $0.times[engine] != nil } }
    }
    svg.legend(engines, 26, 52)
    svg.text("SQLite = 1", scale(1), Self.top - 8, .middle, class: "dim")
    for tick in scale.ticks {
      svg.line(scale(tick), Self.top, scale(tick), bottom, class: tick == 1 ? "axis" : "grid")
      svg.text(Self.label(tick), scale(tick), bottom + 18, .middle, class: "dim")
    }
    var y = Self.top
    for group in groups {
      for row in group.rows {
        draw(row, at: y, scale, in: &svg)
        y += Self.rowHeight
      }
      y += 8
    }
    return svg.document
  }

  /// A power of ten as `0.1×`, `1,000×`.
  private static func label(_ times: Double) -> String {
    times < 1 ? "\(times)×" : "\(Quantity.count(Int(times.rounded())))×"
  }

  private func draw(_ row: Row, at y: Double, _ scale: LogScale, in svg: inout SVG) {
    let middle = y + Self.rowHeight / 2
    svg.text(row.name, 258, middle + 4, .end)
    let own = row.times[.satchel] ?? 1
    let (left, right) = (min(scale(own), scale(1)), max(scale(own), scale(1)))
    svg.bar(left, y + 3.5, max(right - left, 1), Self.rowHeight - 7, class: "bar satchel")
    for engine in [EngineName.grdb, .lmdb] {
      if let times = row.times[engine] { svg.mark(engine, scale(times), middle) }
    }
    let end = ([own, 1] + row.times.values).map { scale($0) }.max() ?? right
    svg.text(Quantity.times(own), end + 8, middle + 4, class: own < 1 ? "dim" : "head")
  }
}

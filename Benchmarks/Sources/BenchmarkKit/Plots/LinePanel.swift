/// Times by a growing number, a line an engine, both scales logarithmic.
struct LinePanel {
  /// One engine's line.
  struct Line {
    let engine: EngineName
    let points: [(x: Double, nanoseconds: Double)]
  }

  let title: String
  let x: String
  let lines: [Line]

  private static let size = (width: 280.0, height: 220.0)

  /// A picture of several panels in rows; a single one is twice as wide.
  static func document(_ panels: [LinePanel], columns: Int, title: String) -> String {
    let width = columns == 1 ? size.width * 2 : size.width
    let rows = (panels.count + columns - 1) / columns
    let used = min(columns, panels.count)
    var svg = SVG(
      width: Int(Double(used) * width) + 20, height: Int(Double(rows) * size.height) + 70, title: title)
    svg.text(title, 20, 28, class: "title")
    svg.legend(
      EngineName.columns.filter { engine in panels.contains { $0.lines.contains { $0.engine == engine } } },
      26, 52)
    for (place, panel) in panels.enumerated() {
      panel.draw(
        at: Double(place % columns) * width + 10, Double(place / columns) * size.height + 62, width: width,
        in: &svg)
    }
    return svg.document
  }

  private func draw(at left: Double, _ top: Double, width: Double, in svg: inout SVG) {
    let points = lines.flatMap(\.points)
    let (right, bottom) = (left + width - 16, top + Self.size.height - 48)
    let across = LogScale(points.map(\.x), from: left + 58, to: right)
    let up = LogScale(points.map(\.nanoseconds), from: bottom, to: top + 26)
    svg.text(title, left + 58, top + 14, class: "head")
    for tick in up.ticks {
      svg.line(left + 58, up(tick), right, up(tick), class: "grid")
      svg.text(Self.time(tick), left + 52, up(tick) + 4, .end, class: "dim")
    }
    for tick in across.ticks {
      svg.line(across(tick), bottom, across(tick), bottom + 4, class: "axis")
      svg.text(Self.short(tick), across(tick), bottom + 18, .middle, class: "dim")
    }
    svg.line(left + 58, bottom, right, bottom, class: "axis")
    svg.text(x, (left + 58 + right) / 2, bottom + 34, .middle, class: "dim")
    // Satchel is drawn last: nothing covers it.
    for line in lines.reversed() {
      let places = line.points.map { (x: across($0.x), y: up($0.nanoseconds)) }
      svg.path(places, class: "series \(line.engine.rawValue)")
      for place in places { svg.mark(line.engine, place.x, place.y, size: 3.5) }
    }
  }

  /// A power of ten of nanoseconds as `100 µs`.
  private static func time(_ nanoseconds: Double) -> String {
    let scales: [(Double, String)] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    let (scale, unit) = scales.first { nanoseconds >= $0.0 } ?? (1, "ns")
    return "\(Quantity.count(Int((nanoseconds / scale).rounded()))) \(unit)"
  }

  /// A power of ten as `10k`, `1M`.
  private static func short(_ value: Double) -> String {
    switch value {
    case 1e6...: "\(Int(value / 1e6))M"
    case 1e3...: "\(Int(value / 1e3))k"
    default: "\(Int(value))"
    }
  }
}

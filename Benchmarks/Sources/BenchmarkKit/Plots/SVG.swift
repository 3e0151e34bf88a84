import Foundation

/// A picture as SVG text: shapes and words with classes, coloured for light and dark surroundings. It brings its own
/// ground, so that it can be read whatever page it is shown on.
struct SVG {
  /// Where a text begins, has its middle, or ends.
  enum Anchor: String {
    case start, middle, end
  }

  private let width: Int
  private let height: Int
  private let title: String
  private var body = ""

  init(width: Int, height: Int, title: String) {
    self.width = width
    self.height = height
    self.title = title
  }

  mutating func text(
    _ text: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start, class name: String = ""
  ) {
    body += "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor.rawValue)\""
    body += "\(attribute(name))>\(Self.escaped(text))</text>\n"
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class name: String) {
    body += "<line x1=\"\(Self.number(x1))\" y1=\"\(Self.number(y1))\""
    body += " x2=\"\(Self.number(x2))\" y2=\"\(Self.number(y2))\"\(attribute(name))/>\n"
  }

  mutating func bar(_ x: Double, _ y: Double, _ width: Double, _ height: Double, class name: String) {
    body += "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\""
    body += " height=\"\(Self.number(height))\" rx=\"2\"\(attribute(name))/>\n"
  }

  mutating func path(_ points: [(x: Double, y: Double)], class name: String) {
    let list = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
    body += "<polyline points=\"\(list)\"\(attribute(name))/>\n"
  }

  /// An engine's mark: the shapes differ, so that colours need not be told apart.
  mutating func mark(_ engine: EngineName, _ x: Double, _ y: Double, size: Double = 4) {
    let name = "mark \(engine.rawValue)"
    switch engine {
    case .satchel:
      body +=
        "<circle cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"\(Self.number(size))\"\(attribute(name))/>\n"
    case .sqlite: polygon([(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)], x, y, size, name)
    case .grdb: polygon([(0, -1.1), (1.1, 0.9), (-1.1, 0.9)], x, y, size, name)
    case .lmdb: polygon([(0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)], x, y, size, name)
    case .disk: polygon([(-1.2, -0.4), (1.2, -0.4), (1.2, 0.4), (-1.2, 0.4)], x, y, size, name)
    }
  }

  /// The marks and names of engines in a row.
  mutating func legend(_ engines: [EngineName], _ x: Double, _ y: Double) {
    var x = x
    for engine in engines {
      mark(engine, x, y - 4)
      text(engine.title, x + 9, y)
      x += 80
    }
  }

  private mutating func polygon(
    _ corners: [(Double, Double)], _ x: Double, _ y: Double, _ size: Double, _ name: String
  ) {
    let list = corners.map { "\(Self.number(x + $0.0 * size)),\(Self.number(y + $0.1 * size))" }
    body += "<polygon points=\"\(list.joined(separator: " "))\"\(attribute(name))/>\n"
  }

  /// The picture as a file.
  var document: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
    role="img" aria-label="\(Self.escaped(title))">
    <style>\(Self.style)</style>
    <rect class="ground" x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="8"/>
    \(body)</svg>

    """
  }

  private func attribute(_ name: String) -> String { name.isEmpty ? "" : " class=\"\(name)\"" }

  /// A coordinate, with a tenth of a pixel.
  private static func number(_ value: Double) -> String {
    let text = String(format: "%.1f", value)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A text in which nothing means anything to XML; characters that XML cannot hold become blanks.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: escaped += " "
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static let style = """
    text{font:12px -apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2328}\
    .ground{fill:#fff;stroke:#d1d9e0}.title{font-size:15px;font-weight:600}.head{font-weight:600}\
    .dim{fill:#59636e}.grid{stroke:#d1d9e0;stroke-width:1}.axis{stroke:#818b98;stroke-width:1.5}\
    .series{fill:none;stroke-width:2}.mark{stroke:none}\
    .satchel{fill:#0969da;stroke:#0969da}.sqlite{fill:#818b98;stroke:#818b98}\
    .grdb{fill:#bc4c00;stroke:#bc4c00}.lmdb{fill:#1a7f37;stroke:#1a7f37}.disk{fill:#8250df;stroke:#8250df}\
    .bar{stroke:none;fill-opacity:.85}polyline.series{fill:none}\
    @media (prefers-color-scheme:dark){text{fill:#f0f6fc}.ground{fill:#0d1117;stroke:#3d444d}\
    .dim{fill:#9198a1}.grid{stroke:#2a313c}.axis{stroke:#656c76}\
    .satchel{fill:#4493f8;stroke:#4493f8}.sqlite{fill:#9198a1;stroke:#9198a1}\
    .grdb{fill:#db6d28;stroke:#db6d28}.lmdb{fill:#3fb950;stroke:#3fb950}\
    .disk{fill:#ab7df8;stroke:#ab7df8}}
    """
}

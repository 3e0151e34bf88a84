/// What a terminal shows after some bytes: as much of one as a line editor needs, and nothing that it must not use.
struct Screen {
  private let columns: Int
  /// The rows so far; a wide character is followed by an empty cell.
  private var rows: [[String]] = [[]]
  private var column = 0
  private(set) var bells = 0
  /// Sequences that are none of those below.
  private(set) var unknown: [String] = []

  init(columns: Int) { self.columns = columns }

  /// The rows without the spaces at their ends.
  var lines: [String] {
    rows.map { row in
      let text = row.joined()
      return String(
        text.prefix(upTo: text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex))
    }
  }

  /// The row of the cursor.
  var line: String { lines.last ?? "" }
  /// The column of the cursor, from 0.
  var cursor: Int { column }

  mutating func show(_ text: String) {
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n": rows.append([])
      case "\u{07}": bells += 1
      case "\u{1B}": control(&scalars)
      default: put(scalar)
      }
    }
  }

  private mutating func control(_ scalars: inout Substring.UnicodeScalarView) {
    var sequence = ""
    while let scalar = scalars.popFirst() {
      sequence.unicodeScalars.append(scalar)
      if scalar != "[", (0x40...0x7E).contains(scalar.value) { break }
    }
    let last = rows.count - 1
    switch sequence {
    case "[K": rows[last] = Array(rows[last].prefix(column))
    case "[H", "[2J":
      rows = [[]]
      column = 0
    case "[?2004h", "[?2004l": break
    case _ where sequence.hasPrefix("[") && sequence.hasSuffix("C"):
      column = min(column + (Int(sequence.dropFirst().dropLast()) ?? 1), columns - 1)
    case _ where sequence.hasSuffix("m"): break
    default: unknown.append(sequence)
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = Self.width(scalar)
    if column + width > columns {
      rows.append([])
      column = 0
    }
    let last = rows.count - 1
    if width == 0 {
      if column > 0, column <= rows[last].count { rows[last][column - 1].unicodeScalars.append(scalar) }
      return
    }
    while rows[last].count < column + width { rows[last].append(" ") }
    rows[last][column] = String(Character(scalar))
    if width == 2 { rows[last][column + 1] = "" }
    column += width
  }

  /// The width of those scalars that the tests use.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x300...0x36F, 0xFE0F: 0
    case 0x1100...0x115F, 0x3000...0x9FFF, 0xAC00...0xD7A3, 0xFF00...0xFF60, 0x1F300...0x1FAFF: 2
    default: 1
    }
  }
}

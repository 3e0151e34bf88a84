import SatchelModel
import SatchelText

/// Rows in columns, for people. The first rows decide the widths, so that a result of any length can be streamed.
package struct Table: ~Copyable {
  /// A column and how its cells are shown in it.
  package struct Column {
    package let title: String
    package var isNumber = false
    /// The most columns of the terminal that it takes, unless it is the last.
    package var limit = 24
    /// The fewest columns of the terminal that it takes in a live table.
    package var least = 8
    /// In which order columns are left out of a live table for which the terminal is too narrow, the greatest first; 0 for one
    /// that never is.
    package var expendability = 0

    package init(
      _ title: String, isNumber: Bool = false, limit: Int = 24, least: Int = 8, expendability: Int = 0
    ) {
      self.title = title
      self.isNumber = isNumber
      self.limit = limit
      self.least = min(least, limit)
      self.expendability = expendability
    }
  }

  /// A row: its cells, and which of them are coloured how.
  private struct Row {
    let cells: [String]
    var colours: [Colour?] = []
  }

  private let columns: [Column]
  private let isLive: Bool
  private var widths: [Int] = []
  /// The columns that are shown: in a live table, those for which there is room.
  private var shown: [Int] = []
  private var pending: [Row] = []
  private var isStarted = false

  /// - Parameters:
  ///   - columns: The last one takes the space that the others leave.
  ///   - isLive: True if the rows come as time goes on, so that the first ones say little about the later ones, and the
  ///     terminal may get another width meanwhile.
  package init(_ columns: [Column], isLive: Bool = false) {
    self.columns = columns
    self.isLive = isLive
    shown = Array(columns.indices)
  }

  /// Adds a row. Characters in it that are unsafe to display are escaped.
  /// - Parameter colours: The colour of each cell; empty for none.
  package mutating func add(_ cells: [String], _ colours: [Colour?] = [], to output: inout Output) throws {
    let row = Row(cells: cells.map(\.oneLine), colours: colours)
    guard !isStarted else { return try write(row, to: &output) }
    pending.append(row)
    if pending.count == Self.sample { try start(&output) }
  }

  /// Writes the rows that were held back. An empty table shows its titles.
  package mutating func end(_ output: inout Output) throws {
    if !isStarted { try start(&output) }
  }

  private mutating func start(_ output: inout Output) throws {
    isStarted = true
    widths = columns.indices.map { index in
      pending.reduce(columns[index].title.displayWidth) { max($0, $1.cells[index].displayWidth) }
    }
    for index in columns.indices.dropLast() {
      if isLive { widths[index] = max(widths[index], columns[index].least) }
      widths[index] = min(widths[index], columns[index].limit)
    }
    if isLive {
      fit()
    } else if let last = widths.indices.last {
      widths[last] = min(widths[last], spaceOfLast)
    }
    try write(Row(cells: columns.map(\.title)), to: &output)
    try write(Row(cells: widths.map { String(repeating: "─", count: $0) }), to: &output)
    for row in pending { try write(row, to: &output) }
    pending = []
  }

  /// Makes the columns of a live table fit the terminal: those that have more than they need give from it, the widest first;
  /// then the expendable ones are left out.
  private mutating func fit() {
    func missing() -> Int {
      Self.least + shown.dropLast().reduce(0) { $0 + widths[$1] + 2 } - Terminal.columns
    }
    func spare(_ index: Int) -> Int { widths[index] - columns[index].least }
    while missing() > 0, let widest = shown.dropLast().max(by: { spare($0) < spare($1) }), spare(widest) > 0 {
      widths[widest] -= 1
    }
    while missing() > 0,
      let next = shown.dropLast().max(by: { columns[$0].expendability < columns[$1].expendability }),
      columns[next].expendability > 0
    {
      shown.removeAll { $0 == next }
    }
  }

  /// How many columns of the terminal the other columns leave for the last one.
  private var spaceOfLast: Int {
    max(Terminal.columns - shown.dropLast().reduce(0) { $0 + widths[$1] + 2 }, Self.least)
  }

  private mutating func write(_ row: Row, to output: inout Output) throws {
    // The terminal may have got another width since the row before.
    if let last = widths.indices.last, isLive { widths[last] = spaceOfLast }
    let end = shown.last { !row.cells[$0].isEmpty } ?? -1
    var pieces: [(text: String, colour: Colour?)] = []
    for index in shown where index <= end {
      var text = row.cells[index].cut(to: widths[index])
      if index == end { while text.utf8.last == UInt8(ascii: " ") { text.removeLast() } }
      let space = String(repeating: " ", count: max(0, widths[index] - text.displayWidth))
      if index != shown[0] { pieces.append(("  ", nil)) }
      if columns[index].isNumber { pieces.append((space, nil)) }
      pieces.append((text, row.colours.isEmpty ? nil : row.colours[index]))
      if !columns[index].isNumber, index < end { pieces.append((space, nil)) }
    }
    try output.line(pieces)
  }

  private static let sample = 200
  /// The fewest columns of the terminal that the last column takes.
  private static let least = 12
}

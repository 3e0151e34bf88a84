import SatchelModel

/// Rows in columns, for people. The first rows decide the widths, so that a result of any length can be streamed.
struct Table: ~Copyable {
  /// A column and how its cells are shown in it.
  struct Column {
    let title: String
    var isNumber = false
    /// The most columns of the terminal that it takes, unless it is the last.
    var limit = 24
    /// The fewest columns of the terminal that it takes in a live table.
    var least = 8

    init(_ title: String, isNumber: Bool = false, limit: Int = 24, least: Int = 8) {
      self.title = title
      self.isNumber = isNumber
      self.limit = limit
      self.least = least
    }
  }

  private let columns: [Column]
  private let available: Int
  private let isLive: Bool
  private var widths: [Int] = []
  private var pending: [[String]] = []
  private var isStarted = false

  /// - Parameters:
  ///   - columns: The last one takes the space that the others leave.
  ///   - available: How many columns of the terminal the table may take.
  ///   - isLive: True if the rows come as time goes on, so that the first ones say little about the later ones.
  init(_ columns: [Column], available: Int = Terminal.columns, isLive: Bool = false) {
    self.columns = columns
    self.available = available
    self.isLive = isLive
  }

  /// Adds a row. Characters in it that are unsafe to display are escaped.
  mutating func add(_ cells: [String], to output: inout Output) throws {
    let row = cells.map(\.oneLine)
    guard !isStarted else { return try write(row, to: &output) }
    pending.append(row)
    if pending.count == Self.sample { try start(&output) }
  }

  /// Writes the rows that were held back. An empty table shows its titles.
  mutating func end(_ output: inout Output) throws {
    if !isStarted { try start(&output) }
  }

  private mutating func start(_ output: inout Output) throws {
    isStarted = true
    widths = columns.indices.map { index in
      pending.reduce(columns[index].title.displayWidth) { max($0, $1[index].displayWidth) }
    }
    var left = available - 2 * (columns.count - 1)
    for index in columns.indices.dropLast() {
      if isLive { widths[index] = max(widths[index], columns[index].least) }
      widths[index] = min(widths[index], columns[index].limit)
      left -= widths[index]
    }
    if let last = widths.indices.last {
      widths[last] = isLive ? max(left, Self.least) : min(widths[last], max(left, Self.least))
    }
    try write(columns.map(\.title), to: &output)
    try write(widths.map { String(repeating: "─", count: $0) }, to: &output)
    for row in pending { try write(row, to: &output) }
    pending = []
  }

  private func write(_ cells: [String], to output: inout Output) throws {
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += "  " }
      let text = cell.cut(to: widths[index])
      let isLast = index == cells.count - 1
      if columns[index].isNumber {
        line += text.padded(to: widths[index], onTheLeft: true)
      } else {
        line += isLast ? text : text.padded(to: widths[index])
      }
    }
    while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
    try output.line(line)
  }

  private static let sample = 200
  /// The fewest columns of the terminal that the last column takes.
  private static let least = 12
}

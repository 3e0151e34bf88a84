/// What changed between two runs. A difference counts only where the rounds of the one all lie on one side of those of
/// the other: everything else may be noise.
public struct Comparison: Sendable {
  /// One row that changed.
  public struct Change: Hashable, Sendable {
    /// The row before.
    public let old: Result
    /// The row after.
    public let new: Result

    /// The new median in old ones: below 1 is better.
    public var factor: Double { old.median > 0 ? new.median / old.median : .infinity }
  }

  /// What changed, the worst first.
  public let changes: [Change]
  /// How many rows both runs have.
  public let compared: Int
  /// Rows of the old run alone.
  public let onlyOld: [Result]
  /// Rows of the new run alone.
  public let onlyNew: [Result]

  /// Figures that were measured once have no range; times of them count as changed from this portion on.
  static let margin = 0.1

  /// Compares the rows that two runs share.
  public init(old: [Result], new: [Result]) {
    let before = Dictionary(old.map { (RowKey($0), $0) }) { $1 }
    let after = Set(new.map { RowKey($0) })
    var changes: [Change] = []
    var onlyNew: [Result] = []
    for row in new {
      guard let old = before[RowKey(row)] else {
        onlyNew.append(row)
        continue
      }
      if old.unit == row.unit, Self.differ(old, row) { changes.append(Change(old: old, new: row)) }
    }
    self.changes = changes.sorted { ($0.factor, $1.new.workload) > ($1.factor, $0.new.workload) }
    self.compared = new.count - onlyNew.count
    self.onlyNew = onlyNew
    self.onlyOld = old.filter { !after.contains(RowKey($0)) }
  }

  private static func differ(_ old: Result, _ new: Result) -> Bool {
    let (first, second) = (range(of: old), range(of: new))
    return first.upperBound < second.lowerBound || second.upperBound < first.lowerBound
  }

  private static func range(of row: Result) -> ClosedRange<Double> {
    guard row.rounds == 1, row.unit.inNanoseconds != nil else { return row.minimum...row.maximum }
    return row.median * (1 - margin / 2)...row.median * (1 + margin / 2)
  }

  /// A table for people, in Markdown, which reads well in a terminal as well.
  public var text: String {
    var text =
      "\(compared) rows in both, \(changes.count) changed beyond the range of their rounds; "
      + "\(onlyOld.count) only in the old run, \(onlyNew.count) only in the new one\n"
    guard !changes.isEmpty else { return text }
    let rows = changes.map { change in
      [
        "\(change.new.workload)", change.new.n.map(Quantity.count) ?? "", change.new.engine.title,
        Quantity.text(change.old.median, change.old.unit), Quantity.text(change.new.median, change.new.unit),
        Quantity.times(change.factor) + (change.factor < 1 ? " better" : " worse"),
        ratio(change.old), ratio(change.new),
      ]
    }
    let header = ["workload", "n", "engine", "old", "new", "new ÷ old", "old ratio", "new ratio"]
    text += "\n" + Markdown.table(header, aligned(rows, header))
    return text
  }

  private func ratio(_ row: Result) -> String { row.ratio.map { Quantity.digits($0) } ?? "" }

  /// Cells filled with blanks to the width of their columns.
  private func aligned(_ rows: [[String]], _ header: [String]) -> [[String]] {
    let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: max(0, widths[column] - cell.count))
        return column == 0 ? cell + blanks : blanks + cell
      }
    }
  }
}

/// What became slower between two builds that were measured by turns, several times, on the same machine.
///
/// A row is judged by its ratio to SQLite's in the same run, which takes out what the machine had to do meanwhile. It is a
/// regression if its ratio is worse by more than the margin in every round: noise takes both sides.
public struct Regressions: Sendable {
  /// One run of each build.
  public struct Round: Sendable {
    public let before: [Result]
    public let after: [Result]

    public init(before: [Result], after: [Result]) {
      self.before = before
      self.after = after
    }
  }

  /// A row of ours that both builds have in every round.
  public struct Row: Hashable, Sendable {
    public let key: WorkKey
    /// The ratios to SQLite, a round each.
    public let before: [Double]
    public let after: [Double]

    /// The ratio of the later build in those of the earlier one, a round each: below 1 is better.
    public var factors: [Double] { zip(after, before).map { $0 / $1 } }
    /// The least factor: what is the matter at best.
    public var least: Double { factors.min() ?? 1 }

    var isRegression: Bool { !factors.isEmpty && factors.allSatisfy { $0 > 1 + Regressions.margin } }
  }

  /// How much worse a ratio has to be.
  public static let margin = 0.05

  /// The rows that were judged, by name and size.
  public let rows: [Row]
  /// Those of them that are worse in every round, the worst first.
  public let regressions: [Row]
  /// Rows of ours with a ratio that not every run has: nothing is said of them.
  public let unjudged: [WorkKey]

  public init(_ rounds: [Round]) {
    let runs = rounds.map { (Self.ratios($0.before), Self.ratios($0.after)) }
    let keys = Set(runs.flatMap { Array($0.0.keys) + $0.1.keys })
    let sorted = keys.sorted { ($0.workload, $0.n ?? 0) < ($1.workload, $1.n ?? 0) }
    var rows: [Row] = []
    var unjudged: [WorkKey] = []
    for key in sorted {
      let before = runs.compactMap { $0.0[key] }
      let after = runs.compactMap { $0.1[key] }
      if before.count == rounds.count, after.count == rounds.count {
        rows.append(Row(key: key, before: before, after: after))
      } else {
        unjudged.append(key)
      }
    }
    self.rows = rows
    self.unjudged = unjudged
    regressions = rows.filter(\.isRegression).sorted { $0.least > $1.least }
  }

  /// The ratios of our rows.
  private static func ratios(_ rows: [Result]) -> [WorkKey: Double] {
    let ours = rows.withRatios().filter { $0.engine == .satchel }
    let ratios = ours.compactMap { row in row.ratio.map { (row.key, $0) } }
    return Dictionary(ratios.filter { $0.1 > 0 && $0.1.isFinite }) { $1 }
  }

  /// The names of the workloads that are worse, sorted, each once and on a line of its own.
  public var names: String {
    Set(regressions.map { "\($0.key.workload)\n" }).sorted().joined()
  }

  /// A table for people, in Markdown: a row for each workload, the ratio to SQLite before and after in each round.
  public var text: String {
    let count = rows.first?.before.count ?? 0
    let header =
      ["workload", "n"] + (1...max(count, 1)).map { "round \($0): before, after" } + ["least factor", ""]
    let cells = rows.map { row in
      ["\(row.key.workload)", row.key.n.map(Quantity.count) ?? ""]
        + zip(row.before, row.after).map { "\(Quantity.digits($0)), \(Quantity.digits($1))" }
        + [Quantity.times(row.least), row.isRegression ? "WORSE" : ""]
    }
    var text = Markdown.table(header, cells)
    for key in unjudged {
      text += "not in every run: \(key.workload)\(key.n.map { " at \(Quantity.count($0))" } ?? "")\n"
    }
    text +=
      "\n\(rows.count) rows judged, \(regressions.count) worse than SQLite by over "
      + "\(Int((Self.margin * 100).rounded())) % more in every round\n"
    return text
  }
}

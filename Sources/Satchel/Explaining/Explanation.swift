package import SatchelPlanning

/// How a query is or was answered: the plan, and every path considered with its exact cardinality and cost.
public struct Explanation: Sendable, CustomStringConvertible {
  /// One way to the rows of the query.
  public struct Path: Sendable, Hashable {
    /// The index, or the combination of several.
    public let index: String
    /// The runs of it that are read.
    public let bounds: String
    /// The rows that it gives; exact unless it combines several paths or goes through messages to their parts.
    public let cardinality: Int
    /// False where `cardinality` is only the most there can be, or the number of messages whose parts are read.
    public let isExact: Bool
    /// The properties that are tested row by row; empty for none.
    public let residual: String
    /// How the rows come into the query's order.
    public let order: String
    /// The estimated cost, in microseconds of a warm store; only comparisons mean something.
    public let cost: Double
  }

  /// What running the query took.
  public struct Run: Sendable, Hashable {
    /// Index nodes visited.
    public let nodesRead: Int
    /// Index entries decoded.
    public let entriesRead: Int
    /// Records read to find, test, sort and return the results.
    public let recordsRead: Int
    /// Records read while planning, to look up the objects that the query names by their identifiers.
    public let recordsReadPlanning: Int
    /// Results, or for a count the number counted.
    public let returned: Int
    /// Wall time in seconds, planning included.
    public let seconds: Double
  }

  /// The plan in words, several lines.
  public let plan: String
  /// Every path considered, the scan of all objects first.
  public let paths: [Path]
  /// The place of the chosen one in `paths`.
  public let chosen: Int
  /// What running took; nil when the query was only planned.
  public let run: Run?

  package init(_ plan: Plan, run: Run? = nil) {
    self.plan = plan.explanation
    paths = plan.summaries.map {
      Path(
        index: $0.access, bounds: $0.bounds, cardinality: $0.cardinality, isExact: $0.isExact,
        residual: $0.residual,
        order: $0.order, cost: $0.cost)
    }
    chosen = plan.chosen
    self.run = run
  }

  public var description: String {
    guard let run else { return plan }
    return plan
      + "\nread: \(run.nodesRead) nodes, \(run.entriesRead) entries, \(run.recordsRead) records (and \(run.recordsReadPlanning) to plan); returned \(run.returned)"
      + " in \(Plan.rounded(run.seconds * 1_000_000)) µs"
  }
}

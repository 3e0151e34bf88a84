package import SatchelPlanning

/// How a query is or was answered: the chosen plan, and every path that was considered, with its cardinality and cost.
public struct Explanation: Sendable, CustomStringConvertible {
  /// An access path: one way to find the rows of the query.
  public struct Path: Sendable, Hashable {
    /// The index that is read, or the combination of several indexes.
    public let index: String
    /// The ranges of the index that are read.
    public let bounds: String
    /// The number of rows that the path gives. It is exact unless the path combines several paths or reads the parts of
    /// messages.
    public let cardinality: Int
    /// False if `cardinality` is only an upper bound, or is the number of messages whose parts are read.
    public let isExact: Bool
    /// The properties that are tested row by row; empty if there are none.
    public let residual: String
    /// How the rows are brought into the query's order.
    public let order: String
    /// The estimated cost in microseconds, for a store that is already in memory. Use it only to compare paths.
    public let cost: Double
  }

  /// What running the query took.
  public struct Run: Sendable, Hashable {
    /// The number of index nodes visited.
    public let nodesRead: Int
    /// The number of index entries decoded.
    public let entriesRead: Int
    /// The number of records read to find, test, sort and return the results.
    public let recordsRead: Int
    /// The number of records read while planning, to look up the objects that the query names by their identifiers.
    public let recordsReadPlanning: Int
    /// The number of results returned; for a count, the number counted.
    public let returned: Int
    /// The elapsed time in seconds, planning included.
    public let seconds: Double
  }

  /// The plan as text of several lines. The last one says how a page learns where it lies; see ``placing``.
  public let plan: String
  /// Every path that was considered; the scan of all objects is the first.
  public let paths: [Path]
  /// The index in `paths` of the chosen path.
  public let chosen: Int
  /// What running the query took; nil if the query was only planned.
  public let run: Run?

  /// How a page of the query learns how many results lie before and after it.
  public enum Placing: String, Sendable, Hashable {
    /// From the counts in the nodes of the index, in O(log n).
    case byRank
    /// By one count: the objects that may meet the condition are tested one by one.
    case byCount
  }

  /// How ``StoreSnapshot/page(_:)`` learns how many results lie before and after the page; nil for a mere count.
  public let placing: Placing?

  /// The index that would answer the query at less cost, if it were declared; nil if none would, or if it was not asked for.
  public let advice: IndexAdvice?

  /// - Parameter groups: What the results are counted by, and whether the plan's path has them group by group; nil to return or count them.
  package init(
    _ plan: Plan, placing: Placing?, by groups: (name: String, areTogether: Bool)? = nil, run: Run? = nil,
    advice: IndexAdvice? = nil
  ) {
    self.placing = placing
    self.advice = advice
    var text = plan.explanation(by: groups)
    switch placing {
    case .byRank?: text += "\nrows before and after a page: by rank, O(log n)"
    case .byCount?: text += "\nrows before and after a page: by one count"
    case nil: break
    }
    self.plan = text
    paths = plan.summaries.map { Path($0) }
    chosen = plan.chosen
    self.run = run
  }

  /// The plan as text; if the query was run, one more line with what that took, and if an index would help, one with that index.
  public var description: String {
    let text = advice.map { "\(plan)\n\($0)" } ?? plan
    guard let run else { return text }
    return text
      + "\nread: \(run.nodesRead) nodes, \(run.entriesRead) entries, \(run.recordsRead) records (and \(run.recordsReadPlanning) to plan); returned \(run.returned)"
      + " in \(Plan.rounded(run.seconds * 1_000_000)) µs"
  }
}

extension Explanation.Path {
  init(_ path: PathSummary) {
    self.init(
      index: path.access, bounds: path.bounds, cardinality: path.cardinality, isExact: path.isExact,
      residual: path.residual, order: path.order, cost: path.cost)
  }
}

import SatchelExecution
import SatchelPlanning

/// An index that is not declared, and how it would answer a query: from the entries that it would have, which were counted.
public struct IndexAdvice: Sendable, Hashable, CustomStringConvertible {
  /// The index. Its name says what it is; declare it under any other.
  public let index: Index
  /// The number of entries that it would have.
  public let entries: Int
  /// The path of the query's plan with the index.
  public let path: Explanation.Path
  /// The estimated cost of the plan without it, in microseconds; see ``Explanation/Path/cost``.
  public let costWithout: Double

  init(_ advised: AdvisedIndex, instead plan: Plan) throws {
    index = try Index(advised.definition)
    entries = advised.entries
    path = Explanation.Path(advised.plan.summaries[advised.plan.chosen])
    costWithout = plan.path.cost.microseconds
  }

  /// The advice on one line.
  public var description: String {
    "advice: declare an index of \(index.nameOfKind) by \(index.columns.map(\.description).joined(separator: ", ")): "
      + "\(path.cardinality) of its \(entries) entries, \(path.order), "
      + "about \(Plan.rounded(path.cost)) µs instead of \(Plan.rounded(costWithout)) µs"
  }
}

import SatchelModel
import SatchelQuery

/// An access path as explain shows it.
package struct PathSummary: Sendable, Hashable {
  /// The index or the combination.
  package let access: String
  /// The runs that are read.
  package let bounds: String
  /// The number of rows that the path gives. It is an upper bound if the path combines others; for parts of messages,
  /// it is the number of messages.
  package let cardinality: Int
  /// False for an upper bound and for an estimate.
  package let isExact: Bool
  /// The condition that is tested row by row; empty for none.
  package let residual: String
  package let order: String
  /// Estimated microseconds.
  package let cost: Double
}

extension Plan {
  /// All considered paths, in the order of `paths`.
  package var summaries: [PathSummary] { paths.map { PathSummary($0, question) } }

  /// The plan as text: the question, the chosen path, then all considered paths with cardinality and cost.
  package var explanation: String { explanation(by: nil) }

  /// Returns the plan as text.
  /// - Parameter groups: What the results are counted by, and whether the path has them group by group; nil to return or count them.
  package func explanation(by groups: (name: String, areTogether: Bool)?) -> String {
    let path = paths[chosen]
    let summary = summaries[chosen]
    var lines = [question.text]
    var steps = steps(path, summary)
    if let groups {
      lines = ["count by \(groups.name): " + question.text]
      let isWhole = question.isCount && path.countsByRanges && question.membersOf == nil
      if groups.areTogether {
        steps = ["count groups of \(summary.access) \(summary.bounds), O(log n) each"]
      } else {
        steps =
          isWhole ? [summary.access + " " + summary.bounds] : question.isCount ? steps.dropLast() : steps
        steps.append("count rows by group")
      }
    }
    lines.append("plan: " + steps.joined(separator: " → "))
    lines.append("paths considered:")
    for (index, summary) in summaries.enumerated() {
      let mark = index == chosen ? "*" : " "
      // For a path to parts, the cardinality counts their messages.
      let rows = if case .parts = paths[index].source { "messages" } else { "rows" }
      let exact =
        !paths[index].isCounted ? "about " : summary.isExact || rows == "messages" ? "" : "≤ "
      var line = "\(mark) \(summary.access) \(summary.bounds): \(exact)\(summary.cardinality) \(rows)"
      if !summary.residual.isEmpty { line += ", test \(summary.residual)" }
      line += ", \(summary.order)"
      line += ", cost \(Self.rounded(summary.cost))"
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  private func steps(_ path: AccessPath, _ summary: PathSummary) -> [String] {
    if question.isCount, path.countsByRanges, question.membersOf == nil {
      return ["count ranges of \(summary.access), O(log n)"]
    }
    var steps = [summary.access + " " + summary.bounds]
    if !summary.residual.isEmpty { steps.append("test " + summary.residual) }
    if question.isCount {
      steps.append("count rows")
      return steps
    }
    switch path.ordering {
    case .index: break
    case .merge: steps.append("merge")
    case .sort:
      let held = question.limit?.addingReportingOverflow(question.offset)
      steps.append(held.map { $0.overflow ? "sort" : "top \($0.partialValue)" } ?? "sort")
    }
    if question.offset > 0 {
      steps.append((path.seeksOffset ? "seek offset " : "skip ") + String(question.offset))
    }
    if let limit = question.limit { steps.append("limit \(limit)") }
    return steps
  }

  /// Returns a cost with two decimal places.
  package static func rounded(_ cost: Double) -> String {
    let hundredths = Int((min(cost, 1e12) * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}

extension PathSummary {
  fileprivate init(_ path: AccessPath, _ question: Question) {
    let isCount = question.isCount
    access = question.membersOf == nil ? Self.access(path.source) : "participants"
    bounds = path.source.boundsText
    cardinality = path.cardinality
    switch path.source {
    case .scan, .textScan, .rows, .byValue: isExact = path.isCounted
    case .search, .intersection, .union, .parts: isExact = false
    }
    var residual = path.residual
    switch path.source {
    case .parts(let inner), .byValue(_, others: let inner):
      if !inner.residual.isAlways {
        residual = residual.isAlways ? inner.residual : .all([inner.residual, residual])
      }
    case .search(let scan):
      // Of objects that are not in doubt, nothing is tested.
      if scan.doubt.contains(.all) { residual = residual.isAlways ? scan.test : .all([scan.test, residual]) }
    default: break
    }
    self.residual = residual.isAlways ? "" : residual.summary
    order =
      switch path.ordering {
      case _ where isCount:
        path.countsByRanges && question.membersOf == nil ? "count by ranges" : "count rows"
      case .index(let descending): descending ? "in index order, backwards" : "in index order"
      case .merge(let descending): descending ? "merged, backwards" : "merged"
      case .sort: "sorted"
      }
    cost = path.cost.microseconds
  }

  private static func access(_ source: AccessPath.Source) -> String {
    switch source {
    case .scan(let scan): scan.index.tree.name
    case .textScan(let scan): scan.name
    case .search(let scan): scan.index.name
    case .rows: "identifier"
    case .intersection(let paths):
      "intersection of " + paths.map { access($0.source) }.joined(separator: " and ")
    case .union(let paths):
      "union of "
        + (paths.count > 4
          ? "\(paths.count) paths" : paths.map { access($0.source) }.joined(separator: " and "))
    case .parts(let path): "parts of " + access(path.source)
    case .byValue(let path, let others): access(path.source) + " and " + access(others.source)
    }
  }
}

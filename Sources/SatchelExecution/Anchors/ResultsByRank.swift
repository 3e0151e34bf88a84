import SatchelModel
package import SatchelPlanning
import SatchelQuery

/// All results of a question in its order, by rank.
package struct ResultsByRank {
  private enum Rows {
    /// Each row is sought in the index that has the order.
    case sought(Plan)
    /// No index has the order: all rows were sorted.
    case sorted([RowReference])
  }

  package let count: Int
  private let rows: Rows
  private let executor: Executor

  /// The limit, offset and anchor of the question are ignored.
  /// - Complexity: O(log n) if the results are runs of an index that has them in order, otherwise O(n log n).
  package init(_ question: Question, _ executor: Executor) throws {
    self.executor = executor
    var all = question
    all.anchor = nil
    all.offset = 0
    // A limit has the planner prefer an index that is in order: rows are read one by one.
    all.limit = 1
    let plan = try executor.plan(all)
    if plan.path.seeksOffset {
      all.limit = nil
      all.isCount = true
      count = try executor.count(executor.plan(all))
      rows = .sought(plan)
    } else {
      let sorted = try executor.results(question).map(\.reference)
      count = sorted.count
      rows = .sorted(sorted)
    }
  }

  /// Returns the rows with the given ranks, which have to exist.
  /// - Complexity: O(log n + k) for k rows, or O(k) if all rows were sorted.
  package func rows(in ranks: Range<Int>) throws -> [RowReference] {
    switch rows {
    case .sought(let plan): try executor.rows(plan, in: ranks)
    case .sorted(let rows): Array(rows[ranks])
    }
  }
}

package import SatchelPlanning
import SatchelQuery

// What live queries need from an executor: all results with their sort values, or a range of a plan's order.
extension Executor {
  /// Returns all results of a question with their sort values, in order. Its limit, offset and anchor are ignored.
  /// - Complexity: O(n log n) for n results if no index has the order.
  package func results(_ question: Question) throws -> [SortRow] {
    var all = question
    all.limit = nil
    all.offset = 0
    all.anchor = nil
    let plan = try plan(all)
    let reader = SortKeyReader(question.sort, of: question.kind, on: plan.path.index, in: snapshot)
    var sort = Sort(RowOrder(question), atMost: nil)
    try RowFilter(source(of: plan)).forEach { row in
      sort.insert(try reader.row(&row))
      return true
    }
    return try sort.sorted(in: snapshot)
  }

  /// Returns the rows of a plan with the given ranks in its order.
  package func rows(_ plan: Plan, in ranks: Range<Int>) throws -> [RowReference] {
    var rows: [RowReference] = []
    guard !ranks.isEmpty else { return rows }
    try run(plan.limited(to: ranks.count, after: ranks.lowerBound)) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// Returns the rows of a plan from a point of its order on.
  package func rows(_ plan: Plan, from point: OrderPoint, limit: Int) throws -> [RowReference] {
    var rows: [RowReference] = []
    guard limit > 0 else { return rows }
    try run(plan.limited(to: limit, after: 0), from: point.start(of: plan.question)) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// Returns how many rows a plan has from a point of its order on. Its limit, offset and anchor are ignored.
  /// - Complexity: O(log n) for each run of an index in the plan's order, otherwise O(n).
  package func count(_ plan: Plan, from point: OrderPoint) throws -> Int {
    let start = point.start(of: plan.question)
    if plan.path.residual.isAlways, let count = try count(plan.path, from: start) { return count }
    var count = 0
    try run(plan.limited(to: .max, after: 0), from: start) { _ in
      count += 1
      return true
    }
    return count
  }
}

extension Plan {
  /// Returns the same plan for another range of its order.
  fileprivate func limited(to limit: Int, after offset: Int) -> Plan {
    var question = question
    question.limit = limit
    question.offset = offset
    question.anchor = nil
    return Plan(question: question, paths: paths, chosen: chosen)
  }
}

/// A point in a question's order that stays where it is while rows come and go around it.
package enum OrderPoint: Sendable {
  /// At an object, which need not be a result any more.
  case at(SortRow)
  /// As `at`; the object is the first of the rows after the point, not a row between those before and those after.
  case from(SortRow)
  /// Just after an object.
  case behind(SortRow)
  /// Before the first row of a date, in an order whose first key is a date.
  case date(Int64)
  /// After the last row of a date. In the reversed order, the rows from here on are the rows before the date.
  case behindDate(Int64)

  fileprivate func start(of question: Question) -> StartingPoint {
    let anchor: StartingPoint.Anchor
    let isInclusive: Bool
    switch self {
    case .at(let row), .from(let row): (anchor, isInclusive) = (.object(row, isResult: false), true)
    case .behind(let row): (anchor, isInclusive) = (.object(row, isResult: false), false)
    case .date(let date): (anchor, isInclusive) = (.date(date), true)
    case .behindDate(let date): (anchor, isInclusive) = (.date(date), false)
    }
    return StartingPoint(
      anchor: anchor, isInclusive: isInclusive, sort: question.sort, kind: question.kind)
  }
}

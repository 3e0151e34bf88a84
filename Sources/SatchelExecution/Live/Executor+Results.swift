package import SatchelPlanning
import SatchelQuery

// What live queries ask of an executor: all results with their sort values, or a stretch of a plan's order.
extension Executor {
  /// All results of a question with their sort values, in order, whatever its limit, offset and anchor.
  /// - Complexity: O(n log n) for n results where no index has the order.
  package func results(_ question: Question) throws -> [SortRow] {
    var all = question
    all.limit = nil
    all.offset = 0
    all.anchor = nil
    let plan = try plan(all)
    let path = plan.path
    let evaluator = ConditionEvaluator(path.residual, of: question.kind, on: path.index, in: snapshot)
    let reader = SortKeyReader(question.sort, of: question.kind, on: path.index, in: snapshot)
    var collector = RowCollector(RowOrder(question), atMost: nil)
    try source(of: plan).forEach { row in
      if try evaluator.matches(&row) { collector.insert(try reader.row(&row)) }
      return true
    }
    return collector.sorted()
  }

  /// The rows of a plan at some places of its order.
  package func rows(_ plan: Plan, in places: Range<Int>) throws -> [RowReference] {
    var rows: [RowReference] = []
    guard !places.isEmpty else { return rows }
    try run(plan.limited(to: places.count, after: places.lowerBound)) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// The rows of a plan that come after a place of its order, or at it.
  package func rows(_ plan: Plan, from place: ListPlace, limit: Int) throws -> [RowReference] {
    var rows: [RowReference] = []
    guard limit > 0 else { return rows }
    try run(plan.limited(to: limit, after: 0), from: place.start(of: plan.question)) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// How many rows of a plan come after a place of its order, or at it; nothing but its path decides what is a row.
  /// - Complexity: O(log n) for each run of an index in the plan's order, otherwise O(n).
  package func count(_ plan: Plan, from place: ListPlace) throws -> Int {
    let start = place.start(of: plan.question)
    if plan.path.residual.isAlways, case .scan(let scan) = plan.path.source,
      case .index(let descending) = plan.path.ordering, let cut = start.cut(of: plan.path)
    {
      return try IndexScanner(scan, in: snapshot.forest).ranges(descending: descending, from: cut)
        .reduce(0) { try $0 + snapshot.forest.count(scan.index.tree, in: $1) }
    }
    var count = 0
    try run(plan.limited(to: .max, after: 0), from: start) { _ in
      count += 1
      return true
    }
    return count
  }
}

extension Plan {
  /// The same plan for another stretch of its order.
  fileprivate func limited(to limit: Int, after offset: Int) -> Plan {
    var question = question
    question.limit = limit
    question.offset = offset
    question.anchor = nil
    return Plan(question: question, paths: paths, chosen: chosen)
  }
}

/// A place in a question's order that stays where it is while rows come and go around it.
package enum ListPlace: Sendable {
  /// At an object, which need not be a result any more.
  case at(SortRow)
  /// Behind an object.
  case behind(SortRow)
  /// Before the first row of a date, in an order whose first key is a date.
  case date(Int64)
  /// Behind the last row before a date, for the order turned round.
  case behindDate(Int64)

  fileprivate func start(of question: Question) -> StartingPoint {
    let place: StartingPoint.Place
    let isInclusive: Bool
    switch self {
    case .at(let row): (place, isInclusive) = (.object(row, isResult: false), true)
    case .behind(let row): (place, isInclusive) = (.object(row, isResult: false), false)
    case .date(let date): (place, isInclusive) = (.date(date), true)
    case .behindDate(let date): (place, isInclusive) = (.date(date), false)
    }
    return StartingPoint(
      place: place, isInclusive: isInclusive, sort: question.sort, kind: question.kind)
  }
}

import SatchelModel
package import SatchelPlanning
import SatchelQuery
import SatchelReading

// Where the results that a limit, an offset and an anchor leave lie among all results.
extension Executor {
  /// Returns how many results come before those that a question gives, and how many there are without its limit, offset
  /// and anchor.
  /// - Parameter given: The number of results that the question gives.
  /// - Complexity: O(log n) for each run of an index if the results are such runs and, with an anchor, each run has the
  ///   question's order. Otherwise the objects that may meet the condition are tested one by one, once.
  package func place(of question: Question, given: Int) throws -> (before: Int, total: Int) {
    guard let anchor = question.anchor else {
      let total = try count(planOfAll(question))
      return (min(question.offset, total), total)
    }
    let (earlier, own, total) = try split(question, at: anchor)
    switch anchor {
    case .before: return (max(0, earlier - question.offset) - given, total)
    case .after:
      return (earlier + own + min(question.offset, total - earlier - own), total)
    case .around(_, let before, let after), .aroundDate(_, let before, let after):
      let shown = min(before, earlier)
      let window = shown + own + min(after, total - earlier - own)
      return (earlier - shown + min(question.offset, window), total)
    }
  }

  /// Returns whether `place` needs no look at the rows for a question with this plan.
  package func placesByRank(_ plan: Plan) throws -> Bool {
    // Members are read one by one, whatever the path of the plan.
    guard plan.question.membersOf == nil else { return false }
    switch plan.question.anchor {
    case nil: break
    case .aroundDate where plan.question.isByPosition: guard plan.path.seeksOffset else { return false }
    case _?:
      guard plan.path.isRunsInOrder else { return false }
    }
    return try planOfAll(plan.question, exhaustive: true).path.countsByRanges
  }

  /// Returns how many results come before an anchor, whether the object that it names is one (1 or 0), and how many
  /// results there are.
  private func split(_ question: Question, at anchor: QueryAnchor) throws -> (
    earlier: Int, own: Int, total: Int
  ) {
    var point: StartingPoint
    switch anchor {
    case .after(let identifier), .before(let identifier), .around(let identifier, _, _):
      point = try startingPoint(identifier, question)
      point.isInclusive = true
    case .aroundDate(let date, _, _):
      if question.isByPosition {
        let results = try ResultsByRank(question, self)
        return (try rank(of: date, in: question, results), 0, results.count)
      }
      point = StartingPoint(
        anchor: .date(date.microseconds), isInclusive: true, sort: question.sort, kind: question.kind)
    }
    var own = 0
    if case .object(_, isResult: true) = point.anchor { own = 1 }
    let plan = try plan(question)
    if plan.path.residual.isAlways, let later = try count(plan.path, from: point) {
      let total = try count(planOfAll(question))
      return (total - later, own, total)
    }
    let (later, total) = try countEach(question, from: point)
    return (total - later, own, total)
  }

  /// Returns how many results there are from a point on, and how many in all, in one pass over them.
  private func countEach(_ question: Question, from point: StartingPoint) throws -> (later: Int, total: Int) {
    let plan = try planOfAll(question)
    let reader = SortKeyReader(question.sort, of: question.kind, on: plan.path.index, in: snapshot)
    let order = RowOrder(question)
    var later = 0
    var total = 0
    try RowFilter(source(of: plan)).forEach { row in
      total += 1
      if point.admits(try reader.row(&row), order) { later += 1 }
      return true
    }
    return (later, total)
  }

  /// Returns the plan for the number of results without limit, offset and anchor.
  func planOfAll(_ question: Question, exhaustive: Bool = false) throws -> Plan {
    var all = question
    all.limit = nil
    all.offset = 0
    all.anchor = nil
    all.isCount = true
    return try plan(all, exhaustive: exhaustive)
  }
}

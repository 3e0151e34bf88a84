import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

extension LiveQuery {
  /// Returns the point that a window lies around; nil for a window at the top or bottom, and for a date that is looked
  /// for among positions: see `seek`.
  ///
  /// A window that already lies around an object stays, and may grow, when the object is no longer a result, or is gone.
  func anchor(
    of specification: Specification, _ question: Question, _ executor: Executor, from old: LiveState?
  ) throws -> OrderPoint? {
    let known = Self.knownAnchor(of: specification, from: old)
    switch specification.window {
    case .all, .first, .tail, .last: return nil
    case .around(let identifier, _, _):
      let row: SortRow
      do { row = try executor.sortRow(ofObject: identifier, question) } catch let error as SatchelError
        where error.code == .invalidValue
      {
        guard let known else { throw error }
        return known
      }
      guard try known != nil || isResult(row.reference, specification, question, executor) else {
        throw try executor.notHeldError(identifier, question.kind)
      }
      return .at(row)
    case .aroundDate(let date, _, _):
      if question.isByPosition { return known }
      guard question.sort.first?.property.type == .date else { throw question.noDateError }
      return .date(date.microseconds)
    }
  }

  /// Returns the point at which the same window lay before; nil if the window is another one, or is to begin anew.
  private static func knownAnchor(of specification: Specification, from old: LiveState?) -> OrderPoint? {
    guard let old, specification.place != .anew, old.specification.query == specification.query else {
      return nil
    }
    switch (old.specification.window, specification.window) {
    case (.around(let before, _, _), .around(let now, _, _)): return before == now ? old.anchor : nil
    case (.aroundDate(let before, _, _), .aroundDate(let now, _, _)): return before == now ? old.anchor : nil
    default: return nil
    }
  }

  private func isResult(
    _ row: RowReference, _ specification: Specification, _ question: Question, _ executor: Executor
  ) throws -> Bool {
    let snapshot = executor.snapshot
    guard try executor.isResult(row, question) else { return false }
    return try source.makeResidual?(snapshot, specification.query)(row) ?? true
  }
}

extension LiveState {
  /// Returns the rank of the first row at or after a date in an order by position. If there is such a row, the window
  /// stays with it from now on.
  func seek(_ date: Timestamp, total: Int, _ executor: Executor) throws -> Int {
    func row(_ rank: Int) throws -> RowReference? {
      try result.rows(in: rank..<(rank + 1), total: total, executor).first
    }
    let rank = try executor.rank(ofDate: date.microseconds, in: question, count: total, row: row)
    if rank < total, let found = try row(rank) {
      anchor = .from(try SortRowReader(question, in: executor.snapshot).row(found))
    }
    return rank
  }
}

extension OrderPoint {
  /// The object that the point is at, which takes the point along when it moves; nil for a point at no object.
  var row: SortRow? {
    switch self {
    case .at(let row), .from(let row): row
    case .behind, .date, .behindDate: nil
    }
  }

  /// Returns the same point at an object that has moved.
  func moved(to row: SortRow) -> OrderPoint {
    switch self {
    case .at: .at(row)
    case .from: .from(row)
    case .behind, .date, .behindDate: self
    }
  }
}

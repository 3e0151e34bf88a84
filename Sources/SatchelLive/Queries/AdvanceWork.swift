import SatchelExecution
import SatchelPlanning
import SatchelReading

/// What a live query has to do after a batch.
enum AdvanceWork: Sendable {
  /// Nothing: neither results nor rows have changed.
  case none
  /// Read the touched rows of the window again.
  case refresh
  /// Select the window again.
  case reselect
  /// Plan and select again.
  case plan
  /// Ask another question, in which objects have other names, and select again.
  case ask(Question)
  /// Change the held results, and select the window again.
  case apply([HeldResult.Change])
}

extension LiveState {
  /// Returns what the query has to do after a batch.
  func work(for batch: CommitBatch, residual: HeldResult.Residual?) throws -> AdvanceWork {
    if let renamed = try batch.renamed(question) { return .ask(renamed) }
    switch result {
    case .indexed(let result):
      if try result.needsPlan(after: batch) { return .plan }
      if try result.isConcerned(by: batch) { return .reselect }
    case .held(let result):
      if result.needsSelection(after: batch) { return .plan }
      let changes = try result.changes(in: batch, residual: residual)
      if !changes.isEmpty { return .apply(changes) }
    case .object(let object): if try object.isConcerned(by: batch) { return .plan }
    case .none: return .plan
    }
    if let row = anchor?.row, try movedAnchor(row, batch) != nil { return .reselect }
    // A message may have got the date that is looked for; no index of the results has dates.
    if case .aroundDate = specification.window, anchor == nil { return .reselect }
    let touched = try Touched(batch, question, relations, included)
    return touched.hasSome(of: rows, conversations: conversations) ? .refresh : .none
  }

  /// Returns the object that the window lies around, with its new sort values; nil if these have not changed, or if the
  /// object no longer exists. The object is read whatever the batch lists, because it need not be a result, and because
  /// its sort values may come from related objects.
  func movedAnchor(_ row: SortRow, _ batch: CommitBatch) throws -> SortRow? {
    guard try batch.snapshot.shows(row.reference, question.kind) else { return nil }
    let moved = try SortRowReader(question, in: batch.snapshot).row(row.reference)
    return moved.keys == row.keys ? nil : moved
  }
}

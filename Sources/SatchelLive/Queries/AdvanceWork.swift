import SatchelExecution
import SatchelPlanning
import SatchelStorage

/// What a batch makes a live query do.
enum AdvanceWork: Sendable {
  /// Nothing: neither results nor rows have changed.
  case none
  /// Read the touched rows of the window again.
  case refresh
  /// Take the window anew.
  case reselect
  /// Plan and select anew.
  case plan
  /// Change what is held, and take the window anew.
  case apply([HeldResult.Change])
}

extension LiveState {
  /// What a batch makes to be done.
  func work(for batch: CommitBatch, residual: HeldResult.Residual?) throws -> AdvanceWork {
    switch result {
    case .indexed(let result):
      if try result.needsPlan(after: batch) { return .plan }
      if try result.isConcerned(by: batch) { return .reselect }
    case .held(let result):
      if result.needsSelection(after: batch) { return .plan }
      let changes = try result.changes(in: batch, residual: residual)
      if !changes.isEmpty { return .apply(changes) }
    case .none: return .plan
    }
    if case .at(let row)? = place, try movedPlace(row, batch) != nil { return .reselect }
    let touched = Touched(batch, question.kind, relations)
    return touched.hasSome(of: places, conversations: conversations) ? .refresh : .none
  }

  /// The object that the window lies around, where it is sorted by other values than before: nil while it is not, and
  /// once the object is gone. It is read whatever the batch lists: it need not be a result, and its values may be
  /// those of related objects.
  func movedPlace(_ row: SortRow, _ batch: CommitBatch) throws -> SortRow? {
    guard try batch.snapshot.shows(row.reference, question.kind) else { return nil }
    let moved = try SortRowReader(question, in: batch.snapshot).row(row.reference)
    return moved.keys == row.keys ? nil : moved
  }
}

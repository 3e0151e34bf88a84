import SatchelExecution
package import SatchelModel
import SatchelPlanning
import SatchelStorage

extension LiveQuery {
  package var commit: UInt64? { state.withLock { $0?.commit } }

  package func advance(_ batch: CommitBatch) -> Bool {
    do {
      return try state.withLock { state in
        guard let commit = state?.commit, commit < batch.last, failure == nil,
          let work = try state?.work(for: batch, residual: residual(batch.snapshot))
        else { return false }
        state?.commit = batch.last
        if case .none = work { return false }
        return try advance(&state, batch, work)
      }
    } catch {
      let failure = SatchelError.translating(error, store: feed.store.directory) as? SatchelError
      fail(failure ?? SatchelError(.io, "A live query could not be read"))
      return true
    }
  }

  package func fail(_ error: SatchelError) { shown.withLock { $0.failure = error } }

  /// - Returns: Whether the list is another.
  private func advance(_ state: inout State?, _ batch: CommitBatch, _ work: AdvanceWork) throws -> Bool {
    guard var new = state else { return false }
    // Nothing else is to refer to what is held while it changes.
    state = nil
    defer { state = new }
    let before = new.list
    var isReselected = true
    switch work {
    case .none: return false
    case .refresh: isReselected = false
    case .reselect: break
    case .plan:
      new.result = try select(new.question, new.dependencies, new.number, new.place, batch.executor)
    case .apply(let changes): new.result.apply(changes)
    }
    if case .at(let row)? = new.place, let moved = try new.movedPlace(row, batch) {
      new.place = .at(moved)
      isReselected = true
    }
    let touched = Touched(batch, new.question.kind, new.relations)
    try refresh(&new, batch.executor, isReselected: isReselected, isTouched: touched.contains)
    shown.withLock { $0.list = new.list }
    return before.total != new.list.total || !before.hasSameRows(as: new.list)
  }
}

/// What a batch makes a live query do.
enum AdvanceWork {
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

extension LiveQuery.State {
  /// What a batch makes to be done. Most batches concern few queries: this is all that they cost the others.
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

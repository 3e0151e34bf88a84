import SatchelExecution
package import SatchelModel
import SatchelPlanning
import SatchelStorage

extension LiveQuery {
  package var commit: UInt64? { state.withLock { $0?.list.commit } }

  package func advance(_ batch: CommitBatch) -> Bool {
    do {
      return try state.withLock { state in
        guard var new = state, failure == nil, new.list.commit < batch.last else { return false }
        // The old list is let go of, so that what is held can be changed in place.
        state = nil
        defer { state = new }
        let before = new.list
        try advance(&new, batch)
        let isChanged = before.total != new.list.total || !before.hasSameRows(as: new.list)
        shown.withLock { $0.list = new.list }
        return isChanged
      }
    } catch {
      let failure = SatchelError.translating(error, store: feed.store.directory) as? SatchelError
      fail(failure ?? SatchelError(.io, "A live query could not be read"))
      return true
    }
  }

  package func fail(_ error: SatchelError) { shown.withLock { $0.failure = error } }

  private func advance(_ state: inout State, _ batch: CommitBatch) throws {
    let executor = batch.executor
    var isReselected = false
    let touched = Touched(batch, state.question.kind, state.watched)
    switch state.result {
    case .indexed(let result):
      if try result.needsPlan(after: batch) {
        state.result = try select(state.question, state.dependencies, state.number, state.place, executor)
        isReselected = true
      } else {
        isReselected = try result.isConcerned(by: batch)
      }
    case .held(var result):
      if result.needsSelection(after: batch) {
        state.result = try select(state.question, state.dependencies, state.number, state.place, executor)
        isReselected = true
      } else {
        // Nothing else refers to what is held now, so it changes in place.
        state.result = .none
        defer { state.result = .held(result) }
        let changes = try result.changes(in: batch, residual: residual(batch.snapshot))
        result.apply(changes)
        isReselected = !changes.isEmpty
      }
    case .none: break
    }
    if case .at(let row)? = state.place, let moved = try movedPlace(row, state, batch) {
      state.place = .at(moved)
      isReselected = true
    }
    if isReselected || touched.hasSome(of: state.places, conversations: state.conversations) {
      try refresh(&state, executor, isReselected: isReselected, isTouched: touched.contains)
    }
    state.list.commit = batch.last
  }

  /// The object that the window lies around, where it is sorted by other values than before: nil while it is not, and
  /// once the object is gone. It is read whatever the batch lists: it need not be a result, and its values may be
  /// those of related objects.
  private func movedPlace(_ row: SortRow, _ state: State, _ batch: CommitBatch) throws -> SortRow? {
    guard try batch.snapshot.shows(row.reference, state.question.kind) else { return nil }
    let moved = try SortRowReader(state.question, in: batch.snapshot).row(row.reference)
    return moved.keys == row.keys ? nil : moved
  }
}

import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelReading

extension LiveQuery: LiveRows {
  func advance(_ batch: CommitBatch, _ work: AdvanceWork, ofLoad load: LiveState) throws -> Bool {
    try core.state.withLock { state in
      guard let state, state === load, let before = list else { return false }
      var isReselected = true
      switch work {
      case .none: return false
      case .refresh: isReselected = false
      case .reselect: break
      case .plan:
        state.result = try select(
          state.specification, state.question, state.dependencies, state.number, batch.executor)
      case .ask(let question): try ask(question, state, batch.executor)
      case .apply(let changes): state.result.apply(changes)
      }
      if let row = state.anchor?.row, let moved = try state.movedAnchor(row, batch) {
        state.anchor = state.anchor?.moved(to: moved)
        isReselected = true
      }
      let touched = try Touched(batch, state.question, state.relations, state.included)
      let new = try refreshed(
        before, state, batch.executor, isReselected: isReselected, isTouched: touched.contains)
      shown.withLock { $0.list = new }
      return before.total != new.total || before.start != new.start || !before.hasSameRows(as: new)
    }
  }

  func fail(_ error: SatchelError) { shown.withLock { $0.failure = error } }
}

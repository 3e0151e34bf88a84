import SatchelCoding
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelStorage

extension LiveQuery {
  /// Selects the results of a query, and follows them from then on. A further call can change the specification; rows
  /// that were in the list before stay the same rows.
  package func load(_ specification: Specification) throws {
    try specification.window.check()
    var isDone = false
    while !isDone {
      isDone = try feed.store.read { snapshot in
        try core.state.withLock { state in
          // If another thread has shown a later commit already, this snapshot is too old.
          if let state, state.commit > snapshot.seal.commit { return false }
          let (new, list) = try make(specification, Executor(snapshot), from: state)
          if let old = state { feed.conditions.release(old.number) }
          state = new
          shown.withLock { $0 = (list, nil) }
          return true
        }
      }
    }
    try feed.register(core)
    changed()
  }

  private func make(_ specification: Specification, _ executor: Executor, from old: LiveState?) throws -> (
    LiveState, LiveList<Value>
  ) {
    var query = specification.query
    guard query.anchor == nil else {
      throw SatchelError(
        .invalidValue,
        "A live query has no anchor of its own: give its controller a window around the object or date",
        ["query": query.description])
    }
    if case .around = specification.window, query.limit != nil || query.offset != 0 {
      throw SatchelError(
        .invalidValue, "A window around an object or a date goes with no limit or offset",
        ["query": query.description])
    }
    if case .aroundDate = specification.window, query.limit != nil || query.offset != 0 {
      throw SatchelError(
        .invalidValue, "A window around an object or a date goes with no limit or offset",
        ["query": query.description])
    }
    if !specification.showsRows { query.sort = [] }
    var question = try executor.question(query)
    question.limit = nil
    question.offset = 0
    try checkSections(specification, question)
    let watched =
      try specification.updatableProperties.map { try WatchedProperties(names: $0, of: query.kind) }
      ?? .all(of: query.kind)
    var dependencies = Dependencies(question)
    if source.residual != nil { dependencies.addOwnValue() }
    let number = feed.conditions.number(of: question.condition, question.kind)
    var isMade = false
    defer { if !isMade { feed.conditions.release(number) } }
    let anchor = try Self.anchor(of: specification, question, executor, from: old)
    let result = try select(specification, question, dependencies, number, anchor, executor)
    let state = LiveState(
      specification, question, dependencies, watched, number: number,
      commit: executor.snapshot.seal.commit, result: result, anchor: anchor)
    let before = list ?? LiveList(commit: 0, total: 0, rows: [], start: 0)
    let list = try refreshed(
      before, state, executor, isTouched: { _ in true }, isSameWatch: old?.watched == watched)
    isMade = true
    return (state, list)
  }

  private func checkSections(_ specification: Specification, _ question: Question) throws {
    guard let key = specification.sectionKey else { return }
    guard specification.query.sort.first?.path.joined(separator: ".") == key, !question.sort.isEmpty else {
      throw SatchelError(
        .invalidValue, "Sections need a query that is sorted by their key first",
        ["section": key, "sort": specification.query.sort.map(\.description).joined(separator: ", ")])
    }
  }

  func select(
    _ specification: Specification, _ question: Question, _ dependencies: Dependencies, _ number: Int,
    _ anchor: OrderPoint?, _ executor: Executor
  ) throws -> ResultSet {
    if let identifier = specification.identifier {
      return .object(try ObservedObject(identifier, question.kind, in: executor.snapshot))
    }
    if source.residual == nil, let indexed = try IndexedResult(question, dependencies, in: executor),
      anchor == nil || indexed.seeks
    {
      return .indexed(indexed)
    }
    return .held(
      try HeldResult(
        question, dependencies, number: number, residual: source.makeResidual?(executor.snapshot),
        in: executor))
  }

  /// Returns the point that a window lies around; nil for a window at the top or bottom. If the object no longer
  /// exists, a window that already lies around it, in the same order, stays where it is: it may still grow.
  private static func anchor(
    of specification: Specification, _ question: Question, _ executor: Executor, from old: LiveState?
  ) throws -> OrderPoint? {
    switch specification.window {
    case .all, .first, .last: return nil
    case .around(let identifier, _, _):
      do {
        return .at(try executor.sortRow(ofObject: identifier, question))
      } catch let error as SatchelError where error.code == .invalidValue {
        guard let old, case .around(identifier, _, _) = old.specification.window,
          old.question.kind == question.kind, old.specification.query.sort == specification.query.sort,
          let anchor = old.anchor
        else { throw error }
        return anchor
      }
    case .aroundDate(let date, _, _):
      guard let first = question.sort.first, first.property.type == .date else {
        throw SatchelError(
          .invalidValue, "A window around a date needs a date as the query's first sort key",
          ["sort": question.sort.first?.property.path.joined(separator: ".") ?? "none"])
      }
      return .date(date.microseconds)
    }
  }
}

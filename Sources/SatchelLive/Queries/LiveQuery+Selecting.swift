import SatchelCoding
import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

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
    let isWhole = query.limit == nil && query.offset == 0
    switch specification.window {
    case .all, .first, .last: break
    case .tail, .around, .aroundDate:
      guard isWhole else {
        throw SatchelError(
          .invalidValue, "A tail, or a window around an object or a date, goes with no limit or offset",
          ["query": query.description, "window": String(describing: specification.window)])
      }
    }
    if !specification.showsRows { query.sort = [] }
    var question = try executor.question(query)
    question.limit = nil
    question.offset = 0
    try checkSections(specification, question)
    let watched =
      try specification.updatableProperties.map {
        try WatchedProperties(names: $0, of: executor.queriedType(of: query))
      }
      ?? .all(of: query.kind)
    let dependencies = dependencies(of: question)
    let number = feed.conditions.number(of: question.condition, question.kind)
    var isMade = false
    defer { if !isMade { feed.conditions.release(number) } }
    let anchor = try anchor(of: specification, question, executor, from: old)
    let result = try select(specification, question, dependencies, number, executor)
    let state = LiveState(
      specification, question, dependencies, watched, number: number,
      commit: executor.snapshot.seal.commit, result: result, anchor: anchor)
    state.loads = (old?.loads ?? 0) + 1
    state.tail = try state.tail(from: old, executor)
    let before = list ?? LiveList(commit: 0, total: 0, rows: [], start: 0)
    let list = try refreshed(
      before, state, executor, isTouched: { _ in true }, isSameWatch: old?.watched == watched)
    isMade = true
    return (state, list)
  }

  private func dependencies(of question: Question) -> Dependencies {
    var dependencies = Dependencies(question)
    if source.residual != nil { dependencies.addOwnValue() }
    return dependencies
  }

  /// Has a state ask another question of the same kind and order.
  func ask(_ question: Question, _ state: LiveState, _ executor: Executor) throws {
    let dependencies = dependencies(of: question)
    let number = feed.conditions.number(of: question.condition, question.kind)
    do {
      let result = try select(state.specification, question, dependencies, number, executor)
      feed.conditions.release(state.number)
      state.ask(question, dependencies, number: number, result)
    } catch {
      feed.conditions.release(number)
      throw error
    }
  }

  private func checkSections(_ specification: Specification, _ question: Question) throws {
    guard let key = specification.sectionKey else { return }
    guard let path = try? [String](spelledPath: key), !question.sort.isEmpty,
      specification.query.sort.first.map({ SortKey($0.path) }) == SortKey(path)
    else {
      throw SatchelError(
        .invalidValue, "Sections need a query that is sorted by their key first",
        ["section": key, "sort": specification.query.sort.map(\.description).joined(separator: ", ")])
    }
  }

  func select(
    _ specification: Specification, _ question: Question, _ dependencies: Dependencies, _ number: Int,
    _ executor: Executor
  ) throws -> ResultSet {
    if let identifier = specification.identifier {
      return .object(try ObservedObject(identifier, question, in: executor.snapshot))
    }
    if source.residual == nil, let indexed = try IndexedResult(question, dependencies, in: executor),
      !specification.window.liesAtAPoint || indexed.seeks
    {
      return .indexed(indexed)
    }
    return .held(
      try HeldResult(
        question, dependencies, number: number,
        residual: source.makeResidual?(executor.snapshot, specification.query),
        in: executor))
  }
}

import SatchelCoding
import SatchelExecution
package import SatchelModel
import SatchelPlanning
package import SatchelQuery
import SatchelReading
import SatchelStorage
import Synchronization

/// A query that reports its rows by rank alone. No row is held if an index has the rows in order.
package final class RankedQuery: LiveSubject {
  private struct State: Sendable {
    var question: Question
    var dependencies: Dependencies
    var number: Int
    var result: ResultSet
    var commit: UInt64
    var total: Int
    /// Counts the deltas, so that a reader knows whether it has missed some.
    var version = 0
  }

  /// The changes that a consumer has not been told of yet.
  struct Pending: Sendable {
    var delta: RankDelta
    var sequence: UInt64
  }

  let query: QueryDescription
  private let feed: LiveFeed
  private let state = Mutex<State?>(nil)
  private let consumers = Mutex<[Int: Pending]>([:])
  private let failed = Mutex<SatchelError?>(nil)
  let waiters = ChangeWaiters()

  package init(_ query: QueryDescription, feed: LiveFeed) {
    self.query = query
    self.feed = feed
  }

  deinit {
    waiters.end()
    if let number = state.withLock({ $0?.number }) { feed.conditions.release(number) }
  }

  package var commit: UInt64? { state.withLock { $0?.commit } }
  var failure: SatchelError? { failed.withLock { $0 } }

  /// Stops following commits.
  func stop() {
    feed.unregister(self)
    waiters.end()
  }

  // MARK: Selecting

  package func load() throws {
    guard query.limit == nil, query.offset == 0, query.anchor == nil else {
      throw SatchelError(
        .invalidValue, "A virtual list is all of a query's results: it has no limit, offset or anchor",
        ["query": query.description])
    }
    try feed.store.read { snapshot in
      let executor = Executor(snapshot)
      let question = try executor.question(query)
      let dependencies = Dependencies(question)
      let number = feed.conditions.number(of: question.condition, question.kind)
      let result = try Self.select(question, dependencies, number, executor)
      let total = try result.total(in: snapshot)
      state.withLock {
        $0 = State(
          question: question, dependencies: dependencies, number: number, result: result,
          commit: snapshot.seal.commit, total: total)
      }
    }
    try feed.register(self)
  }

  private static func select(
    _ question: Question, _ dependencies: Dependencies, _ number: Int, _ executor: Executor
  ) throws -> ResultSet {
    // The parts of a message are several rows of one object: their ranks do not follow from the changed objects. Nor does the log say
    // where an object was in a declared index.
    if question.kind != .parts, let indexed = try IndexedResult(question, dependencies, in: executor),
      indexed.seeks, indexed.isOfWords
    {
      return .indexed(indexed)
    }
    return .held(try HeldResult(question, dependencies, number: number, residual: nil, in: executor))
  }

  // MARK: Advancing

  package func advance(_ batch: CommitBatch) -> Bool {
    do {
      return try state.withLock { state in
        guard var new = state, failure == nil, new.commit < batch.last else { return false }
        state = nil
        defer { state = new }
        let showing = try ResultsShowing(batch, query)
        var delta =
          try batch.renamed(new.question).map { try ask($0, &new, batch, showing) }
          ?? Self.advance(&new, batch, showing)
        if showing.areTooMany {
          delta.entries = [:]
          delta.isReset = true
        }
        new.commit = batch.last
        new.total = delta.totalAfter
        return tell(delta, sequence: batch.last)
      }
    } catch {
      let failure = SatchelError.translating(error, store: feed.store.directory) as? SatchelError
      fail(failure ?? SatchelError(.io, "A live query could not be read"))
      return true
    }
  }

  package func fail(_ error: SatchelError) { failed.withLock { $0 = error } }

  package func changed() { waiters.wake() }

  /// Asks another question of the same kind and order.
  private func ask(
    _ question: Question, _ state: inout State, _ batch: CommitBatch, _ showing: ResultsShowing
  ) throws -> RankDelta {
    let old = state
    let number = feed.conditions.number(of: question.condition, question.kind)
    state.question = question
    state.dependencies = Dependencies(question)
    state.number = number
    do {
      state.result = try Self.select(question, state.dependencies, number, batch.executor)
    } catch {
      feed.conditions.release(number)
      state = old
      throw error
    }
    feed.conditions.release(old.number)
    guard case .held(let before) = old.result, case .held(let after) = state.result else {
      return RankDelta(
        totalBefore: old.total, totalAfter: try state.result.total(in: batch.snapshot), isReset: true)
    }
    return try before.ranks(to: after, after: batch, showing)
  }

  private static func advance(
    _ state: inout State, _ batch: CommitBatch, _ showing: ResultsShowing
  ) throws -> RankDelta {
    switch state.result {
    case .indexed(let result):
      if try result.needsPlan(after: batch) || !batch.ranges.isEmpty {
        state.result = try select(state.question, state.dependencies, state.number, batch.executor)
        if let delta = try self.delta(from: result, state, batch, showing) { return delta }
        return RankDelta(
          totalBefore: state.total, totalAfter: try state.result.total(in: batch.snapshot), isReset: true)
      }
      return try result.ranks(after: batch, totalBefore: state.total, state.question.kind, showing)
    case .held(var result):
      state.result = .none
      defer { state.result = .held(result) }
      if result.needsSelection(after: batch) {
        let new = try HeldResult(
          state.question, state.dependencies, number: state.number, residual: nil, in: batch.executor)
        let delta = try result.ranks(to: new, after: batch, showing)
        result = new
        return delta
      }
      return try result.ranks(advancing: batch, showing)
    case .object, .none: return RankDelta(totalBefore: 0, totalAfter: 0)
    }
  }

  /// Returns the delta from the old plan's results to the new plan's, if the log still tells it: the plans have the
  /// same runs, or one of the lists is empty, like the list of a conversation before its first message. Otherwise nil.
  private static func delta(
    from old: IndexedResult, _ state: State, _ batch: CommitBatch, _ showing: ResultsShowing
  ) throws -> RankDelta? {
    guard batch.listsAll, batch.ranges.isEmpty else { return nil }
    let total = try state.result.total(in: batch.snapshot)
    if case .indexed(let new) = state.result, new.hasSameRuns(as: old) {
      return try new.ranks(after: batch, totalBefore: state.total, state.question.kind, showing)
    }
    if state.total == 0, total <= RankDelta.maximumEntries {
      var delta = RankDelta(totalBefore: 0, totalAfter: total)
      let rows = try state.result.rows(in: 0..<total, total: total, batch.executor)
      for (rank, row) in rows.enumerated() {
        delta.entries[row] = RankDelta.Entry(before: nil, after: rank, isChanged: false)
      }
      return delta
    }
    if total == 0 {
      let delta = try old.ranks(after: batch, totalBefore: state.total, state.question.kind, showing)
      return delta.entries.count == state.total && delta.totalAfter == 0 ? delta : nil
    }
    return nil
  }

  // MARK: Consumers

  /// Adds a delta to what the consumers have not been told yet; returns false if it changes nothing.
  private func tell(_ delta: RankDelta, sequence: UInt64) -> Bool {
    guard delta.isReset || !delta.entries.isEmpty else { return false }
    consumers.withLock { consumers in
      consumers = consumers.mapValues { Pending(delta: $0.delta.followed(by: delta), sequence: sequence) }
    }
    return true
  }

  /// Adds a consumer, and returns its number and the present total. The consumer will be told of the changes from now
  /// on.
  func subscribe() -> (number: Int, sequence: UInt64, total: Int) {
    state.withLock { state in
      let total = state?.total ?? 0
      let sequence = state?.commit ?? 0
      let number = consumers.withLock { consumers in
        let number = (consumers.keys.max() ?? 0) + 1
        consumers[number] = Pending(
          delta: RankDelta(totalBefore: total, totalAfter: total), sequence: sequence)
        return number
      }
      return (number, sequence, total)
    }
  }

  /// Takes the changes that a consumer has not been told of yet; nil if there is no such consumer.
  func take(_ number: Int) -> Pending? {
    consumers.withLock { consumers in
      guard let pending = consumers[number] else { return nil }
      consumers[number]?.delta = RankDelta(
        totalBefore: pending.delta.totalAfter, totalAfter: pending.delta.totalAfter)
      return pending
    }
  }

  // MARK: Reading

  /// Runs `body` on a snapshot of the commit that the ranks belong to, with the changes that a consumer has not been
  /// told of yet.
  func read<R>(_ consumer: Int, _ body: (Executor, ResultSet, RankDelta) throws -> R) throws -> R {
    // Another commit may come after `catchUp`: the ranks are then brought up to it first.
    while true {
      feed.catchUp()
      if let failure { throw failure }
      let result = try feed.store.read { snapshot -> R? in
        let current = state.withLock { state -> (ResultSet, RankDelta)? in
          guard let state, state.commit == snapshot.seal.commit,
            let pending = consumers.withLock({ $0[consumer] })
          else { return nil }
          return (state.result, pending.delta)
        }
        guard let (results, delta) = current else { return nil }
        return try body(Executor(snapshot), results, delta)
      }
      if let result { return result }
    }
  }

  var kind: ObjectKind { query.kind }
}

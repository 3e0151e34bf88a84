import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// The results of a query with which an object comes that a batch has changed. They are found by asking for them, because a
/// list of ranks does not know its rows.
struct ResultsShowing {
  /// The results; empty if there are too many.
  private(set) var rows: [RowReference] = []
  /// True if there are more than are worth reporting.
  private(set) var areTooMany = false

  /// - Complexity: That of a query for them, if something has changed that could come along; otherwise O(1).
  init(_ batch: CommitBatch, _ query: QueryDescription) throws {
    // Otherwise everything is read again anyway.
    guard !query.inclusions.isEmpty, batch.listsAll else { return }
    guard query.kind != .records else {
      try find(records: query, batch)
      return
    }
    var tests: [QueryPredicate] = []
    let inclusions = try query.resolvedInclusions()
    try Self.add(inclusions, [], batch, to: &tests)
    if inclusions.responses.contains(.participation) {
      guard let own = try batch.ownStates.get() else {
        areTooMany = true
        return
      }
      let names = try own.map {
        try batch.snapshot.conversationIdentifier(UInt32(truncatingIfNeeded: $0.sequence))
      }
      Self.add(["identifier"], names, to: &tests)
    }
    guard let responded = try batch.namesOfResponded(inclusions.responses) else {
      areTooMany = true
      return
    }
    for name in ["identifier", "remoteID"] { Self.add([name], responded, to: &tests) }
    guard !tests.isEmpty else { return }
    var asked = query
    asked.predicate = tests.dropFirst().reduce(tests[0]) { $0 || $1 }
    if query.predicate != .true { asked.predicate = query.predicate && asked.predicate }
    asked.sort = []
    asked.isUnordered = true
    let executor = batch.executor
    let plan = try executor.plan(executor.question(asked))
    try executor.forEach(plan, inAnyOrder: true) { row in
      rows.append(row)
      return rows.count <= RankDelta.maximumEntries
    }
    if rows.count > RankDelta.maximumEntries {
      rows = []
      areTooMany = true
    }
  }

  /// Finds the records with which something comes that a batch has changed.
  private mutating func find(records query: QueryDescription, _ batch: CommitBatch) throws {
    let executor = batch.executor
    let question = try executor.question(query)
    let paths = try query.recordInclusions(of: executor.queriedType(of: query)).map(\.steps)
    let properties = paths.flatMap { steps in
      steps.indices.map { ObjectProperty(behind: steps[...$0], ObjectProperty([], .identifier)) }
    }
    guard let found = batch.dependents(on: properties, ofType: question.recordType),
      found.count <= RankDelta.maximumEntries
    else {
      areTooMany = true
      return
    }
    rows = try found.filter { try executor.isResult($0, question) }
  }

  /// Adds a test for each place in the tree of inclusions at which something has changed.
  private static func add(
    _ inclusions: Inclusions, _ path: [String], _ batch: CommitBatch, to tests: inout [QueryPredicate]
  ) throws {
    for step in inclusions.steps {
      let path = path + [step.relation.name]
      switch step.relation {
      case .sender:
        let users = try batch.changesOfUsers.get().keys
        add(path + ["userID"], try users.map { try batch.snapshot.userText($0) }, to: &tests)
      case .conversation:
        let conversations = try batch.touchedConversations
          .filter { try batch.snapshot.findConversation($0) != nil }
        add(path, try conversations.map { try batch.snapshot.conversationIdentifier($0) }, to: &tests)
      case .lastMessage, .message, .parts: break
      }
      try add(step.next, path, batch, to: &tests)
    }
  }

  private static func add(_ path: [String], _ names: [String], to tests: inout [QueryPredicate]) {
    guard !names.isEmpty else { return }
    tests.append(.comparison(.init(path, .in, .list(names.map { .text($0) }))))
  }

  /// Returns these results and other objects, each once.
  func joined(to others: [RowReference]) -> [RowReference] {
    guard !rows.isEmpty else { return others }
    let known = Set(others)
    return others + rows.filter { !known.contains($0) }
  }
}

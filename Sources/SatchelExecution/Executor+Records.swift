import RankedIndex
package import SatchelCoding
import SatchelIndexing
package import SatchelPlanning
import SatchelReading

// Results whose order does not matter, and messages as records.
extension Executor {
  /// Calls `body` with the results of a plan, until it returns false.
  /// - Parameter inAnyOrder: True to give the results as they are read, without sorting. A plan with an anchor still
  ///   gives them in order.
  package func forEach(
    _ plan: Plan, inAnyOrder: Bool, _ body: (RowReference) throws -> Bool
  ) throws {
    guard inAnyOrder, plan.question.anchor == nil, plan.path.ordering == .sort else {
      return try forEach(plan, body)
    }
    try run(plan, sorting: false, body)
  }

  /// Calls `body` with the row of each result of a plan, as they are read: which number it is among the objects of its kind. Its limit, offset
  /// and anchor are ignored. Does not look for the conversations of messages.
  package func forEachRow(_ plan: Plan, _ body: (UInt64) throws -> Void) throws {
    try RowFilter(source(of: plan).withoutPlaces).forEach { row in
      try body(row.reference.sequence)
      return true
    }
  }

  /// Calls `body` with the records of the messages that a plan finds, until it returns false. In a write, a record is
  /// valid until the transaction's next change; in a read, until the read ends.
  /// - Parameters:
  ///   - inAnyOrder: True to give the records as they are read: in the order of the plan, or in the order of the file if
  ///     all messages of the store are scanned.
  ///   - check: Called before a result's record is looked up; an error that it throws ends the reading. It is not
  ///     called when all messages of the store are scanned.
  /// - Complexity: In any order, if the plan reads more than a quarter of all messages anyway, one step of a cursor for
  ///   each message of the store; otherwise a look-up for each result.
  package func forEachMessage(
    _ plan: Plan, inAnyOrder: Bool, checking check: () throws -> Void = {},
    _ body: (MessageHead) throws -> Bool
  ) throws {
    if inAnyOrder, try readsMostMessages(plan) { return try scanMessages(plan.question, body) }
    try forEach(plan, inAnyOrder: inAnyOrder) { row in
      try check()
      return try body(snapshot.messageHead(conversation: row.conversation, sequence: row.sequence))
    }
  }

  /// Calls `body` with the results of a plan, in order, in blocks. The first block has `first` results; each further
  /// block has four times as many as the one before, but at most `most`. If the search for more results meets damage,
  /// the results before it are given first.
  package func forEachBlock(
    _ plan: Plan, inAnyOrder: Bool, first: Int, most: Int, _ body: ([RowReference]) throws -> Void
  ) throws {
    var rows: [RowReference] = []
    var size = first
    rows.reserveCapacity(min(size, plan.question.limit ?? 64))
    var isGiving = false
    do {
      try forEach(plan, inAnyOrder: inAnyOrder) { row in
        rows.append(row)
        guard rows.count >= size else { return true }
        size = min(most, 4 * size)
        isGiving = true
        try body(rows)
        isGiving = false
        rows.removeAll(keepingCapacity: true)
        return true
      }
    } catch {
      if !isGiving, !rows.isEmpty { try body(rows) }
      throw error
    }
    if !rows.isEmpty { try body(rows) }
  }

  private func readsMostMessages(_ plan: Plan) throws -> Bool {
    let question = plan.question
    guard question.kind == .messages, question.anchor == nil, snapshot.scansVisibleMessages,
      case .scan(let scan) = plan.path.source
    else { return false }
    // A path that could not be beaten may not have been counted.
    var rows =
      try plan.path.isCounted
      ? plan.path.cardinality
      : scan.spans.reduce(0) { try $0 + snapshot.forest.count(scan.index.tree, in: $1.range) }
    if let limit = question.limit, plan.path.residual == .always {
      rows = min(rows, limit)
    }
    return try rows > snapshot.forest.count(IndexCatalog.messageCreated.tree) / 4
  }

  /// Answers a question for messages from the records alone, in the order in which the records lie.
  private func scanMessages(_ question: Question, _ body: (MessageHead) throws -> Bool) throws {
    guard question.limit != 0 else { return }
    let evaluator = ConditionEvaluator(question.condition, of: .messages, on: nil, in: snapshot)
    let testsNothing = question.condition == .always
    var context = RowContext()
    if testsNothing, question.offset == 0, question.limit == nil {
      return try snapshot.forEachVisibleMessage(body)
    }
    var limit = Limit(skipping: question.offset, count: question.limit)
    try snapshot.forEachVisibleMessage { record in
      if !testsNothing {
        context.begin(try snapshot.view(of: record))
        guard try evaluator.matches(&context) else { return true }
      }
      return try limit.pass { try body(record) }
    }
  }
}

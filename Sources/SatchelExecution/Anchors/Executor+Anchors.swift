package import SatchelModel
package import SatchelPlanning
import SatchelQuery

extension Executor {
  /// Calls `body` with the rows that a query's anchor asks for, in the query's order, until it returns false.
  func forEach(_ plan: Plan, anchoredAt anchor: QueryAnchor, _ body: (RowReference) throws -> Bool) throws {
    let question = plan.question
    switch anchor {
    case .after(let identifier):
      try run(plan, from: try cuttingPoint(identifier, question), body)
    case .before(let identifier):
      let start = try cuttingPoint(identifier, question)
      let backwards =
        try plan.reversed.map { try rows($0, from: start.reversed) }
        ?? rows(question.reversed, from: start.reversed, limit: question.limit, offset: question.offset)
      for row in backwards.reversed() {
        guard try body(row) else { return }
      }
    case .around(let identifier, let before, let after):
      let start = try startingPoint(identifier, question)
      let earlier = try rows(question.reversed, from: start.reversed, limit: before)
      guard case .object(let row, isResult: true) = start.anchor else {
        throw try notHeldError(identifier, question.kind)
      }
      try give(
        earlier.reversed() + [row.reference] + rows(question, from: start, limit: after), question, body)
    case .aroundDate(let date, let before, let after):
      if question.isByPosition {
        let results = try ResultsByRank(question, self)
        let rank = try rank(of: date, in: question, results)
        let end = rank + min(after, results.count - rank)
        return try give(results.rows(in: max(0, rank - before)..<end), question, body)
      }
      guard question.sort.first?.property.type == .date else { throw question.noDateError }
      let point = StartingPoint.Anchor.date(date.microseconds)
      let forward = StartingPoint(anchor: point, isInclusive: true, sort: question.sort, kind: question.kind)
      let backward = StartingPoint(
        anchor: point, isInclusive: false, sort: question.sort, kind: question.kind)
      let earlier = try rows(question.reversed, from: backward.reversed, limit: before)
      try give(earlier.reversed() + rows(question, from: forward, limit: after), question, body)
    }
  }

  /// Returns how many results lie after or before the anchor, with limit and offset applied, if they are runs of an
  /// index that each have the query's order; nil if they have to be read.
  /// - Complexity: O(log n) for each run.
  func countBesideAnchor(_ plan: Plan) throws -> Int? {
    let question = plan.question
    var path = plan.path
    guard path.isRunsInOrder else { return nil }
    var start: StartingPoint
    switch question.anchor {
    case .after(let identifier)?: start = try cuttingPoint(identifier, question)
    case .before(let identifier)?:
      start = try cuttingPoint(identifier, question).reversed
      path.ordering = path.ordering.reversed
    default: return nil
    }
    guard let all = try count(path, from: start) else { return nil }
    return min(max(0, all - question.offset), question.limit ?? .max)
  }

  /// Returns how many rows a path has from a starting point on; nil if they have to be read.
  func count(_ path: AccessPath, from start: StartingPoint) throws -> Int? {
    switch path.ordering {
    case .sort: return nil
    case .index(let descending):
      switch (path.source, start.cut(of: path)) {
      case (.scan(let scan), .words(let cut)?):
        return try IndexScanner(scan, in: snapshot).ranges(descending: descending, from: cut)
          .reduce(0) { try $0 + snapshot.forest.count(scan.index.tree, in: $1) }
      case (.textScan(let scan), .texts(let cut)?):
        return try TextScanner(scan, in: snapshot).ranges(descending: descending, from: cut)
          .reduce(0) { try $0 + snapshot.forest.count(scan.tree, in: $1) }
      default: return nil
      }
    case .merge(let descending):
      guard case .scan(let scan) = path.source else { return nil }
      // A run need not be the one that the object is in.
      var point = start
      if case .object(let row, _) = start.anchor { point.anchor = .object(row, isResult: false) }
      var count = 0
      for span in scan.spans {
        var run = path
        var part = scan
        part.spans = [span]
        run.source = .scan(part)
        run.ordering = .index(descending: descending)
        guard let rows = try self.count(run, from: point) else { return nil }
        count += rows
      }
      return count
    }
  }

  private func give(_ rows: [RowReference], _ question: Question, _ body: (RowReference) throws -> Bool)
    throws
  {
    for row in rows.dropFirst(question.offset).prefix(question.limit ?? .max) {
      guard try body(row) else { return }
    }
  }

  /// Returns the rows from a starting point on.
  private func rows(_ question: Question, from start: StartingPoint, limit: Int?, offset: Int = 0) throws
    -> [RowReference]
  {
    var question = question
    question.anchor = nil
    question.limit = limit
    question.offset = offset
    return try rows(try plan(question), from: start)
  }

  private func rows(_ plan: Plan, from start: StartingPoint) throws -> [RowReference] {
    var rows: [RowReference] = []
    rows.reserveCapacity(min(plan.question.limit ?? 0, 64))
    try run(plan, from: start) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// Returns the starting point just after an object, for a cut alone. In the order of creation nobody has to know whether the object is a
  /// result: each is before or behind it by its sequence.
  private func cuttingPoint(_ identifier: String, _ question: Question) throws -> StartingPoint {
    guard question.sort.isEmpty else { return try startingPoint(identifier, question) }
    return StartingPoint(
      anchor: .object(try sortRow(ofObject: identifier, question), isResult: false), isInclusive: false,
      sort: [], kind: question.kind)
  }

  /// Returns the starting point just after an object.
  func startingPoint(_ identifier: String, _ question: Question) throws -> StartingPoint {
    let row = try sortRow(ofObject: identifier, question)
    let isResult = try isResult(row.reference, question)
    return StartingPoint(
      anchor: .object(row, isResult: isResult), isInclusive: false, sort: question.sort, kind: question.kind)
  }

  /// Returns an object of a question's kind, which need not be a result, with its sort values.
  /// - Throws: ``SatchelError`` `invalidValue` if the user sees no such object.
  package func sortRow(ofObject identifier: String, _ question: Question) throws -> SortRow {
    guard let reference = try locate(identifier, question) else {
      throw SatchelError(
        .invalidValue, "The object that a query is anchored at does not exist",
        ["identifier": identifier, "kind": question.kind.rawValue])
    }
    return try SortRowReader(question, in: snapshot).row(reference)
  }

  /// Returns the error for an object that is to be shown in a list which does not hold it.
  package func notHeldError(_ identifier: String, _ kind: ObjectKind) throws -> SatchelError {
    var context = ["identifier": identifier, "kind": kind.rawValue]
    if kind == .messages || kind == .parts, let row = try snapshot.locate(identifier, kind) {
      context["conversation"] = try snapshot.conversation(row.conversation).identifier()
    }
    return SatchelError(
      .invalidValue,
      "The list does not hold the object that it is to be shown around: look for it in the list of its own conversation, or in one without a filter",
      context)
  }
}

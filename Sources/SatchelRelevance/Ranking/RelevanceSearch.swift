import SatchelExecution
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading
import SatchelSearch

/// A search by relevance: what a query finds, in the order of how well it matches the patterns of its conditions. A pattern that names fields is one
/// for each of them; what stands behind a NOT is none, nor is what other objects have to match, such as a sender's name. The score of an object is the sum of those by each pattern.
struct RelevanceSearch {
  private let question: Question
  private let executor: Executor
  private let patterns: [RankedPattern]
  /// Whether all that is found matches each of the patterns: then it has texts of which an index has the words.
  private let areRequired: Bool

  private var snapshot: Snapshot { executor.snapshot }

  /// Checks a question.
  /// - Returns: nil if its condition is true of no object.
  /// - Throws: ``SatchelError`` `invalidValue` for a question with an order or an anchor, without a pattern, for parts or for members;
  ///   `notAvailable` if there is no index of the words of one.
  init?(_ question: Question, _ executor: Executor) throws {
    guard question.sort.isEmpty, question.anchor == nil else {
      throw SatchelError(
        .invalidValue,
        "A search has an order of its own, by relevance: leave out sort keys and anchors, or fetch the query",
        ["query": question.text])
    }
    guard question.kind != .parts, question.membersOf == nil else {
      throw SatchelError(
        .invalidValue,
        "No index has the words of parts, or of the members of one conversation: search messages by parts.text, or identities",
        ["query": question.text])
    }
    if question.condition.isNever { return nil }
    let conditions = if case .all(let list) = question.condition { list } else { [question.condition] }
    let all = Self.tests(in: question.condition)
    let counted = all.filter { $0.test.property.mayHaveWords }
    let tests = counted.isEmpty ? all : counted
    guard !tests.isEmpty else {
      throw SatchelError(
        .invalidValue,
        "A search has a pattern: one of its conditions is MATCHES-TEXT, such as parts.text MATCHES-TEXT 'noon'",
        ["query": question.text])
    }
    areRequired = tests.allSatisfy { conditions.contains(.test($0.test)) }
    patterns = try tests.map {
      try RankedPattern($0.pattern, of: $0.test.property, question, executor, meeting: conditions)
    }
    self.question = question
    self.executor = executor
  }

  /// Returns the tests of patterns of a condition, without those that have to fail.
  private static func tests(in condition: Condition) -> [(test: Test, pattern: SearchPattern)] {
    switch condition {
    case .all(let conditions), .any(let conditions): return conditions.flatMap(tests)
    case .test(let test):
      guard !test.isNegated,
        case .text(.pattern(.search(let pattern), complement: false), missing: false) = test.values
      else { return [] }
      return [(test, pattern)]
    case .always, .never, .pair, .elements: return []
    }
  }

  // MARK: Results

  /// Returns the best results within the question's limit and offset, and their scores.
  /// - Complexity: As documented of `StoreSnapshot.search(_:)`.
  func best() throws -> [(reference: RowReference, score: Double)] {
    let limit = question.limit ?? .max
    let (most, overflow) = limit.addingReportingOverflow(question.offset)
    var best = BestRows(atMost: overflow ? .max : most)
    let rows = try foundRows()
    let ranked = patterns.filter(\.isRanked)
    if let first = ranked.first, ranked.count == 1, areRequired {
      try first.rank(rows, &best)
    } else if ranked.isEmpty {
      for row in rows.prefix(overflow ? .max : most) { best.insert(.init(score: 0, row: row)) }
    } else {
      var scores = [Double](repeating: 0, count: rows.count)
      for pattern in ranked { try pattern.addScores(of: rows, to: &scores) }
      for (row, score) in zip(rows, scores) { best.insert(.init(score: score, row: row)) }
    }
    var places = question.kind == .messages ? try MessagePlaces(snapshot) : nil
    var results: [(reference: RowReference, score: Double)] = []
    for row in best.sorted().dropFirst(question.offset) {
      let conversation = try places?.conversation(of: row.row) ?? question.recordType
      results.append((RowReference(sequence: row.row, conversation: conversation), row.score))
    }
    return results
  }

  /// Returns the first text of an object that matches a pattern, of the first property that has one, and what is looked for in that property. If no
  /// text matches alone, it is empty.
  func match(of reference: RowReference) throws -> (text: String, pattern: SearchPattern) {
    for (place, first) in patterns.enumerated() {
      guard !patterns[..<place].contains(where: { $0.property == first.property }) else { continue }
      let own = patterns.filter { $0.property == first.property }.map(\.pattern)
      var found: String?
      try ObjectTexts(of: first.property, question.kind, in: snapshot).forEach(of: reference) { text in
        guard own.contains(where: { $0.matches(text) }) else { return true }
        found = text
        return false
      }
      if let found { return (found, .all(own)) }
    }
    return ("", .all(patterns.map(\.pattern)))
  }

  /// Returns the rows of all objects that are found, ascending.
  private func foundRows() throws -> [UInt64] {
    var all = question
    all.limit = nil
    all.offset = 0
    var rows: [UInt64] = []
    try executor.forEachRow(executor.plan(all)) { rows.append($0) }
    if !zip(rows, rows.dropFirst()).allSatisfy({ $0 < $1 }) { rows.sort() }
    return rows
  }
}

extension ObjectProperty {
  /// Whether an index may have the words of its texts: those of the object itself, as indexes have.
  fileprivate var mayHaveWords: Bool {
    if case .referenced = field { return false }
    return (type == .text || type == .custom) && (relations.isEmpty || relations == [.parts])
  }
}

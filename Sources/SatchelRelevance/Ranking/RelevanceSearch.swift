import SatchelExecution
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading
import SatchelSearch

/// A search by relevance: what a query finds, in the order of how well it matches the pattern of its one condition that has one.
struct RelevanceSearch {
  /// The pattern, and the property whose texts match it.
  let pattern: SearchPattern
  let property: ObjectProperty
  private let question: Question
  private let executor: Executor
  private let wanted: [Wanted]
  /// Nil if nothing is wanted: then all are equally good.
  private let words: IndexedWords?

  private var snapshot: Snapshot { executor.snapshot }

  /// A word or a phrase that texts are to have.
  private struct Wanted {
    /// It alone.
    let pattern: SearchPattern
    let source: Source

    /// Where it is found how often an object has it.
    enum Source {
      case term([UInt8])
      /// All terms that begin so.
      case prefix([UInt8])
      /// The texts: those of phrases, of parts of words, and of words that are longer than terms.
      case texts
    }

    init(_ pattern: SearchPattern) {
      self.pattern = pattern
      source =
        switch pattern.expression {
        case .term(let term): .term(term)
        case .prefix(let prefix): .prefix(prefix)
        default: .texts
        }
    }

    var isRead: Bool { if case .texts = source { true } else { false } }
  }

  /// Checks a question.
  /// - Returns: nil if its condition is true of no object.
  /// - Throws: ``SatchelError`` `invalidValue` for a question with an order or an anchor, with none or several patterns, for parts or for members;
  ///   `notAvailable` if there is no index of the words.
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
    let searches = conditions.compactMap(Self.search)
    guard searches.count == 1 else {
      throw SatchelError(
        .invalidValue,
        "A search is for one pattern: of the conditions that all have to be true, exactly one is MATCHES-TEXT, such as parts.text MATCHES-TEXT 'noon'",
        ["query": question.text, "patterns": String(searches.count)])
    }
    (property, pattern) = searches[0]
    self.question = question
    self.executor = executor
    wanted = pattern.wanted.map(Wanted.init)
    words =
      wanted.isEmpty
      ? nil
      : try IndexedWords(
        of: property, question.kind, recordType: question.recordType, meeting: conditions,
        in: executor.snapshot)
    guard wanted.isEmpty || words != nil else {
      throw SatchelError(
        .notAvailable,
        "An order by relevance counts words in an index, and there is no complete one of these objects and texts: declare an index with the column",
        ["kind": question.kind.rawValue, "column": "words " + property.path.spelledPath])
    }
  }

  private static func search(_ condition: Condition) -> (ObjectProperty, SearchPattern)? {
    guard case .test(let test) = condition, !test.isNegated,
      case .text(.pattern(.search(let pattern), complement: false), missing: false) = test.values
    else { return nil }
    return (test.property, pattern)
  }

  // MARK: Results

  /// Returns the best results within the question's limit and offset, and their scores.
  /// - Complexity: As documented of `StoreSnapshot.search(_:)`.
  func best() throws -> [(reference: RowReference, score: Double)] {
    let limit = question.limit ?? .max
    let (most, overflow) = limit.addingReportingOverflow(question.offset)
    var best = BestRows(atMost: overflow ? .max : most)
    let rows = try foundRows()
    if let words {
      try rank(rows, by: words, &best)
    } else {
      for row in rows.prefix(overflow ? .max : most) { best.insert(.init(score: 0, row: row)) }
    }
    var places = question.kind == .messages ? try MessagePlaces(snapshot) : nil
    var results: [(reference: RowReference, score: Double)] = []
    for row in best.sorted().dropFirst(question.offset) {
      let conversation = try places?.conversation(of: row.row) ?? question.recordType
      results.append((RowReference(sequence: row.row, conversation: conversation), row.score))
    }
    return results
  }

  /// Returns the first text of an object that matches; nil if none does alone.
  func text(of reference: RowReference) throws -> String? {
    var found: String?
    try ObjectTexts(of: property, question.kind, in: snapshot).forEach(of: reference) { text in
      guard pattern.matches(text) else { return true }
      found = text
      return false
    }
    return found
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

  // MARK: Scores

  /// How many frequencies are held at a time.
  private static let mostFrequencies = 1 << 22

  private func rank(_ rows: [UInt64], by words: IndexedWords, _ best: inout BestRows) throws {
    guard !rows.isEmpty else { return }
    let objects = try words.countOfObjects()
    let relevance = Relevance(
      objects: objects, averageLength: Double(try words.totalLength()) / Double(max(1, objects)),
      counts: try wanted.map { try count($0, words, found: rows.count) })
    let step = max(1, Self.mostFrequencies / wanted.count)
    for start in stride(from: 0, to: rows.count, by: step) {
      let table = try frequencies(of: rows[start..<min(rows.count, start + step)], words)
      try score(table, relevance, words, &best)
    }
  }

  /// Returns how many objects of the index have a word or a phrase.
  private func count(_ wanted: Wanted, _ words: IndexedWords, found: Int) throws -> Int {
    if case .term(let term) = wanted.source { return try words.count(of: term) }
    var alone = question
    alone.condition = .conjunction(
      words.index.conditions + [
        .test(Test(property, .text(.pattern(.search(wanted.pattern), complement: false), missing: false)))
      ])
    if alone.condition == question.condition { return found }
    alone.limit = nil
    alone.offset = 0
    alone.isCount = true
    return try executor.count(executor.plan(alone))
  }

  private func frequencies(of rows: ArraySlice<UInt64>, _ words: IndexedWords) throws -> FrequencyTable {
    var table = FrequencyTable(rows, columns: wanted.count)
    for (column, wanted) in wanted.enumerated() {
      switch wanted.source {
      case .term(let term):
        try words.forEachRow(of: term, in: rows[rows.startIndex]...rows[rows.endIndex - 1]) {
          table.add(1, to: $0, column: column)
        }
        try words.forEachFrequency(of: term, isPrefix: false) {
          table.add($1 - 1, to: $0, column: column)
        }
      case .prefix(let prefix):
        try words.forEachRow(withPrefix: prefix) { table.add(1, to: $0, column: column) }
        try words.forEachFrequency(of: prefix, isPrefix: true) {
          table.add($1 - 1, to: $0, column: column)
        }
      case .texts: break
      }
    }
    if wanted.contains(where: \.isRead) { try countInTexts(&table) }
    return table
  }

  /// Counts what the terms do not say, by reading the texts of the objects.
  private func countInTexts(_ table: inout FrequencyTable) throws {
    let texts = ObjectTexts(of: property, question.kind, in: snapshot)
    var matchers = wanted.enumerated().filter(\.element.isRead).map {
      (column: $0.offset, matcher: SearchMatcher($0.element.pattern.tree))
    }
    var places = question.kind == .messages ? try MessagePlaces(snapshot) : nil
    for (number, row) in table.rows.enumerated() {
      if number % 256 == 0 { try snapshot.checkBounds() }
      let conversation = try places?.conversation(of: row) ?? question.recordType
      try texts.forEach(of: RowReference(sequence: row, conversation: conversation)) { text in
        for index in matchers.indices {
          let count = matchers[index].matcher.frequencies(in: text).reduce(0, +)
          table.add(count, to: row, column: matchers[index].column)
        }
        return true
      }
    }
  }

  /// Scores the objects block by block, and reads of each block no more lengths than may lead to one of the best.
  private func score(
    _ table: FrequencyTable, _ relevance: Relevance, _ words: IndexedWords, _ best: inout BestRows
  ) throws {
    var lengths = try LengthReader(words, in: snapshot)
    let rows = table.rows
    var greatest = [UInt8](repeating: 0, count: wanted.count)
    var start = rows.startIndex
    while start < rows.endIndex {
      let block = LengthReader.block(of: rows[start])
      var end = start
      for column in greatest.indices { greatest[column] = 0 }
      while end < rows.endIndex, LengthReader.block(of: rows[end]) == block {
        for (column, frequency) in table.frequencies(at: end).enumerated() {
          greatest[column] = max(greatest[column], frequency)
        }
        end += 1
      }
      var left = end - start
      try lengths.forEachLength(ofBlock: block) { length, ofLength in
        // Longer texts are worse.
        let greatest = relevance.score(greatest[...], length: length)
        if best.excludes(.init(score: greatest, row: rows[start])) { return false }
        var place = start
        for row in ofLength {
          while place < end, rows[place] < row { place += 1 }
          guard place < end else { break }
          guard rows[place] == row else { continue }
          best.insert(.init(score: relevance.score(table.frequencies(at: place), length: length), row: row))
          left -= 1
        }
        return left > 0
      }
      start = end
      try snapshot.checkBounds()
    }
  }
}

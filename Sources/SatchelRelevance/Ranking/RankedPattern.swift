import SatchelExecution
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading
import SatchelSearch

/// A pattern of a search by relevance, of the texts of one property: how well objects match it, by an index of the words.
struct RankedPattern {
  let pattern: SearchPattern
  let property: ObjectProperty
  private let question: Question
  private let executor: Executor
  private let wanted: [Wanted]
  /// Nil if nothing is wanted: then all are equally good.
  private let words: IndexedWords?

  private var snapshot: Snapshot { executor.snapshot }

  /// Whether some objects match better than others.
  var isRanked: Bool { words != nil }

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

  /// - Parameter conditions: What is true of all objects that are found.
  /// - Throws: ``SatchelError`` `notAvailable` if there is no index of the words.
  init(
    _ pattern: SearchPattern, of property: ObjectProperty, _ question: Question, _ executor: Executor,
    meeting conditions: [Condition]
  ) throws {
    self.pattern = pattern
    self.property = property
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

  // MARK: Scores

  /// How many frequencies are held at a time.
  private static let mostFrequencies = 1 << 22

  /// Scores objects that all match, and keeps the best. Those whose lengths alone say that they are none are passed over.
  /// - Parameter rows: Ascending.
  func rank(_ rows: [UInt64], _ best: inout BestRows) throws {
    try forEachTable(of: rows) { table, relevance, words in
      try score(
        table, relevance, words, isHopeless: { best.excludes(.init(score: $0, row: rows[$1])) },
        { best.insert(.init(score: $1, row: rows[$0])) })
    }
  }

  /// Adds the scores of objects, of which some need not match. One without a text has none to add.
  /// - Parameter rows: Ascending.
  func addScores(of rows: [UInt64], to scores: inout [Double]) throws {
    try forEachTable(of: rows) { table, relevance, words in
      try score(table, relevance, words, isHopeless: { _, _ in false }, { scores[$0] += $1 })
    }
  }

  private func forEachTable(
    of rows: [UInt64], _ body: (FrequencyTable, Relevance, IndexedWords) throws -> Void
  ) throws {
    guard let words, !rows.isEmpty else { return }
    let objects = try words.countOfObjects()
    let relevance = Relevance(
      objects: objects, averageLength: Double(try words.totalLength()) / Double(max(1, objects)),
      counts: try wanted.map { try count($0, words, found: rows.count) })
    let step = max(1, Self.mostFrequencies / wanted.count)
    for start in stride(from: 0, to: rows.count, by: step) {
      let table = try frequencies(of: rows[start..<min(rows.count, start + step)], words)
      try body(table, relevance, words)
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
  /// - Parameters:
  ///   - isHopeless: Whether no object from a place on can be one of the best, by the greatest score that one may have.
  ///   - give: Takes the place of an object and its score.
  private func score(
    _ table: FrequencyTable, _ relevance: Relevance, _ words: IndexedWords,
    isHopeless: (Double, Int) -> Bool, _ give: (Int, Double) -> Void
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
        if isHopeless(greatest, start) { return false }
        var place = start
        for row in ofLength {
          while place < end, rows[place] < row { place += 1 }
          guard place < end else { break }
          guard rows[place] == row else { continue }
          give(place, relevance.score(table.frequencies(at: place), length: length))
          left -= 1
        }
        return left > 0
      }
      start = end
      try snapshot.checkBounds()
    }
  }
}

extension Predicate.Comparison {
  /// What MATCHES-TEXT looks for, if it names fields.
  func questionOfFields() throws -> SearchQuestion? {
    guard operation == .matchesText, case .string(let text) = operand,
      let question = try SearchQuestion(text),
      question.namesFields
    else { return nil }
    return question
  }
}

/// A pattern that names fields: what stands together and names none is about one text of the property that the comparison names, and each name
/// begins a test of its own.
struct FieldSearch {
  private let comparison: Predicate.Comparison
  private let shortNames: [String: String]
  private let column: (PropertyPath) throws -> Column

  /// - Parameter kind: Nil for elements.
  init(
    _ comparison: Predicate.Comparison, _ kind: ObjectKind?,
    _ column: @escaping (PropertyPath) throws -> Column
  ) {
    self.comparison = comparison
    self.column = column
    shortNames =
      switch kind {
      case .conversations?: ["title": "metadata.title"]
      case .messages?, .announcements?: ["text": "parts.text"]
      case .identities?: ["name": "displayName"]
      case .parts?, .records?, nil: [:]
      }
  }

  func test(_ question: SearchQuestion) throws -> RowTest {
    switch comparison.quantifier {
    case .everyElement?: throw comparison.unsupported("a pattern with fields is about an object")
    case .noElement?: NotTest(try test(question, nil))
    case .anyElement?, nil: try test(question, nil)
    }
  }

  private func test(_ question: SearchQuestion, _ field: String?) throws -> RowTest {
    guard question.namesFields else { return try words(question, field) }
    func tests(_ questions: [SearchQuestion], _ join: ([SearchQuestion]) -> SearchQuestion) throws
      -> [RowTest]
    {
      let own = questions.filter { !$0.namesFields }
      return try (own.isEmpty ? [] : [words(join(own), field)])
        + questions.filter(\.namesFields).map { try test($0, field) }
    }
    switch question {
    case .leaf: return try words(question, field)
    case .all(let questions): return AllTest(try tests(questions, SearchQuestion.all))
    case .any(let questions):
      return NotTest(AllTest(try tests(questions, SearchQuestion.any).map(NotTest.init)))
    case .none(let question): return NotTest(try test(question, field))
    case .field(let name, let question): return try test(question, name)
    }
  }

  private func words(_ question: SearchQuestion, _ field: String?) throws -> RowTest {
    var comparison = comparison
    if let field { comparison.path = PropertyPath(shortNames[field] ?? field) }
    comparison.quantifier = field == nil && comparison.quantifier != nil ? .anyElement : nil
    let column = try column(comparison.path)
    guard [.text, .exact, .custom].contains(column.type) else {
      throw comparison.unsupported("the property has no text")
    }
    let holds: Predicate.Comparison.ValueTest = { rank in
      column.searchText(at: rank).map(question.holds) ?? false
    }
    return try comparison.rowTest(on: column, holds, false)
  }
}

import TestSupport
import Testing

@Suite("SQLite as a second opinion")
struct SQLiteTests {
  @Test(arguments: RuleTable.all)
  func sqliteGivesTheAnswersFoundByHand(_ rule: Rule) throws {
    let judge = try SQLiteJudge(SampleData.model())
    let answer = Result { try judge.run(rule.query) }
    // A pattern that names fields is several conditions, which have rules of their own.
    if case .failure(let error as Untranslated) = answer, error.form == Untranslated.fieldsOfPattern {
      return
    }
    #expect(DifferentialRun.difference(.identifiers(rule.expected), answer) == nil)
  }

  /// An engine and a model that are wrong in the same way are found out, and by nothing but SQLite.
  @Test func whatModelAndEngineHaveWrongInCommonIsSeen() throws {
    let seed = TestEnvironment.seed(for: "model and engine alike")
    let lines = SampleData.generated(seed: seed)
    let model = ReferenceModel(user: SampleData.user, lines: lines)
    let other = ReferenceModel(user: SampleData.user, lines: lines)
    for message in other.messages.values { other.messages[message.identifier]?.isUnread.toggle() }
    func differences(_ judge: SQLiteJudge?) throws -> Int {
      let engine = ModelEngine(snapshot: model.snapshot)
      return try DifferentialRun.run(300, seed: seed, on: model.snapshot, against: engine, judge: judge)
        .differenceCount
    }
    #expect(try differences(nil) == 0)
    #expect(try differences(SQLiteJudge(model)) == 0)
    #expect(try differences(SQLiteJudge(other)) > 0)
  }

  @Test func everyQueryIsTranslatedOrCounted() throws {
    let seed = TestEnvironment.seed(for: "translated queries")
    let model = ReferenceModel(user: SampleData.user, lines: SampleData.generated(seed: seed))
    let report = try DifferentialRun.run(
      600, seed: seed, on: model.snapshot, against: ModelEngine(snapshot: model.snapshot),
      judge: SQLiteJudge(model))
    #expect(report.judged + report.untranslated == report.queries)
    #expect(report.differences == [])
    let judge = try SQLiteJudge(model)
    // What makes no sense is no query that SQLite answers with nothing.
    #expect(throws: Untranslated.self) {
      try judge.run(GeneratedQuery(kind: "messages", predicate: "colour = 1"))
    }
    #expect(throws: Untranslated.self) {
      try judge.run(GeneratedQuery(kind: "conversations", predicate: "participants < {'bob'}"))
    }
  }

  @Test func foldingByPropertiesOfScalarsIsThatOfTheFile() {
    let different = (UInt32(0)..<0x20000).filter { value in
      guard let scalar = Unicode.Scalar(value) else { return false }
      let text = ByteString(scalars: [scalar])
      return SQLiteTexts.caseless(text) != text.caseFolded
    }
    #expect(different == [])
  }
}

/// The model as the engine under test.
private struct ModelEngine: QueryEngine {
  let snapshot: Snapshot

  func run(_ query: GeneratedQuery) throws -> EngineAnswer { try snapshot.answer(query) }
}

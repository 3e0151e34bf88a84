import TestSupport
import Testing

@Suite("Stretches beside an anchor")
struct AnchorTests {
  @Test func theStoreGivesTheModelsStretches() throws {
    let seed = TestEnvironment.seed(for: "anchors")
    let lines = SampleData.generated(seed: seed)
    let model = ReferenceModel(user: SampleData.user, lines: lines)
    let temporary = try TemporaryStore(lines: lines, user: SampleData.user)
    try model.takeDates(from: temporary.store)
    let engine = StoreEngine(temporary.store, comparesPaths: true, indexSeed: seed &+ 1)
    let report = try DifferentialRun.run(
      max(TestSettings.queries, 2_000), seed: seed, on: model.snapshot, against: engine, anchored: true,
      judge: SQLiteJudge(model))
    print(report.summary)
    #expect(report.differences == [])
    #expect(report.untranslated * 10 < report.queries, "SQLite should be asked nine queries of ten")
    #expect(report.nonEmpty > report.queries / 4, "many stretches should hold something")
  }

  @Test func stretchesOfTheModelAreThoseCountedByHand() throws {
    let snapshot = SampleData.model().snapshot
    var query = GeneratedQuery(kind: "messages", sort: ["position"])
    let all = try Self.identifiers(snapshot, query)
    query.limit = 2
    query.offset = 1
    query.anchor = .after(all[2])
    #expect(try Self.identifiers(snapshot, query) == Array(all[4...5]))
    query.anchor = .before(all[5])
    #expect(try Self.identifiers(snapshot, query) == Array(all[2...3]))
    query.limit = nil
    query.offset = nil
    query.anchor = .around(all[3], before: 1, after: 2)
    #expect(try Self.identifiers(snapshot, query) == Array(all[2...5]))
    query.predicate = "NOT (identifier = '\(all[3])')"
    #expect(throws: QueryError.self) { try Self.identifiers(snapshot, query) }
    query.anchor = .after(all[3])
    #expect(try Self.identifiers(snapshot, query).prefix(2) == [all[4], all[5]])
  }

  private static func identifiers(_ snapshot: Snapshot, _ query: GeneratedQuery) throws -> [String] {
    if case .identifiers(let identifiers) = try snapshot.answer(query) { identifiers } else { [] }
  }
}

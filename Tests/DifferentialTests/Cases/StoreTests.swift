import Foundation
import SatchelCare
import SatchelStorage
import TestSupport
import Testing

@Suite("The store against the reference model")
struct StoreTests {
  @Test(arguments: RuleTable.all)
  func theStoreGivesTheAnswersFoundByHand(_ rule: Rule) throws {
    let temporary = try TemporaryStore(
      lines: SampleData.accepted + "\n" + SampleData.rejected, user: SampleData.user)
    let engine = StoreEngine(temporary.store, comparesPaths: true)
    let answer = Result { try engine.run(rule.query) }
    #expect(DifferentialRun.difference(.identifiers(rule.expected), answer) == nil)
  }

  /// Half of the queries each, of two samples at once: they take a core long.
  @Test func theStoreAgreesWithTheModelOnTheSample() async throws {
    let seed = TestEnvironment.seed(for: "store against model, sample")
    let half = max(TestSettings.queries, 20_000) / 2
    async let first: Void = Self.expectAgreement(half, seed: seed)
    async let second: Void = Self.expectAgreement(half, seed: seed ^ 1 << 32)
    _ = try await (first, second)
  }

  private static func expectAgreement(_ queries: Int, seed: UInt64) async throws {
    let lines = SampleData.generated(seed: seed)
    let model = ReferenceModel(user: ByteString(SampleData.user))
    let rejected = model.load(Array(lines.utf8))
    let temporary = try TemporaryStore(lines: lines, user: SampleData.user)
    #expect(temporary.imported.rejected == rejected.count)
    try model.takeDates(from: temporary.store)
    // The lines have declared the types as the library has them.
    try await temporary.store.enable(.reactions, .threads, .participations)
    #expect(try ResponseComparison.differences(model.snapshot, temporary.store) == [])
    let engine = StoreEngine(temporary.store, comparesPaths: true, indexSeed: seed &+ 1)
    let report = try DifferentialRun.run(
      queries, seed: seed, on: model.snapshot, against: engine, judge: SQLiteJudge(model))
    print(
      "\(report.summary), \(engine.pathsCompared) other paths compared, \(engine.declaredCompared) of them of",
      "\(engine.indexes?.count ?? 0) declared indexes")
    #expect(report.differences == [])
    #expect(report.untranslated * 10 < report.queries, "SQLite should be asked nine queries of ten")
    #expect(report.responses * 20 > report.queries, "a twentieth should be about reactions and the like")
    // How many paths of declared indexes there are follows from the few indexes that the seed declares: mostly a tenth of the queries or more.
    #expect(engine.pathsCompared > report.queries && engine.declaredCompared > report.queries / 50)
    let verification = try temporary.store.base.read { try Verifier.verify($0) }
    #expect(verification.faults == [])
  }

  @Test(
    "The store agrees with the model on the corpus named by SATCHEL_CORPUS",
    .enabled(if: TestSettings.corpus != nil))
  func theStoreAgreesWithTheModelOnTheCorpus() throws {
    let corpus = try #require(TestSettings.corpus)
    let model = ReferenceModel(user: ByteString(corpus.user))
    let rejected = model.load([UInt8](try Data(contentsOf: URL(fileURLWithPath: corpus.path))))
    let temporary = try TemporaryStore(file: corpus.path, user: corpus.user)
    #expect(temporary.imported.rejected == rejected.count)
    #expect(temporary.imported.messages == model.messages.count)
    try model.takeDates(from: temporary.store)
    let seed = TestEnvironment.seed(for: "store against model, corpus")
    let engine = StoreEngine(temporary.store, comparesPaths: TestSettings.comparesPaths)
    let report = try DifferentialRun.run(
      TestSettings.queries, seed: seed, on: model.snapshot, against: engine,
      judge: TestSettings.asksSQLite ? SQLiteJudge(model) : nil)
    print(
      "\(report.nonEmpty) answers not empty, \(report.selective) of those selective,",
      "\(engine.pathsCompared) other paths compared")
    print(report.summary)
    for difference in report.differences { print(difference) }
    #expect(report.differences == [])
  }
}

import Foundation
import TestSupport
import Testing

/// An engine that is right but for one thing, to see that the comparison sees it.
private struct FlawedEngine: QueryEngine {
  let snapshot: Snapshot
  let flaw: @Sendable (GeneratedQuery, EngineAnswer) throws -> EngineAnswer

  func run(_ query: GeneratedQuery) throws -> EngineAnswer {
    try flaw(query, try snapshot.answer(query))
  }
}

@Suite("The differential run")
struct DifferentialTests {
  private static func run(
    _ flaw: @escaping @Sendable (GeneratedQuery, EngineAnswer) throws -> EngineAnswer
  ) throws -> DifferentialRun.Report {
    let seed = TestEnvironment.seed(for: "differential run")
    let snapshot = ReferenceModel(user: SampleData.user, lines: SampleData.generated(seed: seed)).snapshot
    return try DifferentialRun.run(
      300, seed: seed, on: snapshot, against: FlawedEngine(snapshot: snapshot, flaw: flaw))
  }

  @Test func anEngineThatIsRightShowsNoDifference() throws {
    let report = try Self.run { $1 }
    #expect(report.differences == [])
    #expect(
      report.summary
        == "300 queries, 0 differences, seed \(report.seed), \(report.responses) about reactions, replies or participants' states"
    )
    #expect(report.responses > 15, "\(report.responses)")
    #expect(report.nonEmpty > 150, "most queries should find something")
  }

  @Test func aSwappedPairAMissingRowAWrongCountAndAnErrorAreSeen() throws {
    let swapped = try Self.run { _, answer in
      guard case .identifiers(var identifiers) = answer, identifiers.count > 1 else { return answer }
      identifiers.swapAt(0, 1)
      return .identifiers(identifiers)
    }
    #expect(swapped.differenceCount > 0)
    let cut = try Self.run { _, answer in
      if case .identifiers(let identifiers) = answer { .identifiers(identifiers.dropLast()) } else { answer }
    }
    #expect(cut.differenceCount > 0)
    let miscounted = try Self.run { _, answer in
      if case .count(let count) = answer { .count(count + 1) } else { answer }
    }
    #expect(miscounted.differenceCount > 0)
    let refusing = try Self.run { _, _ in throw QueryError("no") }
    #expect(refusing.differenceCount == 300)
    #expect(refusing.differences.count == 5)
  }

  @Test func otherSpellingsOfAnIdentifierAreDifferent() {
    #expect(DifferentialRun.difference(.identifiers(["é"]), .success(.identifiers(["e\u{301}"]))) != nil)
  }
}

import Foundation
import TestSupport
import Testing

/// Random commits under random live queries: after each group of commits every list is what a fresh query gives, and the
/// difference from the list before is exactly what has changed.
@Suite struct LivePropertyTests {
  @Test func liveQueriesAreWhatFreshOnesGive() async throws {
    let seed = TestEnvironment.seed(for: "live queries")
    let tally = try await run(Self.episodes(TestSettings.commits, seed: seed))
    print(tally.detail)
    print(tally.summary(seed: seed))
    for mismatch in tally.mismatches { Issue.record("\(mismatch)") }
    #expect(tally.mismatchCount == 0)
    #expect(tally.responses > 0)
    #expect(tally.changeSets > 0 && tally.indexed > 0 && tally.indexed < tally.checks)
    #expect(tally.deletes > 0 && tally.inserts > 0 && tally.moves > 0 && tally.updates > 0)
  }

  private typealias Part = (plan: Episode.Plan, seed: UInt64)

  /// The stores in which so many commits are made.
  private static func episodes(_ commits: Int, seed: UInt64) -> [Part] {
    var random = SeededGenerator(seed: seed)
    let length = min(max(commits / 5, 1), 1000)
    return stride(from: 0, to: commits, by: length).enumerated().map { number, made in
      let plan = Episode.Plan(
        commits: min(length, commits - made), queries: TestSettings.queries,
        hasManyMessages: number % 10 == 1, imports: number % 3 == 0)
      return (plan, random.next())
    }
  }

  /// Runs episodes, as many at a time as there are processors, up to the first mismatch.
  private func run(_ parts: [Part]) async throws -> Tally {
    try await withThrowingTaskGroup(of: Tally.self) { group in
      var tally = Tally()
      var waiting = parts[...]
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { Self.start(&waiting, &group) }
      for try await part in group {
        tally.add(part)
        if tally.mismatchCount == 0 { Self.start(&waiting, &group) }
      }
      return tally
    }
  }

  private static func start(
    _ waiting: inout ArraySlice<Part>, _ group: inout ThrowingTaskGroup<Tally, any Error>
  ) {
    guard let part = waiting.popFirst() else { return }
    group.addTask {
      var tally = Tally()
      var episode = try Episode(part.plan, seed: part.seed)
      try episode.run(&tally)
      return tally
    }
  }
}

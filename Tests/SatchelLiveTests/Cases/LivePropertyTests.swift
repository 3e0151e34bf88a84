import Testing

/// Random commits under random live queries: after each group of commits every list is what a fresh query gives, and the
/// difference from the list before is exactly what has changed.
@Suite struct LivePropertyTests {
  @Test func liveQueriesAreWhatFreshOnesGive() throws {
    let seed = TestSettings.seed(for: "live queries")
    var random = SeededGenerator(seed: seed)
    var tally = Tally()
    let commits = TestSettings.commits
    let length = min(max(commits / 5, 1), 1000)
    var episode = 0
    while tally.commits < commits, tally.mismatchCount == 0 {
      let plan = Episode.Plan(
        commits: min(length, commits - tally.commits), queries: TestSettings.queries,
        hasManyMessages: episode % 10 == 1, imports: episode % 3 == 0)
      var run = try Episode(plan, seed: random.next())
      try run.run(&tally)
      episode += 1
    }
    print(tally.detail)
    print(tally.summary(seed: seed))
    for mismatch in tally.mismatches { Issue.record("\(mismatch)") }
    #expect(tally.mismatchCount == 0)
    #expect(tally.changeSets > 0 && tally.indexed > 0 && tally.indexed < tally.checks)
    #expect(tally.deletes > 0 && tally.inserts > 0 && tally.moves > 0 && tally.updates > 0)
  }
}

import TestSupport
import Testing

/// Power cuts and kills at any time: what was acknowledged is there, what was not appended is not, in order.
struct CrashTests {
  @Test func everyImageIsRecovered() {
    var random = SeededGenerator()
    var seen: Set<String> = []
    for round in 0..<TestEnvironment.rounds(300) {
      let seed = random.next()
      var history = JournalHistory(SeededGenerator(seed: seed))
      if let complaint = history.run(lives: 10) {
        Issue.record("round \(round), seed \(seed): \(complaint)")
        return
      }
      seen.formUnion(history.seen)
    }
    let expected: Set = [
      "empty", "older", "follows", "jump", "full", "checkpoint", "cut", "lost", "adopted",
    ]
    #expect(expected.subtracting(seen) == [])
  }

  /// Each of these mistakes has to be found, or the test above would find nothing.
  @Test(arguments: [
    ("no sync", JournalHistory.Sabotage(ignoresSyncs: true)),
    ("release before the checkpoint", JournalHistory.Sabotage(releasesEarly: true)),
    ("the generation stays", JournalHistory.Sabotage(keepsGeneration: true)),
  ])
  func mistakesAreFound(name: String, sabotage: JournalHistory.Sabotage) {
    var random = SeededGenerator(for: name)
    var rounds = 0
    while rounds < 3000 {
      rounds += 1
      var history = JournalHistory(random.fork(), sabotage)
      if let complaint = history.run(lives: 10) {
        print("\(name): found in round \(rounds): \(complaint)")
        return
      }
    }
    Issue.record("\(name): not found in \(rounds) rounds")
  }
}

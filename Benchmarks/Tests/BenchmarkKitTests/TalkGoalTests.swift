import BenchmarkKit
import Testing

@Suite struct TalkGoalTests {
  private func goal(_ title: String, _ rows: [BenchmarkKit.Result]) throws -> Goal {
    try #require(Goal.all(in: rows).first { $0.title.hasPrefix(title) })
  }

  @Test func reactionsAndRepliesMayCostAPageATenthOfAMillisecond() throws {
    func rows(with: Double) -> [BenchmarkKit.Result] {
      [
        row("talk/page", .satchel, with), row("talk/page-without", .satchel, 50),
        row("talk/page", .sqlite, 150), row("talk/page-without", .sqlite, 80),
      ]
    }
    let title = "20 messages with their reactions and replies"
    #expect(try goal(title, rows(with: 150)).isMet == true)
    let missed = try goal(title, rows(with: 151))
    #expect(missed.isMet == false)
    #expect(missed.figure == "101 µs slower; SQLite 70.0 µs")
    #expect(try goal(title, Array(rows(with: 150).prefix(1))).isMet == nil)
  }

  @Test(arguments: [
    ("a durable commit of a reaction", "talk/react-1", 1.2),
    ("20 conversations by the user's own states", "talk/conversations-mine", 3.0),
  ])
  func whatComesWithStatesIsFasterThanInSQLite(title: String, workload: String, least: Double) throws {
    func rows(sqlite: Double) -> [BenchmarkKit.Result] {
      [row(workload, .satchel, 100), row(workload, .sqlite, sqlite)]
    }
    #expect(try goal(title, rows(sqlite: least * 100 + 1)).isMet == true)
    #expect(try goal(title, rows(sqlite: least * 100 - 1)).isMet == false)
  }

  @Test(arguments: [
    ("a count of 10,000 users", "talk/following-count"), ("a count of those of 10,000", "talk/mutual-count"),
  ])
  func countsOfRelationsHaveABound(title: String, workload: String) throws {
    #expect(try goal(title, [row(workload, .satchel, 999)]).isMet == true)
    #expect(try goal(title, [row(workload, .satchel, 1_000)]).isMet == false)
  }
}

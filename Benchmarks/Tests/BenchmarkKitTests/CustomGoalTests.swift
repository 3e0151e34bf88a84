import BenchmarkKit
import Testing

@Suite struct CustomGoalTests {
  private func goal(_ title: String, _ rows: [BenchmarkKit.Result]) throws -> Goal {
    try #require(Goal.all(in: rows).first { $0.title.hasPrefix(title) })
  }

  @Test(arguments: [
    ("a message found by a text", "custom/server-id", 3.0),
    ("a page of messages by a number", "custom/page-priority", 3),
    ("a page of the newest messages with a tag", "custom/tag", 3),
    ("a count of messages above a number", "custom/count", 100),
    ("a count of messages with a tag", "custom/tag-count", 100),
  ])
  func whatIsFoundByMetadataIsFasterThanInBothOthers(title: String, workload: String, least: Double) throws {
    func rows(sqlite: Double, grdb: Double) -> [BenchmarkKit.Result] {
      [row(workload, .satchel, 10), row(workload, .sqlite, sqlite), row(workload, .grdb, grdb)]
    }
    #expect(try goal(title, rows(sqlite: least * 10, grdb: least * 10)).isMet == true)
    #expect(try goal(title, rows(sqlite: least * 10 - 1, grdb: least * 20)).isMet == false)
    #expect(try goal(title, rows(sqlite: least * 20, grdb: least * 10 - 1)).isMet == false)
    #expect(try goal(title, Array(rows(sqlite: 1, grdb: 1).dropLast())).isMet == nil)
  }

  @Test func metadataCostACommitAFifthAtMost() throws {
    func rows(with: Double) -> [BenchmarkKit.Result] {
      [
        row("custom/insert-1", .satchel, with), row("custom/insert-1-without", .satchel, 100),
        row("custom/insert-1", .sqlite, 300), row("custom/insert-1-without", .sqlite, 200),
      ]
    }
    let title = "a durable commit of a message with three values"
    #expect(try goal(title, rows(with: 120)).isMet == true)
    let missed = try goal(title, rows(with: 121))
    #expect(missed.isMet == false)
    #expect(missed.figure == "1.2×; SQLite's 1.5× of its own")
  }

  @Test func anEntryOfANumberHasABound() throws {
    let title = "at most 12 bytes an entry of an index of numbers"
    #expect(try goal(title, [row("custom/number-entry", .satchel, 12, unit: .bytes)]).isMet == true)
    #expect(try goal(title, [row("custom/number-entry", .satchel, 12.01, unit: .bytes)]).isMet == false)
  }
}

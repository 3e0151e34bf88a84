import BenchmarkKit
import Testing

@Suite struct DeclaredGoalTests {
  private func goal(_ title: String, _ rows: [BenchmarkKit.Result]) throws -> Goal {
    try #require(Goal.all(in: rows).first { $0.title.hasPrefix(title) })
  }

  @Test(arguments: [
    ("a page of a declared order 3×", "declared/page", 3.0),
    ("a page in the middle of a declared order", "declared/page-middle", 3),
    ("a page of a declared order of unread messages", "declared/unread-page", 3),
    ("a count of a declared order", "declared/count", 100),
    ("the row of a message in a declared order", "declared/rank", 100),
    ("a count of unread messages above", "declared/unread-count", 100),
  ])
  func whatADeclaredIndexFindsIsFasterThanInBothOthers(title: String, workload: String, least: Double) throws
  {
    func rows(sqlite: Double, grdb: Double) -> [BenchmarkKit.Result] {
      [row(workload, .satchel, 10), row(workload, .sqlite, sqlite), row(workload, .grdb, grdb)]
    }
    #expect(try goal(title, rows(sqlite: least * 10, grdb: least * 10)).isMet == true)
    #expect(try goal(title, rows(sqlite: least * 10 - 1, grdb: least * 20)).isMet == false)
    #expect(try goal(title, rows(sqlite: least * 20, grdb: least * 10 - 1)).isMet == false)
  }

  @Test func twoConditionsReadAQuarterOfOnesRecords() throws {
    func rows(_ read: Double) -> [BenchmarkKit.Result] {
      [
        row("declared/and-records", .satchel, read, unit: .records),
        row("declared/and-records-of-one", .satchel, 100_000, unit: .records),
      ]
    }
    let title = "two conditions that a tenth meets each"
    let met = try goal(title, rows(24_999))
    #expect(met.isMet == true)
    #expect(met.figure == "24,999 records of 100,000")
    #expect(try goal(title, rows(25_000)).isMet == false)
    #expect(try goal(title, []).isMet == nil)
  }

  @Test func makingAnIndexHasBounds() throws {
    let made = "an index is made in 2×"
    #expect(
      try goal(made, [row("declared/declare", .satchel, 200), row("declared/declare", .sqlite, 100)]).isMet
        == true)
    #expect(
      try goal(made, [row("declared/declare", .satchel, 201), row("declared/declare", .sqlite, 100)]).isMet
        == false)
    for (title, workload, bound) in [
      ("while an index is made", "declared/commit-beside-p99", 20_000.0),
      ("the days of a month", "groups/days-of-month", 1_000),
    ] {
      #expect(try goal(title, [row(workload, .satchel, bound - 1)]).isMet == true)
      #expect(try goal(title, [row(workload, .satchel, bound)]).isMet == false)
    }
  }
}

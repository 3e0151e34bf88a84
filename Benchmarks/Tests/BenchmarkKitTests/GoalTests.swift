import BenchmarkKit
import Testing

@Suite struct GoalTests {
  private func goal(_ title: String, _ rows: [BenchmarkKit.Result]) throws -> Goal {
    try #require(Goal.all(in: rows).first { $0.title.contains(title) })
  }

  @Test func whatWasNotMeasuredIsNeitherMetNorMissed() {
    #expect(Goal.all(in: []).allSatisfy { $0.isMet == nil && $0.figure == "not measured" })
  }

  @Test func theWorstCaseDecides() throws {
    let rows = [
      row("seed/one", .satchel, 1), row("seed/one", .grdb, 1000),
      row("seed/two", .satchel, 1), row("seed/two", .grdb, 9),
      row("seed/two-codable", .satchel, 1), row("seed/two-codable", .grdb, 1),
    ]
    let goal = try goal("faster than GRDB, 20", rows)
    #expect(goal.isMet == false)
    #expect(
      goal.figure == "geometric mean 95×, worst case 9.0× (`seed/two`); 1 of 2 miss it; "
        + "only 2 of 13 were measured")
  }

  @Test func theMeanDecidesAsWell() throws {
    func seeds(_ count: Int, grdb: Double) -> [BenchmarkKit.Result] {
      (0..<count).flatMap { [row("seed/\($0)", .satchel, 1), row("seed/\($0)", .grdb, grdb)] }
    }
    #expect(try goal("faster than GRDB, 20", seeds(13, grdb: 15)).isMet == false)
    #expect(try goal("faster than GRDB, 20", seeds(13, grdb: 25)).isMet == true)
    // One of them failed.
    #expect(try goal("faster than GRDB, 20", seeds(12, grdb: 25)).isMet == false)
  }

  @Test func goalsAreAboutAMillionMessages() throws {
    let rows = [
      row("insert/100", .satchel, 10, n: 10_000_000), row("insert/100", .sqlite, 10, n: 10_000_000),
      row("insert/100", .satchel, 10), row("insert/100", .sqlite, 50),
    ]
    #expect(try goal("durable commits of 100 ", rows).isMet == true)
  }

  @Test func flatMeansWithinThreeTimesFromTenThousandOn() throws {
    var rows = [
      row("count/unread", .satchel, 1, n: 2_000), row("count/unread", .satchel, 4, n: 10_000),
      row("count/unread", .satchel, 12, n: 10_000_000), row("count/unread", .sqlite, 900, n: 10_000_000),
    ]
    #expect(try goal("flat in n", rows).isMet == true)
    rows.append(row("count/unread", .satchel, 12.5, n: 1_000_000))
    #expect(try goal("flat in n", rows).isMet == false)
  }

  @Test func sizesAndCorporaHaveTheirGoals() throws {
    let rows = [
      row("size/index-entry", .satchel, 12.01, unit: .bytes),
      row("size/file-same-indexes", .satchel, 110, unit: .megabytes),
      row("size/file-same-indexes", .sqlite, 100, unit: .megabytes),
      row("import/corpus@zulip-full", .satchel, 1, n: nil),
      row("import/corpus@zulip-full", .grdb, 3, n: nil), row("scan/records", .satchel, 16),
      row("scan/records", .lmdb, 10), row("open/first-page-cold", .satchel, 5),
      row("open/first-page-cold", .sqlite, 5),
    ]
    #expect(try goal("bytes an index entry", rows).isMet == false)
    #expect(try goal("a file of", rows).isMet == true)
    #expect(try goal("zulip-full", rows).figure == "3.0×")
    #expect(try goal("scan of records", rows).isMet == false)
    #expect(try goal("cold open", rows).isMet == true)
  }

  @Test func theReportSaysWhyAGoalIsMissed() throws {
    let missed = [row("open/first-page-cold", .satchel, 6), row("open/first-page-cold", .sqlite, 5)]
    let reason = try #require(try goal("cold open", missed).reason)
    let title = "## What the time goes to"
    #expect(Report(missed, measuredIn: []).text.contains(title))
    #expect(Report(missed, measuredIn: []).text.contains(reason))
    let met = [row("open/first-page-cold", .satchel, 4), row("open/first-page-cold", .sqlite, 5)]
    #expect(!Report(met, measuredIn: []).text.contains(reason))
  }

  @Test func aReasonOfSeveralGoalsIsToldOnce() throws {
    let missed = ["insert/1", "insert/10"].flatMap { [row($0, .satchel, 10), row($0, .sqlite, 10)] }
    let reason = try #require(try goal("durable commits of 10 ", missed).reason)
    #expect(Report(missed, measuredIn: []).text.ranges(of: reason).count == 1)
  }
}

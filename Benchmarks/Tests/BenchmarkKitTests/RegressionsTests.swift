import BenchmarkKit
import Testing

@Suite struct RegressionsTests {
  /// A run in which SQLite takes 100 and our rows of these names so many times that.
  private func run(_ ratios: [String: Double], sqlite: Double = 100) -> [BenchmarkKit.Result] {
    ratios.flatMap { name, ratio in
      [row(name, .satchel, ratio * sqlite), row(name, .sqlite, sqlite), row(name, .grdb, 9 * ratio * sqlite)]
    }
  }

  private func regressions(_ pairs: [([String: Double], [String: Double])]) -> Regressions {
    Regressions(pairs.map { Regressions.Round(before: run($0.0), after: run($0.1)) })
  }

  @Test func worseInEveryRoundIsARegression() {
    let found = regressions([
      (["page/a": 0.5, "page/b": 0.5], ["page/a": 0.53, "page/b": 0.5]),
      (["page/a": 0.52, "page/b": 0.5], ["page/a": 0.56, "page/b": 0.6]),
      (["page/a": 0.48, "page/b": 0.5], ["page/a": 0.6, "page/b": 0.6]),
    ])
    #expect(found.rows.map(\.key.workload) == ["page/a", "page/b"])
    #expect(found.regressions.map(\.key.workload) == ["page/a"])
    #expect(
      found.text.contains(
        "| page/a | 1,000,000 | 0.500, 0.530 | 0.520, 0.560 | 0.480, 0.600 | 1.1× | WORSE |"))
    #expect(found.text.contains("2 rows judged, 1 worse than SQLite by over 5 % more in every round"))
  }

  /// Once within the margin, or better once, and it may have been the machine.
  @Test func aRoundWithinTheMarginAcquits() {
    let before = ["page/a": 1.0, "page/b": 1.0, "page/c": 1.0]
    let found = regressions([
      (before, ["page/a": 1.05, "page/b": 2, "page/c": 1.0501]),
      (before, ["page/a": 1.5, "page/b": 0.9, "page/c": 1.2]),
      (before, ["page/a": 1.5, "page/b": 2, "page/c": 1.2]),
    ])
    #expect(found.regressions.map(\.key.workload) == ["page/c"])
  }

  /// The machine was slower for everybody: the ratios are what they were.
  @Test func aSlowerMachineIsNoRegression() {
    let slow = Regressions.Round(before: run(["page/a": 0.5]), after: run(["page/a": 0.5], sqlite: 300))
    #expect(Regressions([slow, slow, slow]).regressions.isEmpty)
    let faster = Regressions.Round(before: run(["page/a": 0.5], sqlite: 300), after: run(["page/a": 0.6]))
    #expect(Regressions([faster, faster, faster]).regressions.count == 1)
  }

  /// What a build did not measure, or what SQLite has no counterpart of, is told and not judged.
  @Test func rowsThatARunLacksAreNotJudged() {
    let lone = [row("open/cold", .satchel, 5)]
    let round = Regressions.Round(
      before: run(["page/a": 1]) + lone, after: run(["page/a": 1, "page/new": 1]) + lone)
    let found = Regressions([round, round])
    #expect(found.rows.map(\.key.workload) == ["page/a"])
    #expect(found.unjudged.map(\.workload) == ["page/new"])
    #expect(found.text.contains("not in every run: page/new at 1,000,000"))
  }

  @Test func theWorstStandsFirst() {
    let round = (["page/a": 1.0, "page/b": 1.0], ["page/a": 1.2, "page/b": 3.0])
    #expect(regressions([round, round, round]).regressions.map(\.key.workload) == ["page/b", "page/a"])
  }

  @Test func namesAreThoseOfWorkloadsThatAreWorse() {
    let before = ["page/a": 1.0, "page/b": 1.0, "page/c": 1.0]
    let round = (before, ["page/a": 3.0, "page/b": 1.0, "page/c": 1.2])
    #expect(regressions([round, round, round]).names == "page/a\npage/c\n")
    #expect(regressions([]).names.isEmpty)
  }

  @Test func nothingMeasuredIsNothingJudged() {
    #expect(Regressions([]).rows.isEmpty)
    #expect(Regressions([Regressions.Round(before: [], after: [])]).regressions.isEmpty)
  }
}

import BenchmarkKit
import Testing

@Suite struct CommitGoalTests {
  private func goal(_ title: String, _ rows: [BenchmarkKit.Result]) throws -> Goal {
    try #require(Goal.all(in: rows).first { $0.title.hasPrefix(title) })
  }

  @Test(arguments: [(1, 1.5), (10, 3), (100, 5), (1_000, 3), (10_000, 2)])
  func commitsOfEverySizeHaveAGoalAndTheirMeansTheSame(batch: Int, times: Double) throws {
    for (suffix, prefix) in [("", ""), ("-mean", "the mean of ")] {
      let number = batch < 1_000 ? "\(batch) " : "\(batch / 1_000),"
      let title = "\(prefix)durable commits of \(number)"
      let workload = "insert/\(batch)\(suffix)"
      let rows = { (own: Double) in
        [row(workload, .satchel, own), row(workload, .sqlite, times * 100)]
      }
      #expect(try goal(title, rows(100)).isMet == true)
      #expect(try goal(title, rows(100.1)).isMet == false)
      #expect(try goal(title, rows(100.1)).reason != nil)
    }
  }

  @Test func largeCommitsMayInsteadBeAsFastAsRawLMDB() throws {
    func rows(_ batch: Int, lmdb: Double) -> [BenchmarkKit.Result] {
      [
        row("insert/\(batch)", .satchel, 10), row("insert/\(batch)", .sqlite, 10),
        row("insert/\(batch)", .lmdb, lmdb),
      ]
    }
    #expect(try goal("durable commits of 1,000 ", rows(1_000, lmdb: 10)).isMet == true)
    let missed = try goal("durable commits of 1,000 ", rows(1_000, lmdb: 8))
    #expect(missed.isMet == false)
    #expect(missed.figure == "1.0×; 1.2× of raw LMDB's time")
    // Small ones may not.
    #expect(try goal("durable commits of 100 ", rows(100, lmdb: 10)).isMet == false)
  }

  @Test func changesMayInsteadBeNearTheDisksFloor() throws {
    func rows(floor: Double) -> [BenchmarkKit.Result] {
      [
        row("write/set-metadata", .satchel, 100), row("write/set-metadata", .sqlite, 90),
        row("insert/fsync-floor", .disk, floor),
      ]
    }
    #expect(try goal("setting a text", rows(floor: 60)).isMet == true)
    let missed = try goal("setting a text", rows(floor: 59))
    #expect(missed.isMet == false)
    #expect(missed.figure == "0.90×; 41.0 µs above the floor")
    #expect(try goal("setting a text", Array(rows(floor: 60).dropLast())).isMet == false)
  }

  @Test(arguments: [
    ("the text of a message", "edit/1"), ("a message deleted", "tombstone/1"), ("a draft", "confirm/1"),
    ("an edit delivered", "merge/1"), ("a message delivered a second", "merge/1-nothing-new"),
  ])
  func aStepOfAMessagesLifeMayTakeAFifthMoreThanInSQLite(title: String, workload: String) throws {
    let rows = { (own: Double) in [row(workload, .satchel, own), row(workload, .sqlite, 100)] }
    #expect(try goal(title, rows(120)).isMet == true)
    let missed = try goal(title, rows(121))
    #expect(missed.isMet == false)
    #expect(missed.figure == "1.2× of SQLite's")
    #expect(missed.reason != nil)
  }

  @Test func everyReadBesideTheJournalCounts() throws {
    func rows(_ names: [String], worst: Double) -> [BenchmarkKit.Result] {
      names.flatMap {
        [
          row("tail/\($0)", .satchel, 10), row("tail/\($0)-1000", .satchel, $0 == "count" ? worst : 10),
          row("tail/\($0)-full", .satchel, 100),
        ]
      }
    }
    let names = ["latest-20", "count", "offset", "identifiers"]
    #expect(try goal("reads with 1,000", rows(names, worst: 13)).isMet == true)
    let missed = try goal("reads with 1,000", rows(names, worst: 14))
    #expect(missed.isMet == false)
    #expect(missed.figure == "worst case 1.4× (`tail/count-1000`)")
    #expect(try goal("reads with 1,000", rows(["count"], worst: 13)).isMet == false)
  }

  @Test func boundsAreComparedInTheirUnit() throws {
    #expect(
      try goal("opening a store with a full", [row("open/full-journal", .satchel, 19_999)]).isMet == true)
    #expect(
      try goal("opening a store with a full", [row("open/full-journal", .satchel, 20_000)]).isMet == false)
    #expect(
      try goal("less than 32 MB", [row("memory/full-tail", .satchel, 32, unit: .megabytes)]).isMet == false)
    #expect(
      try goal("less than 32 MB", [row("memory/full-tail", .satchel, 31, unit: .megabytes)]).isMet == true)
  }

  @Test func aFifthOfTheDisksBytesIsWanted() throws {
    func rows(_ own: Double) -> [BenchmarkKit.Result] {
      [
        row("insert/100-device-bytes", .satchel, own, unit: .bytes),
        row("insert/100-device-bytes", .sqlite, 100, unit: .bytes),
      ]
    }
    let title = "a fifth of the bytes that SQLite gives the disk for a message, in commits of 100"
    #expect(try goal(title, rows(20)).isMet == true)
    #expect(try goal(title, rows(21)).isMet == false)
  }
}

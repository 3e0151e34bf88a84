import BenchmarkKit
import Foundation
import Testing

@Suite struct ResultFileTests {
  @Test func rowsComeBackAsTheyWere() throws {
    let rows = [
      row("page/latest-20", .satchel, 12.5, 13, 20),
      row("page/latest-20", .sqlite, 100.25, 101, 140),
      row("seed/\"quoted\\\"\n", .lmdb, 0.00125, n: nil, unit: .seconds, about: "tab\there, naïve | <b>"),
      row("size/file", .grdb, 123_456_789, unit: .bytes),
    ].withRatios()
    let text = ResultFile.text(of: rows)
    var read = try ResultFile.rows(in: Data(text.utf8))
    #expect(ResultFile.text(of: read) == text)
    // Six digits are kept.
    #expect(abs((read[0].ratio ?? 0) - 13 / 101) < 1e-6)
    read[0].ratio = rows[0].ratio
    #expect(read == rows)
  }

  @Test func aRowIsALine() throws {
    let text = ResultFile.text(of: [row("size/file", .satchel, 12, n: nil, unit: .megabytes)])
    #expect(
      text == """
        [
          {"workload": "size/file", "n": null, "engine": "satchel", "median": 12, "unit": "MB", "ratio": null, \
        "minimum": 12, "maximum": 12, "lowerQuartile": 12, "upperQuartile": 12, "rounds": 1, \
        "about": "what it does", "source": "Sources/SatchelBenchmark/Workloads/Pages.swift#L12"}
        ]

        """)
  }

  @Test func ratiosAreToSQLiteAtTheSameSize() {
    let rows = [
      row("count/unread", .satchel, 2), row("count/unread", .sqlite, 400), row("count/unread", .grdb, 800),
      row("count/unread", .satchel, 3, n: 10_000), row("scan/records", .lmdb, 5),
    ].withRatios()
    #expect(rows.map(\.ratio) == [0.005, 1, 2, nil, nil])
  }

  @Test func whatIsNoResultIsNamed() {
    let error = #expect(throws: ResultFile.Unreadable.self) {
      try ResultFile.rows(in: Data(#"[{"workload": "a", "n": null, "engine": "oracle"}]"#.utf8))
    }
    #expect(error?.description.contains("row 0: engine") == true)
    let missing = #expect(throws: ResultFile.Unreadable.self) {
      try ResultFile.rows(at: "/nowhere/results.json")
    }
    #expect(missing?.description.hasPrefix("/nowhere/results.json: there is no such file") == true)
  }

  @Test func aLaterRunReplacesTheSizesItMeasured() {
    let old = [
      row("a/1", .satchel, 1), row("a/2", .satchel, 1), row("a/1", .satchel, 1, n: 10),
      row("a/1@one", .satchel, 1, n: nil), row("a/1@two", .satchel, 1, n: nil),
    ]
    let new = [row("a/1", .satchel, 2), row("a/1@one", .satchel, 2, n: nil)]
    #expect(old.merged(with: new, onlySome: false) == [old[2], old[4]] + new)
    #expect(old.merged(with: new, onlySome: true) == [old[1], old[2], old[4]] + new)
  }
}

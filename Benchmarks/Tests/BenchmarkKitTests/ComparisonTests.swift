import BenchmarkKit
import Testing

@Suite struct ComparisonTests {
  @Test func overlappingRangesAreNoise() {
    let old = [row("a/1", .satchel, 10, 11, 14), row("a/2", .satchel, 10, 11, 12)]
    let new = [row("a/1", .satchel, 13, 20, 21), row("a/2", .satchel, 13, 14, 15)]
    let comparison = Comparison(old: old, new: new)
    #expect(comparison.compared == 2)
    #expect(comparison.changes.map(\.new.workload) == ["a/2"])
    #expect(comparison.text.contains("1.3× worse"))
  }

  @Test func theWorstChangeComesFirst() {
    let old = [row("a/1", .satchel, 10), row("a/2", .satchel, 10), row("a/3", .satchel, 10)]
    let new = [row("a/1", .satchel, 5), row("a/2", .satchel, 30), row("a/3", .satchel, 20)]
    #expect(Comparison(old: old, new: new).changes.map(\.factor) == [3, 2, 0.5])
  }

  @Test func aTimeTakenOnceNeedsAMargin() {
    let old = [row("import/generated", .satchel, 100), row("size/file", .satchel, 100, unit: .bytes)]
    let new = [row("import/generated", .satchel, 105), row("size/file", .satchel, 101, unit: .bytes)]
    #expect(Comparison(old: old, new: new).changes.map(\.new.workload) == ["size/file"])
  }

  @Test func rowsOfOneRunAreCounted() {
    let comparison = Comparison(old: [row("a/1", .satchel, 1)], new: [row("a/1", .grdb, 1)])
    #expect(comparison.onlyOld.map(\.engine) == [.satchel])
    #expect(comparison.onlyNew.map(\.engine) == [.grdb])
    #expect(comparison.text.hasPrefix("0 rows in both, 0 changed"))
  }
}

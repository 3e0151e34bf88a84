import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// What pending texts cost: memory, merges of runs, and nodes that are read.
@Suite struct PendingTextCostTests {
  private let tree = PendingTextFixture.tree

  /// One text a commit for each of many trees: no two merge their runs at the same commit, and none keeps more small rows
  /// than its bound.
  @Test func promotionsAreStaggered() throws {
    var commits: [Int] = []
    for id in UInt16(0)..<20 {
      let tree = TextTreeSchema(id: id, name: "tree \(id)")
      #expect(Runs<TextTreeSchema>.smallRunBound(tree) == 128 + 4 * Int(id))
      var pending = PendingTexts(tree)
      var first: Int?
      for number in 0..<300 {
        pending = try pending.adding([(.insert, PendingTextFixture.key(number))])
        #expect(pending.runCounts.small <= Runs<TextTreeSchema>.smallRunBound(tree))
        if first == nil, pending.runCounts.large > 0 { first = number }
      }
      commits.append(try #require(first))
    }
    #expect(Set(commits).count == 20)
  }

  /// Few long texts make the small run full as well: each commit copies it.
  @Test func longTextsArePromotedByTheirBytes() throws {
    var fixture = try PendingTextFixture(numbers: 0..<10)
    let length = 10_000
    for row in 0..<20 {
      try fixture.commit([
        (.insert, TextKey(group: 5, text: [UInt8](repeating: 0x74, count: length), row: UInt64(row)))
      ])
      let small = fixture.pending.runCounts.small
      #expect(small * length <= Runs<TextTreeSchema>.smallRunTextBytes && small == (row + 1) % 7)
    }
    #expect(fixture.pending.runCounts == (14, 6))
    #expect(try fixture.differences() == [])
    #expect(try fixture.faults() == [])
  }

  /// A row takes 25 bytes beside its group and text.
  @Test func memoryIsTheKeysAndLittleMore() throws {
    var pending = PendingTexts(tree)
    let none = pending.byteCount
    var keyBytes = 0
    for number in 0..<400 {
      let text = [UInt8](repeating: 0x61, count: number)
      keyBytes += 8 + text.count
      pending = try pending.adding([(.insert, TextKey(group: 1, text: text, row: 0))])
      #expect(pending.byteCount - none == 25 * (number + 1) + keyBytes)
    }
    #expect(pending.runCounts.large > 0 && pending.runCounts.small > 0)
  }

  /// Ranks in the tree are found by nobody but those who need them, and once.
  @Test func countsFindNoRanksAndSelectionsTakeOneDescent() throws {
    var fixture = try PendingTextFixture(numbers: (0..<40_000).map { $0 * 2 })
    try fixture.promote(from: 90_000)
    try fixture.commit((0..<100).map { (.insert, $0 * 700 + 1) })
    let range = TextRange(
      lower: .before(PendingTextFixture.key(1_001)), upper: .after(PendingTextFixture.key(70_001)))
    func nodes(_ forest: Forest, _ body: () throws -> Void) rethrows -> Int {
      let before = forest.metrics.nodesRead
      try body()
      return forest.metrics.nodesRead - before
    }
    // What the tree's own reads cost.
    let (plain, alone) = try fixture.file.read { forest in
      let plain = try nodes(forest) {
        _ = try forest.count(tree, in: range)
        _ = try forest.rank(tree, of: range.lower)
      }
      let alone = try nodes(forest) {
        var rows: [UInt64] = []
        var cursor = try forest.cursor(tree)
        _ = try cursor.read(into: &rows, limit: .max)
      }
      return (plain, alone)
    }
    try fixture.file.read(over: fixture.pending.forest) { forest in
      let merged = MergedTexts(forest, tree)
      let height = try forest.statistics(tree).height
      #expect(height >= 2)
      for _ in 0..<3 {
        let counted = try nodes(forest) {
          _ = try merged.count()
          _ = try merged.count(in: range)
          _ = try merged.rank(of: range.lower)
        }
        #expect(counted == plain)
      }
      let first = try nodes(forest) { _ = try merged.select(20_000) }
      #expect(first > height)
      let again = try nodes(forest) { _ = try merged.select(20_000) }
      #expect(again == height)
      // A walk finds the ranks of all texts once; the next one reads what the tree's own walk reads.
      func walk() throws {
        var rows: [UInt64] = []
        var cursor = try merged.cursor()
        _ = try cursor.read(into: &rows, limit: .max)
        #expect(rows.count == fixture.model.keys.count)
      }
      try walk()
      #expect(try nodes(forest, walk) == alone)
      // A look-up takes one descent, whatever is pending.
      let lookup = try nodes(forest) {
        _ = try merged.firstRow(in: .text(PendingTextFixture.key(30_000).text, group: 5))
      }
      #expect(lookup == height)
    }
  }
}

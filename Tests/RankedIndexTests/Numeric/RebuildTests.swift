import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// Trees that are built of rows in any order.
@Suite struct RebuildTests {
  /// Columns of the key: one that few values stand in, one with missing values beside large ones, and the order of arrival.
  private let tree = TreeSchema(id: 3, name: "test", keyColumns: 4, payloadColumns: 1)

  /// Rows of different spreads: some keys fit one word together, some do not.
  private func rows(_ range: Range<UInt64>, wide: Bool, _ random: inout SeededGenerator) -> [Words] {
    range.map { number in
      let first = UInt64(random.below(5))
      let second = random.oneIn(3) ? 0 : (wide ? random.next() : 1 << 63 + UInt64(random.below(1000)))
      return Words(first, second, wide ? random.next() % 3 << 40 : 7, number, random.next() % 100)
    }
  }

  private func all(_ scratch: Scratch) throws -> [Words] {
    try scratch.read { forest in
      var found: [Words] = []
      _ = try forest.verify(tree, report: { Issue.record($0) }, entry: { found.append($0) })
      return found
    }
  }

  @Test(arguments: [(0, 0), (1, 0), (0, 1), (3000, 0), (0, 3000), (2000, 5000), (5000, 3)])
  func newRowsAreMergedWithThoseOfTheTree(_ old: Int, _ new: Int) throws {
    var random = SeededGenerator()
    for wide in [false, true] {
      let scratch = try Scratch()
      let before = rows(0..<UInt64(old), wide: wide, &random)
      try scratch.write { forest in before.forEach { forest.insert(tree, $0) } }
      let after = rows(UInt64(old)..<UInt64(old + new), wide: wide, &random)
      var unsorted = UnsortedRows(tree, ties: 1)
      after.forEach { unsorted.append($0) }
      try scratch.write { try $0.rebuild(tree, adding: unsorted.sorted()) }
      let expected = (before + after).sorted { $0.compare($1, columns: tree.keyColumns) < 0 }
      #expect(try all(scratch) == expected)
    }
  }

  @Test func aKeyThatIsThereIsRefused() throws {
    let scratch = try Scratch()
    let row = Words(1, 2, 3, 4, 5)
    try scratch.write { $0.insert(tree, row) }
    #expect(throws: IndexError.self) {
      try scratch.write { forest in
        var unsorted = UnsortedRows(tree, ties: 1)
        unsorted.append(row)
        try forest.rebuild(tree, adding: unsorted.sorted())
      }
    }
    #expect(try all(scratch) == [row])
  }

  @Test func wordsAreSortedByRadix() {
    var random = SeededGenerator()
    for bits in [0, 1, 11, 12, 33, 64] as [UInt64] {
      for count in [0, 1, 2, 5000] {
        let keys = (0..<count).map { _ in bits == 0 ? 9 : random.next() >> (64 - bits) }
        let expected = keys.indices.sorted { keys[$0] == keys[$1] ? $0 < $1 : keys[$0] < keys[$1] }
        #expect(RadixOrder.indices(of: keys).map(Int.init) == expected)
      }
    }
  }
}

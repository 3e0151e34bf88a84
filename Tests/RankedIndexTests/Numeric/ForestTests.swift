import RankedIndex
import RankedKeys
import Testing

/// What the operations of a forest promise, one by one.
@Suite struct ForestTests {
  private let tree = TreeSchema(id: 9, name: "rows", keyColumns: 2, payloadColumns: 1)

  private func rows(_ scratch: Scratch) throws -> [Words] {
    try scratch.read { forest in
      var rows: [Words] = []
      var cursor = try forest.cursor(tree)
      _ = try cursor.read(into: &rows, limit: .max)
      return rows
    }
  }

  @Test func aSetHasNumbersThatAreNear() throws {
    let first: UInt64 = .max - 40_000_000
    let numbers = try #require(NumberSet([first + 130, first, first + 30_000_000]))
    for number in [first, first + 130, first + 30_000_000] { #expect(numbers.contains(number)) }
    for number in [0, first - 1, first + 1, first + 129, first + 30_000_001, .max] {
      #expect(!numbers.contains(number))
    }
    #expect(NumberSet([first, first + 1 << 25]) == nil)
    #expect(NumberSet([]) == nil)
  }

  @Test func emptyTreesAnswer() throws {
    let scratch = try Scratch()
    try scratch.read { forest in
      #expect(try forest.count(tree) == 0)
      #expect(try forest.count(tree, in: .prefix(Words(1), columns: 1)) == 0)
      #expect(try forest.rank(tree, of: .after(Words(1), columns: 1)) == 0)
      #expect(try forest.select(tree, 0) == nil)
      var cursor = try forest.cursor(tree)
      try cursor.seek(to: .after(Words(5), columns: 1))
      #expect(try cursor.next() == nil)
      #expect(try cursor.previous() == nil)
      try cursor.skip(.max)
      try cursor.skip(.min)
      #expect(cursor.rank == 0)
    }
  }

  /// A leaf of one row takes more rows at once than a leaf can count.
  @Test(arguments: [65_534, 65_535, 65_536, 150_000])
  func aLeafOfOneRowTakesMany(count: Int) throws {
    let scratch = try Scratch()
    try scratch.write { $0.insert(tree, [5, 5, 5]) }
    try scratch.write { forest in
      for number in 0..<UInt64(count) { forest.insert(tree, [6, number, number & 7]) }
    }
    let found = try rows(scratch)
    #expect(found.count == count + 1 && found.first == [5, 5, 5])
    #expect(found.last == [6, UInt64(count - 1), UInt64(count - 1) & 7])
  }

  /// Changes of one key become what they come to, one after another.
  @Test func changesOfOneKeyFold() throws {
    let scratch = try Scratch()
    try scratch.write { forest in
      forest.insert(tree, [1, 1, 10])
      forest.replace(tree, [1, 1, 11])
      forest.insert(tree, [2, 2, 20])
      forest.remove(tree, [2, 2])
      forest.insert(tree, [3, 3, 30])
      forest.remove(tree, [3, 3])
      forest.insert(tree, [3, 3, 31])
      forest.insert(tree, [4, 4, 40])
      #expect(forest.pendingCount == 8)
    }
    #expect(try rows(scratch) == [[1, 1, 11], [3, 3, 31], [4, 4, 40]])
    try scratch.write { forest in
      forest.remove(tree, [1, 1])
      forest.insert(tree, [1, 1, 12])
      forest.replace(tree, [3, 3, 32])
      forest.remove(tree, [3, 3])
      forest.replace(tree, [4, 4, 41])
      forest.replace(tree, [4, 4, 42])
    }
    #expect(try rows(scratch) == [[1, 1, 12], [4, 4, 42]])
  }

  @Test(
    arguments: [
      [(0, [1, 1])], [(1, [9, 9])], [(2, [9, 9])], [(0, [9, 9]), (0, [9, 9])], [(1, [1, 1]), (1, [1, 1])],
      [(1, [1, 1]), (2, [1, 1])], [(2, [1, 1]), (0, [1, 1])], [(0, [9, 9]), (1, [9, 9]), (1, [9, 9])],
    ] as [[(Int, [UInt64])]])
  func changesOutOfStepAreRefused(_ changes: [(Int, [UInt64])]) throws {
    let scratch = try Scratch()
    try scratch.write { $0.insert(tree, [1, 1, 5]) }
    let error = #expect(throws: IndexError.self) {
      try scratch.write { forest in
        for (kind, key) in changes {
          let row = Words(key[0], key[1], 7)
          [forest.insert, forest.remove, forest.replace][kind](tree, row)
        }
        do {
          try forest.flush()
        } catch {
          // What failed once is not used again: any later call throws the same.
          _ = try forest.count(tree)
        }
      }
    }
    guard case .outOfStep = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try rows(scratch) == [[1, 1, 5]])
  }

  @Test(arguments: [0, 1, 2, 400, 50_000])
  func bulkBuildsHoldTheirRows(_ count: Int) throws {
    let scratch = try Scratch()
    let expected = (0..<UInt64(count)).map { Words($0 / 50, $0 * 3, $0 % 7) }
    try scratch.write { forest in
      var next = 0
      try forest.build(tree, spare: 0.05) {
        defer { next += 1 }
        return next < expected.count ? expected[next] : nil
      }
    }
    #expect(try rows(scratch) == expected)
    try scratch.read { forest in
      let found = try forest.verify(tree, report: { Issue.record($0) }, entry: { _ in })
      #expect(found.entries == count)
      try forest.verifyNodeNumbers { Issue.record($0) }
      if count > 10_000 { #expect(Double(found.bytes) < Double(count) * 4.6) }
    }
    if count > 0 {
      #expect(throws: IndexError.self) { try scratch.write { try $0.build(tree) { nil } } }
    }
  }

  @Test func bulkBuildsRefuseDisorder() throws {
    let scratch = try Scratch()
    for second: Words in [[1, 1], [1, 2]] {
      #expect(throws: IndexError.self) {
        try scratch.write { forest in
          var rows: [Words] = [second, [1, 2]]
          try forest.build(tree) { rows.popLast() }
        }
      }
    }
  }

  /// A cursor of a write transaction goes on over the rows of its last seek, and says when a flush has changed the tree
  /// under it.
  @Test func cursorsKeepTheirRowsUntilAFlush() throws {
    let scratch = try Scratch()
    try scratch.write { forest in
      for number in 0..<UInt64(5_000) { forest.insert(tree, Words(number, number, number)) }
      try forest.flush()
      var cursor = try forest.cursor(tree)
      #expect(try cursor.next() == [0, 0, 0])
      forest.remove(tree, [1, 1])
      #expect(try forest.count(tree) == 4_999)
      #expect(try cursor.next() == [1, 1, 1])
      try cursor.skip(4_000)
      #expect(try cursor.next() == [4_002, 4_002, 4_002])
      try cursor.seek(to: .after(Words(0), columns: 1))
      #expect(try cursor.next() == [2, 2, 2])
      try forest.flush()
      #expect(throws: IndexError.cursorExpired(tree: tree.id)) { try cursor.skip(4_000) }
      #expect(throws: IndexError.cursorExpired(tree: tree.id)) { _ = try cursor.previous() }
      try cursor.seek(to: .after(Words(0), columns: 1))
      #expect(try cursor.next() == [2, 2, 2])
    }
  }

  /// One change reads and writes one node a level, whatever the tree's size; nothing is written twice.
  @Test func oneChangeTouchesOnePath() throws {
    let scratch = try Scratch()
    try scratch.write { forest in
      for number in 0..<UInt64(200_000) { forest.insert(tree, Words(number / 9, number, number % 8)) }
    }
    try scratch.write { forest in
      forest.replace(tree, [100, 905, 3])
      try forest.flush()
      let height = try forest.statistics(tree).height
      #expect(height >= 2)
      #expect(forest.metrics.nodesWritten == height)
    }
    try scratch.read { forest in
      let count = try forest.count(tree, in: .prefix(Words(100), columns: 1))
      #expect(count == 9)
      // Both ends in one leaf; then each in a leaf of its own.
      let first = forest.metrics.nodesRead
      let many = try forest.count(
        tree, in: KeyRange(lower: .before(Words(100), columns: 1), upper: .before(Words(20_000), columns: 1)))
      #expect(many == 9 * 19_900)
      let second = forest.metrics.nodesRead - first
      #expect(forest.metrics.entriesRead == 0)
      let height = try forest.statistics(tree).height
      #expect(first == height && second == 2 * height)
    }
  }

  @Test func readingForestsRefuseChanges() throws {
    let scratch = try Scratch()
    try scratch.read { forest in
      forest.insert(tree, [1, 1, 1])
      #expect(throws: IndexError.self) { try forest.flush() }
    }
  }

  /// Ascending inserts leave full leaves behind.
  @Test func appendedLeavesAreFull() throws {
    let scratch = try Scratch()
    for batch in 0..<UInt64(200) {
      try scratch.write { forest in
        for number in 0..<UInt64(100) {
          forest.insert(tree, Words(batch * 100 + number, batch, number % 4))
        }
      }
    }
    try scratch.read { forest in
      let found = try forest.statistics(tree)
      #expect(Double(found.bytes) / Double(found.entries) < 5.5)
    }
  }
}

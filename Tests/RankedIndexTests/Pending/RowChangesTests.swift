import RankedIndex
import RankedKeys
import SatchelBytes
import TestSupport
import Testing

/// The changes of many commits, sorted and added at once.
@Suite struct RowChangesTests {
  /// Around the number of rows from which on they are counted and not compared, and enough for several digits.
  private static let counts = [0, 1, 2, 63, 64, 65, 5_000]

  @Test(arguments: RowSource.all)
  func changesAreInTheOrderOfTheirKeys(_ source: RowSource) throws {
    var random = SeededGenerator()
    for count in Self.counts {
      // Once as they come, once with keys that come several times.
      for distinct in [max(1, count), count / 3 + 1] {
        let choices = (0..<distinct).map { source.make(&random, UInt64($0)) }
        let rows = (0..<count).map { distinct < count ? random.pick(choices) : choices[$0] }
        try Self.expectOrder(rows, source.tree)
      }
    }
  }

  /// Some columns decide nothing, or are in order already from some column on.
  @Test func columnsThatAreInOrderAreLeft() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(200) {
      let tree = TreeSchema(id: 1, name: "columns", keyColumns: 1 + random.below(8))
      let bits = (0..<8).map { _ in random.pick([0, 1, 5, 13, 40, 64] as [UInt64]) }
      let growing = (0..<8).map { _ in random.oneIn(2) }
      let rows = (0..<random.pick([5, 64, 300])).map { serial in
        var row = Words()
        for column in 0..<tree.keyColumns {
          row[column] =
            growing[column]
            ? UInt64(serial / 3) : bits[column] == 0 ? 7 : random.next() >> (64 - bits[column])
        }
        return row
      }
      try Self.expectOrder(rows, tree)
    }
  }

  private static func expectOrder(_ rows: [Words], _ tree: TreeSchema) throws {
    var gathered = RowChanges(tree)
    for row in rows {
      var reader = ByteReader()
      let bytes = CommitBytes.change(.insert, row, tree)
      try gathered.read(bytes.span.bytes, &reader)
      try reader.end(bytes.span.bytes)
    }
    let expected = rows.indices.sorted { left, right in
      let comparison = rows[left].compare(rows[right], columns: tree.keyColumns)
      return comparison == 0 ? left < right : comparison < 0
    }
    let order = gathered.order().map { Int($0) }
    #expect(gathered.count == rows.count)
    let isSame = order == expected || (order.isEmpty && expected == Array(rows.indices))
    #expect(isSame, "\(rows.count) rows of \(tree.name)")
  }

  @Test(arguments: RowSource.all, [0, 1, 40, 400])
  func manyCommitsAreWhatTheyAreOneByOne(_ source: RowSource, filled: Int) throws {
    var random = SeededGenerator()
    for count in [1, 64, 200] {
      var commits = RandomCommits(source, random: random.fork())
      let scratch = try Scratch()
      // Some rows are in the tree, so that they can be removed and replaced.
      let base = commits.makeRows(300)
      try scratch.write { forest in for row in base { forest.insert(source.tree, row) } }
      var before = PendingForest()
      for _ in 0..<filled {
        before = try before.adding(CommitBytes.read([commits.next()], source.tree))
      }
      let bytes = (0..<count).map { _ in commits.next() }
      var oneByOne = before
      for commit in bytes { oneByOne = try oneByOne.adding(CommitBytes.read([commit], source.tree)) }
      let atOnce = try before.adding(CommitBytes.read(bytes, source.tree))
      for pending in [oneByOne, atOnce] {
        try scratch.read(over: pending) { forest in
          let merged = MergedRows(forest, source.tree)
          try merged.verify { Issue.record($0) }
          var comparison = MergedComparison(source, random: random.fork())
          try comparison.compare(merged, commits.model, queries: 10)
          #expect(comparison.differences == [])
        }
      }
    }
  }

  /// Each commit is right by itself, and one of them contradicts those before, whatever comes behind it.
  @Test(arguments: [0, 1, 70, 2_000])
  func contradictionsAreRefused(behind count: Int) throws {
    let tree = PendingFixture.tree
    let fill = (0..<count).map { CommitBytes.commit([(.insert, Words(UInt64(count - $0) * 3, 1))], tree) }
    let key = Words(4, 9)
    let contradictions: [[PendingFixture.Change]] = [
      [.insert, .insert], [.remove, .remove], [.remove, .replace], [.replace, .insert],
      [.insert, .remove, .remove], [.insert, .remove, .replace], [.remove, .insert, .insert],
    ]
    for kinds in contradictions {
      let commits = kinds.map { CommitBytes.commit([($0, key)], tree) }
      for changes in [commits + fill, fill + commits, [commits[0]] + fill + commits[1...]] {
        let gathered = try CommitBytes.read(changes, tree)
        let error = #expect(throws: IndexError.self) { try PendingForest().adding(gathered) }
        #expect(error.map { "\($0)" }?.contains("twice") == true || kinds.last == .replace)
      }
      // The same upon what is pending already.
      let pending = try PendingForest().adding(CommitBytes.read([commits[0]] + fill, tree))
      guard kinds.count == 2 else { continue }
      #expect(throws: IndexError.self) {
        try pending.adding(
          CommitBytes.read(Array(commits[1...]) + fill.map { _ in commits[1] }, tree))
      }
    }
    // What comes to nothing leaves no row.
    let nothing = [.insert, .remove].map { CommitBytes.commit([($0, key)], tree) }
    #expect(try PendingForest().adding(CommitBytes.read(nothing + fill, tree)).count == count)
  }
}

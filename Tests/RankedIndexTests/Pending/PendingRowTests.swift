import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// What pending rows promise, one by one.
@Suite struct PendingRowTests {
  private typealias Change = PendingFixture.Change
  private let tree = PendingFixture.tree

  /// A small row removes a row of the large run. It counts with that row's sums of signs, and the large row must not be
  /// looked at by itself any more: it would be returned.
  @Test func removedPendingRowIsNotReturned() throws {
    var fixture = try PendingFixture(base: (0..<50).map { $0 < 20 ? $0 * 20 : $0 * 40 })
    try fixture.promote(from: 401)
    for key: UInt64 in [401, 402, 450, 500 + 1, 572] { try fixture.commit([(.remove, key, 0)]) }
    #expect(fixture.pending.runCounts.small == 5)
    #expect(try fixture.differences() == [])
    #expect(try fixture.faults() == [])
  }

  /// The removal of a pending insert steps over no entry of the tree. Here entries of the tree follow right after it,
  /// which would be lost.
  @Test func removalOfPendingInsertTakesNothingFromTheTree() throws {
    var fixture = try PendingFixture(base: [10, 11, 12, 700, 701])
    try fixture.promote(from: 20)
    try fixture.commit([(.remove, 20, 0), (.remove, 21, 0), (.remove, 192, 0)])
    #expect(try fixture.differences() == [])
    // The other way round: rows that the large run removes from the tree, put back by the small one.
    fixture = try PendingFixture(base: (0..<600).map { $0 })
    try fixture.commit((100..<300).map { (.remove, $0, 0) })
    #expect(fixture.pending.runCounts == (200, 0))
    try fixture.commit([(.insert, 100, 5), (.insert, 200, 6), (.insert, 299, 7)])
    try fixture.commit([(.replace, 200, 8), (.remove, 299, 0)])
    #expect(try fixture.differences() == [])
    #expect(try fixture.faults() == [])
  }

  /// All sequences of up to three changes of one key, whether the tree holds it or not, in one commit or several, with
  /// and without a merge of the runs between them. What is right reads right; what contradicts a pending row is refused; what contradicts the tree is found.
  @Test(arguments: [false, true])
  func changesOfOneKeyFold(_ isInTree: Bool) throws {
    let key: UInt64 = 500
    let fixture = try PendingFixture(base: isInTree ? [1, key, 999] : [1, 999])
    var legal = 0
    var refused = 0
    var unnoticed = 0
    for length in 1...3 {
      for code in 0..<27 * 9 {
        let kinds = (0..<length).map { [Change.insert, .remove, .replace][code / [1, 3, 9][$0] % 3] }
        // 0: the same commit, 1: another commit, 2: the runs are merged first.
        let gaps = (0..<length).map { $0 == 0 ? 0 : code / [27, 81][$0 - 1] % 3 }
        if length < 3, code >= (length == 1 ? 3 : 27 * 3) || length == 2 && code % 27 >= 9 { continue }
        var run = fixture
        var isPresent = isInTree
        var isRight = true
        var isFirstRight = true
        for (index, kind) in kinds.enumerated() {
          if isPresent != (kind != .insert) {
            isRight = false
            if index == 0 { isFirstRight = false }
          }
          isPresent = kind != .remove
        }
        if isRight {
          legal += 1
          try apply(kinds, gaps, key, to: &run)
          #expect(try run.differences() == [], "\(kinds) \(gaps)")
          #expect(try run.faults() == [], "\(kinds) \(gaps)")
        } else if isFirstRight {
          do {
            try apply(kinds, gaps, key, to: &run, changesModel: false)
            // Rows of earlier commits came to nothing, so that only the tree can tell.
            unnoticed += 1
            #expect(try !run.faults().isEmpty, "\(kinds) \(gaps)")
          } catch IndexError.outOfStep(let id, let words, _) {
            refused += 1
            #expect(id == tree.id && words == [key])
          }
        }
      }
    }
    print(
      "changes of one key, \(isInTree ? "" : "not ")in the tree: \(legal) right, \(refused) refused, \(unnoticed) found later"
    )
    #expect(legal > 20 && refused > 20)
  }

  private func apply(
    _ kinds: [Change], _ gaps: [Int], _ key: UInt64, to run: inout PendingFixture, changesModel: Bool = true
  ) throws {
    var batch: [(Change, UInt64, UInt64)] = []
    func commit(_ changes: [(Change, UInt64, UInt64)]) throws {
      if changesModel {
        try run.commit(changes)
      } else {
        run.pending = try run.pending.adding(PendingFixture.changes(changes))
      }
    }
    for (index, kind) in kinds.enumerated() {
      if gaps[index] > 0 {
        try commit(batch)
        batch = []
      }
      if gaps[index] == 2 {
        let count = UInt64(Runs<TreeSchema>.smallRunBound(tree) + 1)
        let start = 1_000 * UInt64(index + 1)
        try commit((start..<start + count).map { (.insert, $0, 1) })
        #expect(run.pending.runCounts.small == 0)
      }
      batch.append((kind, key, UInt64(index) + 50))
    }
    try commit(batch)
  }

  /// What is left of rows that were folded, and no more.
  @Test func foldedRowsAreGone() throws {
    var fixture = try PendingFixture(base: [1, 2, 3])
    try fixture.commit([(.insert, 10, 1), (.remove, 2, 0)])
    #expect(fixture.pending.count == 2)
    try fixture.commit([(.remove, 10, 0), (.insert, 2, 9)])
    #expect(fixture.pending.count == 1)
    try fixture.commit([(.remove, 2, 0), (.remove, 1, 0), (.insert, 1, 4), (.remove, 1, 0)])
    #expect(fixture.pending.count == 2)
    #expect(try fixture.differences() == [])
    try fixture.scratch.write(over: fixture.pending.forest) { _ in }
    fixture.pending = PendingRows(tree)
    #expect(try fixture.differences() == [])
  }

  /// A version is what it was, however many commits and merges of runs follow.
  @Test func versionsStayAsTheyAre() throws {
    var fixture = try PendingFixture(base: (0..<400).map { $0 * 5 })
    var versions = [fixture]
    for number in 0..<UInt64(700) {
      try fixture.commit([(.insert, number * 3 + 2_001, number)])
      if number % 2 == 0 { try fixture.commit([(.remove, number / 2 * 5, 0)]) }
      if number % 50 == 0 { versions.append(fixture) }
    }
    #expect(fixture.pending.runCounts.large > 900)
    for version in versions { #expect(try version.differences() == []) }
  }

  /// One row a commit for each of many trees: no two merge their runs at the same commit, and none keeps more small
  /// rows than its bound.
  @Test func promotionsAreStaggered() throws {
    var commits: [Int] = []
    for id in UInt16(0)..<20 {
      let tree = TreeSchema(id: id, name: "tree \(id)", keyColumns: 1)
      #expect(Runs<TreeSchema>.smallRunBound(tree) == 128 + 4 * Int(id))
      var pending = PendingRows(tree)
      var first: Int?
      for number in 0..<300 {
        pending = try pending.adding([(.insert, Words(UInt64(number)))])
        #expect(pending.runCounts.small <= Runs<TreeSchema>.smallRunBound(tree))
        if first == nil, pending.runCounts.large > 0 { first = number }
      }
      commits.append(try #require(first))
    }
    #expect(Set(commits).count == 20)
  }

  /// Ranks in the tree are found by nobody but those who need them, and once.
  @Test func countsFindNoRanksAndSelectionsTakeOneDescent() throws {
    var fixture = try PendingFixture(base: (0..<40_000).map { $0 * 2 })
    try fixture.promote(from: 90_000)
    try fixture.commit((0..<100).map { (.insert, $0 * 700 + 1, 3) })
    let range = KeyRange(lower: .before(Words(1_001), columns: 1), upper: .after(Words(70_001), columns: 1))
    func nodes(_ forest: Forest, _ body: () throws -> Void) rethrows -> Int {
      let before = forest.metrics.nodesRead
      try body()
      return forest.metrics.nodesRead - before
    }
    // What the tree's own reads cost.
    let (plain, alone) = try fixture.scratch.read { forest in
      let plain = try nodes(forest) {
        _ = try forest.count(tree, in: range)
        _ = try forest.rank(tree, of: range.lower)
      }
      let alone = try nodes(forest) {
        var rows: [Words] = []
        var cursor = try forest.cursor(tree)
        _ = try cursor.read(into: &rows, limit: .max)
      }
      return (plain, alone)
    }
    try fixture.scratch.read(over: fixture.pending.forest) { forest in
      let merged = MergedRows(forest, tree)
      let height = try forest.height(tree)
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
      // A walk finds the ranks of all rows once; the next one reads what the tree's own walk reads.
      func walk() throws {
        var rows: [Words] = []
        var cursor = try merged.cursor()
        _ = try cursor.read(into: &rows, limit: .max)
        #expect(rows.count == fixture.model.rows.count)
      }
      try walk()
      #expect(try nodes(forest, walk) == alone)
    }
  }

  /// Without pending rows the tree is read as it is, with nothing beside it.
  @Test func emptyRowsPassThrough() throws {
    let fixture = try PendingFixture(base: (0..<300).map { $0 })
    #expect(fixture.pending.isEmpty && fixture.pending.count == 0)
    #expect(try fixture.differences() == [])
    let plain = try fixture.scratch.read {
      try PendingFixture.differences(MergedRows($0, tree), fixture.model)
    }
    #expect(plain == [])
    var empty = try PendingFixture(base: [])
    #expect(try empty.differences() == [])
    try empty.commit([(.insert, 4, 4), (.insert, 2, 2)])
    #expect(try empty.differences() == [])
  }

  /// Readers on several threads find the ranks of the same rows at the same time.
  @Test func readersOnSeveralThreadsAgree() async throws {
    var fixture = try PendingFixture(base: (0..<1_000).map { $0 * 3 })
    try fixture.promote(from: 20_000)
    try fixture.commit((0..<120).map { (.insert, $0 * 24 + 1, 1) })
    nonisolated(unsafe) let shared = fixture
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for seed in 0..<UInt64(4) { group.addTask { try shared.differences(seed: seed) } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(found == [])
    #expect(try fixture.faults() == [])
  }
}

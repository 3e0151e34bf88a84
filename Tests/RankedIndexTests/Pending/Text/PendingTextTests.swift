import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// What pending texts promise, one by one.
@Suite struct PendingTextTests {
  private typealias Change = PendingTextFixture.Change
  private let tree = PendingTextFixture.tree

  /// A small row removes a text of the large run. It counts with that row's sums of signs, and the large row must not be
  /// looked at by itself any more: it would be returned.
  @Test func removedPendingTextIsNotReturned() throws {
    var fixture = try PendingTextFixture(numbers: (0..<50).map { $0 < 20 ? $0 * 20 : $0 * 40 })
    try fixture.promote(from: 401)
    for number in [401, 402, 450, 501, 572] { try fixture.commit([(.remove, number)]) }
    #expect(fixture.pending.runCounts.small == 5)
    #expect(try fixture.differences() == [])
    #expect(try fixture.faults() == [])
  }

  /// The removal of a pending insert steps over no entry of the tree. Here entries of the tree follow right after it,
  /// which would be lost.
  @Test func removalOfPendingInsertTakesNothingFromTheTree() throws {
    var fixture = try PendingTextFixture(numbers: [10, 11, 12, 700, 701])
    try fixture.promote(from: 20)
    try fixture.commit([(.remove, 20), (.remove, 21), (.remove, 192)])
    #expect(try fixture.differences() == [])
    // The other way round: texts that the large run removes from the tree, put back by the small one.
    fixture = try PendingTextFixture(numbers: 0..<600)
    try fixture.commit((100..<300).map { (.remove, $0) })
    #expect(fixture.pending.runCounts == (200, 0))
    try fixture.commit([(.insert, 100), (.insert, 200), (.insert, 299)])
    try fixture.commit([(.remove, 299)])
    #expect(fixture.pending.runCounts == (200, 2))
    #expect(try fixture.differences() == [])
    #expect(try fixture.faults() == [])
  }

  /// The entry that a cursor has moved over last is none that a pending row has removed, even if the tree's cursor had to
  /// step over that one after it.
  @Test func removedEntryIsNeverTheLastOne() throws {
    var fixture = try PendingTextFixture(numbers: 0..<300)
    try fixture.commit((100..<300).map { (.remove, $0) })
    try fixture.commit((0..<50).map { (.remove, $0) })
    let pending = fixture.pending
    try fixture.file.read(over: pending.forest) { forest in
      var cursor = try MergedTexts(forest, tree).cursor()
      var rows: [UInt64] = []
      try cursor.seek(toRank: 49)
      #expect(try cursor.key() == nil)
      #expect(try cursor.next() == PendingTextFixture.key(99).row)
      for _ in 0..<2 {
        #expect(try cursor.next() == nil)
        #expect(try cursor.key() == PendingTextFixture.key(99))
      }
      #expect(try !cursor.readBack(into: &rows, limit: .max))
      for _ in 0..<2 {
        #expect(try cursor.previous() == nil)
        #expect(try cursor.key() == PendingTextFixture.key(50))
      }
      // Nothing is read here, so that nothing was passed.
      try cursor.seek(to: .before(PendingTextFixture.key(100)))
      rows = []
      #expect(try !cursor.read(into: &rows, limit: 1))
      #expect(try cursor.key() == nil && cursor.text() == nil)
      #expect(rows == [])
    }
  }

  /// All sequences of up to three changes of one key and the right ones of four, whether the tree holds it or not, in one
  /// commit or several, with and without a merge of the runs between them. What is right reads right; what contradicts a
  /// pending text is refused; what contradicts the tree is found.
  @Test(arguments: [false, true])
  func changesOfOneKeyFold(_ isInTree: Bool) throws {
    let fixture = try PendingTextFixture(numbers: isInTree ? [1, 1_500, 2_999] : [1, 2_999])
    var legal = 0
    var refused = 0
    var unnoticed = 0
    for length in 1...4 {
      for code in 0..<1 << length {
        let kinds = (0..<length).map { code >> $0 & 1 == 0 ? Change.insert : .remove }
        guard isInTree == (kinds[0] == .remove) else { continue }
        let isRight = zip(kinds, kinds.dropFirst()).allSatisfy { $0 != $1 }
        // Of two pairs that came to nothing nobody knows which change contradicted which.
        guard isRight || length < 4 else { continue }
        for gaps in Self.gaps(length) {
          var run = fixture
          if isRight {
            legal += 1
            try apply(kinds, gaps, to: &run)
            #expect(try run.differences() == [], "\(kinds) \(gaps)")
            #expect(try run.faults() == [], "\(kinds) \(gaps)")
            continue
          }
          do {
            try apply(kinds, gaps, to: &run, changesModel: false)
            // Rows of earlier commits came to nothing, so that only the tree can tell.
            unnoticed += 1
            #expect(try !run.faults().isEmpty, "\(kinds) \(gaps)")
          } catch IndexError.outOfStep(let id, let words, let what) {
            refused += 1
            #expect(id == tree.id && words == PendingTextFixture.words(PendingTextFixture.key(1_500)))
            #expect(what.contains(tree.name))
          }
        }
      }
    }
    print(
      "changes of one key, \(isInTree ? "" : "not ")in the tree: \(legal) right, \(refused) refused, \(unnoticed) found later"
    )
    #expect(legal == 40 && refused > 20 && unnoticed > 3)
  }

  /// All ways to divide changes. 0: the same commit, 1: another commit, 2: the runs are merged first.
  private static func gaps(_ length: Int) -> [[Int]] {
    (1..<length).reduce([[0]]) { gaps, _ in gaps.flatMap { gap in (0..<3).map { gap + [$0] } } }
  }

  private func apply(
    _ kinds: [Change], _ gaps: [Int], to run: inout PendingTextFixture, changesModel: Bool = true
  ) throws {
    var batch: [(Change, Int)] = []
    func commit(_ changes: [(Change, Int)]) throws {
      if changesModel {
        try run.commit(changes)
      } else {
        run.pending = try run.pending.adding(PendingTextFixture.changes(changes))
      }
    }
    for (index, kind) in kinds.enumerated() {
      if gaps[index] > 0 {
        try commit(batch)
        batch = []
      }
      if gaps[index] == 2 {
        // Around the key, so that its place in the large run is none of the ends.
        let count = Runs<TextTreeSchema>.smallRunBound(tree) + 1
        let start = 1_500 + (index % 2 == 0 ? -1_000 : 100) + index * 200
        try commit((start..<start + count).map { (.insert, $0) })
        #expect(run.pending.runCounts.small == 0)
      }
      batch.append((kind, 1_500))
    }
    try commit(batch)
  }

  /// What is left of changes that were folded, and no more.
  @Test func foldedTextsAreGone() throws {
    var fixture = try PendingTextFixture(numbers: [1, 2, 3])
    try fixture.commit([(.insert, 10), (.remove, 2)])
    #expect(fixture.pending.count == 2)
    try fixture.commit([(.remove, 10), (.insert, 2)])
    #expect(fixture.pending.isEmpty)
    try fixture.commit([(.remove, 2), (.remove, 1), (.insert, 1), (.remove, 1)])
    #expect(fixture.pending.count == 2)
    #expect(try fixture.differences() == [])
    // Rows of both runs of one key leave nothing when the runs are merged.
    try fixture.promote(from: 100)
    try fixture.commit([(.insert, 1), (.insert, 2), (.remove, 100), (.remove, 272)])
    #expect(fixture.pending.runCounts == (175, 4))
    try fixture.promote(from: 1_000)
    #expect(fixture.pending.runCounts == (171 + 173, 0))
    #expect(try fixture.differences() == [])
    try fixture.file.write(over: fixture.pending.forest) { _ in }
    fixture.pending = PendingTexts(tree)
    #expect(try fixture.differences() == [])
  }

  /// A version is what it was, however many commits and merges of runs follow.
  @Test func versionsStayAsTheyAre() throws {
    var fixture = try PendingTextFixture(numbers: (0..<400).map { $0 * 5 })
    var versions = [fixture]
    for number in 0..<700 {
      try fixture.commit([(.insert, number * 3 + 2_001)])
      if number % 2 == 0 { try fixture.commit([(.remove, number / 2 * 5)]) }
      if number % 50 == 0 { versions.append(fixture) }
    }
    #expect(fixture.pending.runCounts.large > 700)
    for version in versions { #expect(try version.differences() == []) }
  }

  @Test func emptyTextsPassThrough() throws {
    let fixture = try PendingTextFixture(numbers: 0..<300)
    #expect(fixture.pending.isEmpty && fixture.pending.count == 0)
    #expect(try fixture.differences() == [])
    let plain = try fixture.file.read {
      try PendingTextFixture.differences(MergedTexts($0, tree), fixture.model)
    }
    #expect(plain == [])
    var empty = try PendingTextFixture(base: [])
    #expect(try empty.differences() == [])
    try empty.commit([(.insert, 4), (.insert, 2)])
    #expect(try empty.differences() == [])
  }

  /// Readers on several threads find the ranks of the same texts at the same time.
  @Test func readersOnSeveralThreadsAgree() async throws {
    var fixture = try PendingTextFixture(numbers: (0..<1_000).map { $0 * 3 })
    try fixture.promote(from: 20_000)
    try fixture.commit((0..<120).map { (.insert, $0 * 24 + 1) })
    nonisolated(unsafe) let shared = fixture
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for seed in 0..<UInt64(4) { group.addTask { try shared.differences(seed: seed) } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(found == [])
    #expect(try fixture.faults() == [])
  }
}

import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// Rows that are wrong, and trees that are damaged, end in an error or a report that names them, never in a trap.
@Suite struct PendingFaultTests {
  private let tree = PendingFixture.tree

  /// Reads in every way; returns what the reads threw.
  private func readAll(_ merged: MergedRows) -> [IndexError] {
    var errors: [IndexError] = []
    func attempt(_ body: () throws(IndexError) -> Void) {
      do { try body() } catch { errors.append(error) }
    }
    for index in [-1, 0, 1, 5, 100, 1_000, 4_999, 9_000, .max] {
      attempt { () throws(IndexError) in _ = try merged.select(index) }
      attempt { () throws(IndexError) in
        var cursor = try merged.cursor()
        try cursor.seek(toRank: index)
        _ = try cursor.next()
        try cursor.skip(-7)
        _ = try cursor.previous()
        #expect(cursor.rank >= 0)
      }
    }
    for key: UInt64 in [0, 3, 10, 500, 1_500, 3_000, .max] {
      let bound = Bound.before(Words(key), columns: 1)
      attempt { () throws(IndexError) in #expect(try merged.rank(of: bound) >= 0) }
      attempt { () throws(IndexError) in
        #expect(try merged.count(in: KeyRange(lower: bound, upper: .end)) >= 0)
      }
      attempt { () throws(IndexError) in _ = try merged.rows(of: key) }
      attempt { () throws(IndexError) in
        var rows: [Words] = []
        var cursor = try merged.cursor()
        try cursor.seek(to: bound)
        _ = try cursor.read(into: &rows, limit: .max)
      }
      attempt { () throws(IndexError) in
        var values: [UInt64] = []
        var cursor = try merged.cursor()
        try cursor.seek(to: bound)
        _ = try cursor.readBack(column: 1, into: &values, limit: .max)
      }
    }
    attempt { () throws(IndexError) in
      var cursor = try merged.cursor()
      while try cursor.step() {}
      while try cursor.stepBack() {}
    }
    return errors
  }

  @Test(arguments: [
    (PendingFixture.Change.insert, UInt64(30)), (.remove, 31), (.replace, 31), (.remove, 5_000), (.remove, 0),
  ])
  func wrongRowIsFound(_ change: PendingFixture.Change, _ key: UInt64) throws {
    var fixture = try PendingFixture(base: [10, 20, 30, 40])
    try fixture.commit([(.insert, 35, 1), (.remove, 40, 0)])
    #expect(try fixture.faults() == [])
    // Into the rows, but not into the model.
    fixture.pending = try fixture.pending.adding(PendingFixture.changes([(change, key, 3)]))
    let faults = try fixture.faults()
    #expect(faults.count == 1)
    guard case .outOfStep(tree.id, [key], _) = faults.first else {
      Issue.record("\(faults)")
      return
    }
    _ = try fixture.scratch.read(over: fixture.pending.forest) { readAll(MergedRows($0, tree)) }
    let pending = fixture.pending
    let error = #expect(throws: IndexError.self) {
      try fixture.scratch.write(over: pending.forest) { _ in }
    }
    guard case .outOfStep(tree.id, [key], _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// The control of all tests here: the comparison sees sums of signs that count a row that is not there.
  @Test func comparisonFindsAWrongSum() throws {
    var fixture = try PendingFixture(base: (0..<100).map { $0 * 10 })
    try fixture.commit([(.insert, 55, 1), (.remove, 60, 0)])
    #expect(try fixture.differences() == [])
    fixture.pending = try fixture.pending.adding(PendingFixture.changes([(.insert, 500, 1)]))
    #expect(try fixture.differences().count > 10)
    #expect(try fixture.faults().count == 1)
  }

  /// And it sees ranks that are those of another tree, which the sums of signs do not show.
  @Test func comparisonFindsAWrongRank() throws {
    var fixture = try PendingFixture(base: (0..<100).map { $0 * 10 })
    try fixture.commit([(.insert, 555, 1), (.remove, 600, 0)])
    let other = try PendingFixture(base: (0..<100).flatMap { [$0 * 10, $0 * 10 + 1] })
    #expect(try other.scratch.read(over: fixture.pending.forest) { readAll(MergedRows($0, tree)) } == [])
    let count = try fixture.scratch.read(over: fixture.pending.forest) { try MergedRows($0, tree).count() }
    #expect(count == fixture.model.rows.count)
    let faults = try fixture.faults()
    #expect(faults.count == 2)
    for fault in faults {
      guard case .outOfStep(_, _, let what) = fault, what.contains("wrong rank") else {
        Issue.record("\(fault)")
        continue
      }
    }
    var found = 0
    do { found = try fixture.differences().count } catch is IndexError { found = 1 }
    #expect(found > 0)
  }

  /// Rows with the ranks of one tree, read with others: shorter, empty, longer.
  @Test func rowsOfAnotherStateDoNotTrap() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(20) {
      var fixture = try PendingFixture(base: (0..<3_000).map { $0 })
      try fixture.commit((0..<300).map { _ in random.next() % 3_000 }.unique.map { (.remove, $0, 0) })
      try fixture.commit((0..<100).map { (.insert, 3_000 + $0 * 2, 0) })
      #expect(try fixture.scratch.read(over: fixture.pending.forest) { readAll(MergedRows($0, tree)) } == [])
      let count = random.pick([0, 1, 10, 2_000, 6_000])
      let other = try PendingFixture(base: (0..<count).map { _ in random.next() % 10_000 }.unique)
      _ = try other.scratch.read(over: fixture.pending.forest) { readAll(MergedRows($0, tree)) }
    }
  }

  /// A tree with a missing leaf throws its own errors through every read.
  @Test func damagedTreeThrowsItsErrors() throws {
    var fixture = try PendingFixture(base: (0..<12_000).map { $0 * 2 })
    try fixture.commit((0..<100).map { (.insert, $0 * 200 + 1, 0) })
    var leaves: [UInt64] = []
    try fixture.scratch.read { forest in
      try forest.forEachNode { if $0.level == 0 { leaves.append($0.number) } }
    }
    #expect(leaves.count > 2)
    for leaf in leaves {
      var kept: [UInt8]?
      try fixture.scratch.damage(leaf) {
        kept = $0
        $0 = nil
      }
      fixture.scratch.forgetVerifiedNodes()
      // Ranks that are not known yet, and ranks that are.
      for _ in 0..<2 {
        let errors = try fixture.scratch.read(over: fixture.pending.forest) { readAll(MergedRows($0, tree)) }
        #expect(!errors.isEmpty)
        for error in errors {
          guard case .corrupt(tree.id, leaf, _) = error else {
            Issue.record("\(error)")
            continue
          }
        }
      }
      try fixture.scratch.damage(leaf) { $0 = kept }
    }
    #expect(try fixture.differences() == [])
  }
}

extension [UInt64] {
  /// The numbers without repetitions, in ascending order.
  fileprivate var unique: [UInt64] { Set(self).sorted() }
}

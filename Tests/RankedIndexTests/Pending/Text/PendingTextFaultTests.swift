import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// Texts that are wrong, and trees that are damaged, end in an error or a report that names them, never in a trap.
@Suite struct PendingTextFaultTests {
  private typealias Fixture = PendingTextFixture
  private let tree = PendingTextFixture.tree

  /// Reads in every way; returns what the reads threw.
  private func readAll(_ merged: MergedTexts) -> [IndexError] {
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
        _ = try cursor.key()
        try cursor.skip(-7)
        _ = try cursor.previous()
        #expect(cursor.rank >= 0)
      }
    }
    for number in [0, 3, 10, 500, 1_500, 3_000, 99_999] {
      let bound = TextBound.before(Fixture.key(number))
      attempt { () throws(IndexError) in #expect(try merged.rank(of: bound) >= 0) }
      attempt { () throws(IndexError) in
        #expect(try merged.count(in: TextRange(lower: bound, upper: .end)) >= 0)
      }
      attempt { () throws(IndexError) in
        _ = try merged.firstRow(in: .text(Fixture.key(number).text, group: 5))
      }
      attempt { () throws(IndexError) in
        var rows: [UInt64] = []
        var cursor = try merged.cursor()
        try cursor.seek(to: bound)
        _ = try cursor.read(into: &rows, limit: .max)
      }
      attempt { () throws(IndexError) in
        var rows: [UInt64] = []
        var cursor = try merged.cursor()
        try cursor.seek(to: bound)
        _ = try cursor.readBack(into: &rows, limit: .max)
      }
    }
    attempt { () throws(IndexError) in
      var cursor = try merged.cursor()
      while try cursor.next() != nil { _ = try cursor.text() }
      while try cursor.previous() != nil { _ = try cursor.key() }
    }
    return errors
  }

  @Test(arguments: [
    (PendingTextFixture.Change.insert, 30), (.remove, 31), (.remove, 5_000), (.remove, 0), (.insert, 10),
  ])
  func wrongTextIsFound(_ change: PendingTextFixture.Change, _ number: Int) throws {
    var fixture = try Fixture(numbers: [10, 20, 30, 40])
    try fixture.commit([(.insert, 35), (.remove, 40)])
    #expect(try fixture.faults() == [])
    // Into the rows, but not into the model.
    fixture.pending = try fixture.pending.adding(Fixture.changes([(change, number)]))
    let words = Fixture.words(Fixture.key(number))
    let faults = try fixture.faults()
    #expect(faults.count == 1)
    guard case .outOfStep(tree.id, words, _) = faults.first else {
      Issue.record("\(faults)")
      return
    }
    _ = try fixture.file.read(over: fixture.pending.forest) { readAll(MergedTexts($0, tree)) }
    let pending = fixture.pending
    let error = #expect(throws: IndexError.self) {
      try fixture.file.write(over: pending.forest) { _ in }
    }
    guard case .outOfStep(tree.id, words, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// The control of all tests here: the comparison sees sums of signs that count a text that is not there.
  @Test func comparisonFindsAWrongSum() throws {
    var fixture = try Fixture(numbers: (0..<100).map { $0 * 10 })
    try fixture.commit([(.insert, 55), (.remove, 60)])
    #expect(try fixture.differences() == [])
    fixture.pending = try fixture.pending.adding(Fixture.changes([(.insert, 500)]))
    #expect(try fixture.differences().count > 10)
    #expect(try fixture.faults().count == 1)
  }

  /// And it sees ranks that are those of another tree, which the sums of signs do not show.
  @Test func comparisonFindsAWrongRank() throws {
    var fixture = try Fixture(numbers: (0..<100).map { $0 * 10 })
    try fixture.commit([(.insert, 555), (.remove, 600)])
    let other = try Fixture(numbers: (0..<100).flatMap { [$0 * 10, $0 * 10 + 1] })
    #expect(try other.file.read(over: fixture.pending.forest) { readAll(MergedTexts($0, tree)) } == [])
    let count = try fixture.file.read(over: fixture.pending.forest) { try MergedTexts($0, tree).count() }
    #expect(count == fixture.model.keys.count)
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

  /// Texts with the ranks of one tree, read with others: shorter, empty, longer.
  @Test func textsOfAnotherStateDoNotTrap() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(20) {
      var fixture = try Fixture(numbers: 0..<3_000)
      try fixture.commit(Set((0..<300).map { _ in random.below(3_000) }).sorted().map { (.remove, $0) })
      try fixture.commit((0..<100).map { (.insert, 3_000 + $0 * 2) })
      let pending = fixture.pending
      #expect(try fixture.file.read(over: pending.forest) { readAll(MergedTexts($0, tree)) } == [])
      let count = random.pick([0, 1, 10, 2_000, 6_000])
      let other = try Fixture(numbers: Set((0..<count).map { _ in random.below(10_000) }))
      _ = try other.file.read(over: pending.forest) { readAll(MergedTexts($0, tree)) }
    }
  }

  /// A tree with a missing node or continuation throws its own errors through every read.
  @Test(arguments: [false, true])
  func damagedTreeThrowsItsErrors(_ isContinuation: Bool) throws {
    func key(_ number: Int, _ end: String) -> TextKey {
      var key = Fixture.key(number)
      // What a node holds of the text ends with this.
      if isContinuation { key.text += [UInt8](repeating: 0x78, count: 240) }
      key.text += end.utf8
      return key
    }
    var fixture = try Fixture(base: (0..<3_000).map { key($0, "a") })
    try fixture.commit((0..<100).map { (.insert, key($0 * 30, "b")) })
    let file = fixture.file
    let pending = fixture.pending
    let database = try isContinuation ? file.overflow() : file.nodes()
    let values = try TextTreeDamageTests.values(file, database)
    #expect(values.count > 2)
    for (number, bytes) in stride(from: 0, to: values.count, by: max(values.count / 10, 1)).map({ values[$0] }
    ) {
      _ = try file.environment.write { try $0.delete(database, number: number) }
      file.cache.removeAll()
      // Ranks that are not known yet, and ranks that are.
      for _ in 0..<2 {
        let errors = try file.read(over: pending.forest) { readAll(MergedTexts($0, tree)) }
        #expect(!errors.isEmpty)
        for error in errors {
          guard case .corrupt(tree.id, _, _) = error else {
            Issue.record("\(error)")
            continue
          }
        }
      }
      try TextTreeDamageTests.put(file, database, number, bytes)
    }
    #expect(try file.read(over: pending.forest) { readAll(MergedTexts($0, tree)) } == [])
    #expect(try fixture.faults() == [])
  }
}

import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// Entries that go by their rows, without their texts, against a sorted array.
@Suite struct TextTreeSweepTests {
  static let tree = TextTreeSchema(id: 9, name: "swept")
  private static let rows: ClosedRange<UInt64> = 0...3000

  @Test(arguments: [1, 4, 300]) func aSweepTakesTheRowsOfItsRanges(groups: UInt64) throws {
    let seed = TestEnvironment.seed(for: "aSweepTakesTheRowsOfItsRanges(\(groups))")
    var random = SeededGenerator(seed: seed)
    let fixture = try TextTreeFixture()
    var model = TextTreeModel()
    var swept = 0
    for round in 0..<40 {
      let hint = "seed \(seed) groups \(groups) round \(round)"
      let added = Self.newKeys(groups, beside: model, &random)
      model.apply(inserts: added, removes: [])
      let share = [0, 3, 50, 100].randomElement(using: &random)!
      let from = UInt64.random(in: Self.rows, using: &random)
      let chosen = Self.rows.filter { _ in Int.random(in: 0..<100, using: &random) < share }
      let rows = try #require(NumberSet(chosen.filter { $0 >= from } + [from]))
      let ranges = Self.ranges(groups, model, &random)
      let gone = Set(
        ranges.flatMap { range in
          model.keys.filter { rows.contains($0.row) && Self.contains($0, range) }
        })
      swept += gone.count
      let later = Self.newKeys(groups, beside: model, &random).prefix(30)
      try fixture.write { forest in
        for key in added { forest.insert(Self.tree, key) }
        try forest.sweep(Self.tree, in: ranges, of: rows)
        for key in later { forest.insert(Self.tree, key) }
      }
      model.apply(inserts: Set(later), removes: gone)
      if round % 10 == 0 { try fixture.reopen() }
      let samples = (0..<4).compactMap { _ in model.keys.randomElement(using: &random) } + gone.prefix(2)
      try fixture.read { forest in
        try forest.expectSound(Self.tree)
        try model.check(forest, Self.tree, about: samples, hint)
        try model.checkAll(forest, Self.tree, hint)
      }
    }
    #expect(swept > 0)
    // Nothing is left of a tree of which all rows go, nor of what its nodes could not hold.
    let all = try #require(NumberSet(Array(Self.rows)))
    try fixture.write { try $0.sweep(Self.tree, in: [.all], of: all) }
    let statistics = try fixture.read { try $0.expectSound(Self.tree) }
    #expect(statistics == TreeStatistics())
    let left = try fixture.environment.read { transaction in
      try transaction.statistics(of: fixture.nodes()).entries
        + transaction.statistics(of: fixture.overflow()).entries
    }
    #expect(left == 0)
  }

  @Test func aSweepReadsItsRangesAndWritesWhatChanges() throws {
    let fixture = try TextTreeFixture()
    func key(_ group: UInt64, _ row: UInt64) -> TextKey {
      TextKey(group: group, text: "entry \(row % 1000)", row: row)
    }
    try fixture.write { forest in
      for row in 0..<20_000 as Range<UInt64> {
        forest.insert(Self.tree, key(1, row))
        forest.insert(Self.tree, key(2, row))
      }
    }
    let before = try fixture.read { try $0.statistics(Self.tree) }
    try fixture.write { forest in
      try forest.sweep(Self.tree, in: [.group(2)], of: #require(NumberSet([30_000])))
      #expect(forest.metrics.nodesWritten == 0)
      #expect(forest.metrics.nodesRead < before.leaves * 3 / 4)
      try forest.sweep(Self.tree, in: [.group(2)], of: #require(NumberSet([7000])))
      #expect(forest.metrics.nodesWritten <= before.height + 1)
      try forest.sweep(Self.tree, in: [.group(1)], of: #require(NumberSet(Array(0..<20_000))))
    }
    let after = try fixture.read { forest in
      #expect(try forest.count(Self.tree, in: .group(1)) == 0)
      return try forest.expectSound(Self.tree)
    }
    #expect(after.entries == 19_999)
    try fixture.write {
      try $0.sweep(TextTreeSchema(id: 8, name: "none"), in: [.all], of: #require(NumberSet([1])))
    }
  }

  private static func newKeys(
    _ groups: UInt64, beside model: TextTreeModel, _ random: inout SeededGenerator
  ) -> Set<TextKey> {
    let present = Set(model.keys)
    let keys = (0..<Int.random(in: 0..<1500, using: &random)).map { _ in
      TextKey(
        group: .random(in: 0..<groups, using: &random) &* 0x0101_0101, text: TextSamples.text(using: &random),
        row: .random(in: rows, using: &random))
    }
    return Set(keys).subtracting(present)
  }

  /// One or two ranges that have nothing in common: groups, or what lies between two keys.
  private static func ranges(
    _ groups: UInt64, _ model: TextTreeModel, _ random: inout SeededGenerator
  ) -> [TextRange] {
    let keys = (0..<4).compactMap { _ in model.keys.randomElement(using: &random) }.sorted()
    guard keys.count == 4, random.next() % 4 > 0 else { return [.all] }
    let bounds: [TextBound] =
      random.next() % 2 == 0
      ? keys.map { .before($0) } : keys.map { .before(group: $0.group) }
    return [TextRange(lower: bounds[0], upper: bounds[1]), TextRange(lower: bounds[2], upper: bounds[3])]
  }

  private static func contains(_ key: TextKey, _ range: TextRange) -> Bool {
    func isBehind(_ bound: TextBound) -> Bool {
      guard let bytes = bound.bytes else { return false }
      let own = [UInt8](group: key.group, text: key.text)
      return own == bytes ? key.row >= bound.row : bytes.lexicographicallyPrecedes(own)
    }
    return isBehind(range.lower) && !isBehind(range.upper)
  }
}

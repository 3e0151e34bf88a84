import Foundation
import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// What a string tree promises beyond right answers.
@Suite struct TextTreeTests {
  static let tree = TextTreeSchema(id: 3, name: "texts")

  static func key(_ index: Int) -> TextKey {
    TextKey(group: 1, text: "entry \(String(index + 1_000_000))", row: UInt64(index))
  }

  @Test func anEmptyTreeAnswers() throws {
    let fixture = try TextTreeFixture()
    try fixture.read { forest in
      #expect(try forest.count(Self.tree) == 0)
      #expect(try forest.count(Self.tree, in: .all) == 0)
      #expect(try forest.rank(Self.tree, of: .after(Self.key(1))) == 0)
      #expect(try forest.select(Self.tree, 0) == nil)
      var cursor = try forest.cursor(Self.tree)
      #expect(try cursor.next() == nil)
      #expect(try cursor.previous() == nil)
      #expect(try cursor.key() == nil)
      try cursor.seek(to: .before(group: 5))
      try cursor.skip(.max)
      try cursor.skip(.min)
      #expect(cursor.rank == 0)
      try forest.expectSound(Self.tree)
    }
  }

  @Test func changesThatContradictTheTreeAreOutOfStep() throws {
    let fixture = try TextTreeFixture()
    let long = TextKey(group: 1, text: [UInt8](repeating: 65, count: 1000), row: 5)
    try fixture.write { forest in
      forest.insert(Self.tree, Self.key(1))
      forest.insert(Self.tree, long)
    }
    var longer = long
    longer.text.append(65)
    let wrong: [(Forest) -> Void] = [
      { $0.insert(Self.tree, Self.key(1)) }, { $0.remove(Self.tree, Self.key(2)) },
      { $0.insert(Self.tree, long) }, { $0.remove(Self.tree, longer) },
      {
        $0.insert(Self.tree, Self.key(3))
        $0.insert(Self.tree, Self.key(3))
      },
      {
        $0.remove(Self.tree, Self.key(1))
        $0.remove(Self.tree, Self.key(1))
      },
    ]
    for (index, change) in wrong.enumerated() {
      do {
        try fixture.write { forest in
          change(forest)
          do { try forest.flush() } catch {
            // Nothing else works after a failure.
            #expect(throws: IndexError.self) { () throws in _ = try forest.count(Self.tree) }
            throw error
          }
        }
        Issue.record("change \(index) was accepted")
      } catch IndexError.outOfStep(let tree, let key, _) {
        #expect(tree == Self.tree.id && key.count == 3)
      }
    }
    try fixture.write { forest in
      forest.remove(Self.tree, Self.key(1))
      forest.insert(Self.tree, Self.key(1))
      forest.insert(Self.tree, Self.key(2))
      forest.remove(Self.tree, Self.key(2))
      #expect(forest.pendingCount == 4)
      #expect(try forest.count(Self.tree) == 2)
      try forest.flush()
      #expect(forest.pendingCount == 0)
      #expect(try forest.count(Self.tree) == 2)
    }
  }

  @Test func workIsLogarithmicAndEachNodeIsWrittenOnce() throws {
    let fixture = try TextTreeFixture()
    try fixture.write { forest in
      for index in 0..<60_000 { forest.insert(Self.tree, Self.key(index)) }
    }
    let statistics = try fixture.read { try $0.expectSound(Self.tree) }
    #expect(statistics.entries == 60_000)
    try fixture.read { forest in
      _ = try forest.rank(Self.tree, of: .before(Self.key(31_234)))
      #expect(forest.metrics.nodesRead == statistics.height)
      #expect(try forest.select(Self.tree, 31_234) == Self.key(31_234))
      #expect(forest.metrics.nodesRead == 2 * statistics.height)
      let range = TextRange(lower: .before(Self.key(100)), upper: .before(Self.key(50_100)))
      #expect(try forest.count(Self.tree, in: range) == 50_000)
      #expect(forest.metrics.nodesRead == 4 * statistics.height)
    }
    try fixture.write { forest in
      forest.insert(Self.tree, TextKey(group: 1, text: "entry", row: 1))
      forest.insert(Self.tree, TextKey(group: 1, text: "entry", row: 2))
      try forest.flush()
      #expect(forest.metrics.nodesWritten <= statistics.height + 2)
    }
  }

  @Test func keysInOrderLeaveFullLeaves() throws {
    let fixture = try TextTreeFixture()
    for batch in 0..<400 {
      try fixture.write { forest in
        for index in 0..<50 { forest.insert(Self.tree, Self.key(batch * 50 + index)) }
      }
    }
    let grown = try fixture.read { try $0.expectSound(Self.tree) }
    try fixture.write { try $0.rebuild(Self.tree, spare: 0) }
    let full = try fixture.read { try $0.expectSound(Self.tree) }
    #expect(grown.entries == full.entries)
    #expect(grown.leaves <= full.leaves * 11 / 10)
  }

  @Test func buildsFromSortedKeysAndDrops() throws {
    let seed = TestEnvironment.seed(for: "buildsFromSortedKeysAndDrops")
    var random = SeededGenerator(seed: seed)
    let keys = Set(
      (0..<20_000).map { _ in
        TextKey(
          group: .random(in: 0..<4, using: &random), text: TextSamples.text(using: &random),
          row: .random(in: 0..<9000, using: &random))
      })
    var model = TextTreeModel()
    model.apply(inserts: keys, removes: [])
    let fixture = try TextTreeFixture()
    try fixture.write { forest in
      var next = 0
      try forest.build(Self.tree) {
        next += 1
        return next <= model.keys.count ? model.keys[next - 1] : nil
      }
      #expect(throws: IndexError.self) { try forest.build(Self.tree) { nil } }
    }
    try fixture.read { forest in
      try forest.expectSound(Self.tree)
      try model.checkAll(forest, Self.tree, "built, seed \(seed)")
    }
    let other = TextTreeSchema(id: 4, name: "other")
    #expect(throws: IndexError.self) {
      try fixture.write { forest in
        var keys = [Self.key(2), Self.key(1)]
        try forest.build(other) { keys.popLast() }
        keys = [Self.key(1), Self.key(2)]
        try forest.build(TextTreeSchema(id: 5, name: "unordered")) { keys.popLast() }
      }
    }
    try fixture.write { try $0.drop(Self.tree) }
    let count = try fixture.read { try $0.count(Self.tree) }
    #expect(count == 0)
    let left = try fixture.environment.read { transaction in
      try transaction.statistics(of: fixture.nodes()).entries
        + transaction.statistics(of: fixture.overflow()).entries
    }
    #expect(left == 0)
  }

  @Test func textsOfMegabytesAreExact() throws {
    let fixture = try TextTreeFixture()
    var text = [UInt8](repeating: 0x61, count: 3 << 20)
    let first = TextKey(group: 9, text: text, row: 2)
    let second = TextKey(group: 9, text: text, row: 3)
    text[text.count - 1] = 0x62
    let third = TextKey(group: 9, text: text, row: 1)
    var model = TextTreeModel()
    model.apply(inserts: [first, second, third], removes: [])
    try fixture.write { forest in
      for key in [third, first, second] { forest.insert(Self.tree, key) }
      try model.check(forest, Self.tree, about: model.keys, "megabytes")
    }
    try fixture.write { $0.remove(Self.tree, second) }
    model.apply(inserts: [], removes: [second])
    try fixture.read { forest in
      try forest.expectSound(Self.tree)
      try model.check(forest, Self.tree, about: [first, second, third], "megabytes")
    }
  }

  /// The bytes of a tree are those of its groups together, and a leaf of several groups is shared by their entries.
  @Test func bytesAreSharedByRanges() throws {
    func statistics(_ keys: [TextKey], _ groups: [UInt64]) throws -> (tree: TreeStatistics, bytes: [Int]) {
      let fixture = try TextTreeFixture()
      try fixture.write { forest in for key in keys { forest.insert(Self.tree, key) } }
      return try fixture.read { try $0.statistics(Self.tree, sharedBy: groups.map { .group($0) }) }
    }
    func keys(_ group: UInt64, _ count: Int) -> [TextKey] {
      (0..<count).map { TextKey(group: group, text: Array("entry \($0)".utf8), row: UInt64($0)) }
    }
    let leaf = try statistics(keys(1, 30) + keys(2, 10), [1, 2, 3])
    #expect(leaf.tree.leaves == 1 && leaf.bytes[2] == 0)
    #expect(abs(leaf.bytes[0] - leaf.tree.bytes * 3 / 4) <= 1, "\(leaf)")
    #expect(abs(leaf.bytes[1] - leaf.tree.bytes / 4) <= 1, "\(leaf)")

    let long = TextKey(group: 7, text: [UInt8](repeating: 0x61, count: 1 << 20), row: 1)
    let large = try statistics(keys(1, 20_000) + keys(2, 10) + keys(5, 10_000) + [long], [5, 1, 7, 2])
    #expect(large.tree.height > 1 && large.tree.entries == 30_011)
    #expect(abs(large.bytes.reduce(0, +) - large.tree.bytes) <= 4, "\(large)")
    let entry = Double(large.bytes[1]) / 20_000
    #expect(abs(Double(large.bytes[0]) / 10_000 - entry) < entry / 2, "\(large)")
    #expect(large.bytes[3] < 1000, "\(large)")

    let all = try statistics(keys(4, 3000) + [long], [4, 7]).tree
    let whole = try statistics([long], [7])
    #expect(whole.bytes == [whole.tree.bytes] && whole.tree.bytes >= 1 << 20 && all.bytes > whole.tree.bytes)
    #expect(try statistics([], [1]).bytes == [0])
  }

  /// A cursor of a write goes on over the texts of its last seek, and says when a flush has changed the tree under it.
  @Test func cursorsKeepTheirTextsUntilAFlush() throws {
    let fixture = try TextTreeFixture()
    try fixture.write { forest in
      for index in 0..<5000 { forest.insert(Self.tree, Self.key(index)) }
      try forest.flush()
      var cursor = try forest.cursor(Self.tree)
      #expect(try cursor.next() == 0)
      forest.insert(Self.tree, TextKey(group: 0, text: "before", row: 1))
      #expect(try forest.count(Self.tree) == 5001)
      try cursor.skip(4000)
      #expect(try cursor.next() == 4001)
      try cursor.seek(toRank: 1)
      #expect(try cursor.next() == 0)
      try forest.flush()
      #expect(throws: IndexError.cursorExpired(tree: Self.tree.id)) {
        while try cursor.next() != nil {}
      }
      try cursor.seek(toRank: 1)
      #expect(try cursor.next() == 0)
      #expect(try forest.count(Self.tree) == 5001)
    }
  }

  /// Not an assertion of speed: prints what the tree costs, when asked for.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["SATCHEL_RANKED_MEASURE"] != nil))
  func measure() throws {
    var random = SeededGenerator(seed: 1)
    let colours = ["red", "green", "blue"]
    let keys = (0..<25_000).flatMap { row in
      [
        TextKey(group: 1, text: "user \(UInt64.random(in: 0..<100_000, using: &random))", row: UInt64(row)),
        TextKey(group: 2, text: colours[row % 3], row: UInt64(row)),
        TextKey(
          group: 3, text: "2024-\(10 + row % 3)-\(10 + row % 18)T\(10 + row % 14):00:00Z", row: UInt64(row)),
        TextKey(group: 4, text: "Conversation \(row) of team \(row % 50)", row: UInt64(row)),
      ]
    }.shuffled(using: &random)
    let fixture = try TextTreeFixture()
    let clock = ContinuousClock()
    func report(_ what: String, _ count: Int, _ body: () throws -> Void) rethrows {
      let time = try clock.measure(body)
      print("\(what): \(Int(time / .nanoseconds(1)) / count) ns")
    }
    try report("insert in batches of 1,000", keys.count) {
      for start in stride(from: 0, to: keys.count, by: 1000) {
        try fixture.write { forest in
          for key in keys[start..<start + 1000] { forest.insert(Self.tree, key) }
        }
      }
    }
    let grown = try fixture.read { try $0.statistics(Self.tree) }
    print("grown: \(Double(grown.bytes) / Double(grown.entries)) bytes an entry, height \(grown.height)")
    #expect(grown.entries == keys.count)
    try fixture.write { try $0.rebuild(Self.tree) }
    let built = try fixture.read { try $0.statistics(Self.tree) }
    print("rebuilt: \(Double(built.bytes) / Double(built.entries)) bytes an entry")
    try fixture.read { forest in
      let bounds = keys.prefix(20_000).map { TextBound.before($0) }
      let ranges = keys.prefix(20_000).map { TextRange.text($0.text, group: $0.group) }
      var sum = 0
      for _ in 0..<3 {
        try report("rank", bounds.count) {
          for bound in bounds { sum += try forest.rank(Self.tree, of: bound) }
        }
        try report("count of a text", ranges.count) {
          for range in ranges { sum += try forest.count(Self.tree, in: range) }
        }
        var cursor = try forest.cursor(Self.tree)
        try report("cursor seek and row", bounds.count) {
          for bound in bounds {
            try cursor.seek(to: bound)
            sum += Int(try cursor.next() ?? 0)
          }
        }
        try report("select", bounds.count) {
          for index in bounds.indices {
            sum += try forest.select(Self.tree, index * 7919 % keys.count)?.text.count ?? 0
          }
        }
        try cursor.seek(toRank: 0)
        try report("scan of rows", keys.count) { while let row = try cursor.next() { sum += Int(row) } }
        try cursor.seek(toRank: 0)
        var rows: [UInt64] = []
        rows.reserveCapacity(keys.count)
        try report("scan of rows in batches", keys.count) {
          while try cursor.read(into: &rows, limit: 256) {}
        }
        try cursor.seek(toRank: 0)
        #expect(Set(rows) == Set(0..<25_000))
        try report("scan of texts", keys.count) {
          while try cursor.next() != nil { sum += try cursor.text()?.count ?? 0 }
        }
      }
      print(sum)
    }
  }
}

import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// Entries that are gathered, and sorted, before a forest gets them.
@Suite struct TextBatchTests {
  static let tree = TextTreeSchema(id: 6, name: "batches")

  /// Keys of one sort: what a sort by words gets wrong would be in one of them.
  static func key(_ sort: Int, _ row: UInt64, _ random: inout SeededGenerator) -> TextKey {
    func bytes(_ count: Int, _ values: ClosedRange<UInt8>) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: values, using: &random) }
    }
    let text: [UInt8] =
      switch sort {
      case 0: TextSamples.text(using: &random)
      // Numbers with the same first bytes, as columns have them.
      case 1: [1, 0x80, 0, 0, 0, 0, 0] + bytes(2, 0...9) + [1, 0x80, 0, 5] + bytes(5, 0...255)
      // Equal but for the zeros at their ends, and none at all.
      case 2: [UInt8](repeating: 0, count: Int.random(in: 0...20, using: &random))
      // What tells them apart comes late.
      case 3: [UInt8](repeating: 7, count: 40) + bytes(3, 0...3)
      case 4: bytes(Int.random(in: 0...50, using: &random), 0...1)
      // One text.
      default: [5, 97, 0, 1]
      }
    return TextKey(group: sort == 1 ? 3 : UInt64.random(in: 3...4, using: &random), text: text, row: row)
  }

  static func batch(_ keys: some Sequence<TextKey>) -> TextBatch {
    var batch = TextBatch(tree)
    for key in keys { batch.append(group: key.group, text: key.text.span.bytes, row: key.row) }
    return batch
  }

  static func entries(_ forest: Forest) throws -> [TextKey] {
    var entries: [TextKey] = []
    var cursor = try forest.cursor(tree)
    while try cursor.next() != nil, let key = try cursor.key() { entries.append(key) }
    return entries
  }

  @Test(arguments: 0..<6) func aBatchIsWhatItsEntriesAreOneByOne(sort: Int) throws {
    var random = SeededGenerator(for: "\(#function) \(sort)")
    for _ in 0..<12 {
      let fixture = try TextTreeFixture()
      let rows = (0..<UInt64.random(in: 1...400, using: &random)).shuffled(using: &random)
      let keys = rows.map { Self.key(sort, $0, &random) }
      let (first, second) = (keys.prefix(keys.count / 3), keys.dropFirst(keys.count / 3))
      try fixture.write { forest in
        for key in first { forest.insert(Self.tree, key) }
      }
      let half = second.count / 2
      var batch = Self.batch(second.prefix(half))
      if random.oneIn(2) { batch.sort() }
      batch.append(Self.batch(second.dropFirst(half)))
      if random.oneIn(2) { batch.sort() }
      batch.removeEntries { $0 % 5 == 0 }
      if random.oneIn(2) { batch.sort() }
      #expect(batch.count == second.count { $0.row % 5 != 0 })
      let expected = (first.dropFirst() + second.filter { $0.row % 5 != 0 }).sorted()
      try fixture.write { forest in
        if let removed = first.first { forest.remove(Self.tree, removed) }
        // The same key comes and goes beside it: changes of one key stay in the order in which they were made.
        let other = TextKey(group: 9, text: "x", row: 1)
        forest.insert(Self.tree, other)
        forest.insert(batch)
        forest.remove(Self.tree, other)
        guard random.oneIn(2) else { return }
        let entries = try Self.entries(forest)
        #expect(entries == expected)
      }
      try fixture.read { forest in
        #expect(try Self.entries(forest) == expected)
        try forest.expectSound(Self.tree)
      }
    }
  }

  @Test func anEntryThatIsThereIsRefused() throws {
    let fixture = try TextTreeFixture()
    let key = TextKey(group: 1, text: "text", row: 8)
    try fixture.write { $0.insert(Self.batch([key])) }
    #expect(throws: IndexError.self) { try fixture.write { $0.insert(Self.batch([key])) } }
    #expect(throws: IndexError.self) {
      let twice = TextKey(group: 1, text: "other", row: 8)
      try fixture.write { $0.insert(Self.batch([twice, twice])) }
    }
    try fixture.write { $0.insert(TextBatch(Self.tree)) }
    #expect(try fixture.read { try Self.entries($0) } == [key])
  }
}

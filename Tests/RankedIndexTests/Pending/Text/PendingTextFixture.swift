import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// A string tree with some texts, pending texts beside it, and what both together should read as.
struct PendingTextFixture {
  static let tree = TextTreeSchema(id: 11, name: "pending texts")

  enum Change {
    case insert
    case remove
  }

  let file: TextTreeFixture
  var pending: PendingTexts
  var model: TextTreeModel

  init(base: [TextKey]) throws {
    let file = try TextTreeFixture()
    try file.write { forest in
      for key in base { forest.insert(Self.tree, key) }
    }
    self.file = file
    var model = TextTreeModel()
    model.apply(inserts: Set(base), removes: [])
    self.model = model
    pending = PendingTexts(Self.tree)
  }

  /// Keys that are ordered by their numbers.
  init(numbers: some Sequence<Int>) throws { try self.init(base: numbers.map(Self.key)) }

  /// Returns the key of a number from 0 to 99,999. All share a beginning, and some have the same text.
  static func key(_ number: Int) -> TextKey {
    let digits = String(number / 3)
    return TextKey(
      group: 5, text: "text-" + String(repeating: "0", count: 5 - digits.count) + digits,
      row: UInt64(number % 3))
  }

  /// The words that an error names a key with.
  static func words(_ key: TextKey) -> [UInt64] {
    var start: UInt64 = 0
    for index in 0..<8 { start = start << 8 | UInt64(index < key.text.count ? key.text[index] : 0) }
    return [key.group, start, key.row]
  }

  /// Adds one commit.
  mutating func commit(_ changes: [(Change, TextKey)]) throws {
    pending = try pending.adding(changes)
    for (change, key) in changes {
      switch (change, model.index(of: key)) {
      case (.insert, nil): model.insert(key)
      case (.remove, let index?): model.remove(at: index)
      default: Issue.record("\(change) of \(key) is wrong in the model too")
      }
    }
  }

  mutating func commit(_ changes: [(Change, Int)]) throws {
    try commit(Self.changes(changes))
  }

  /// Adds inserts of keys from number `start` on, as many as make the small run full, so that it is merged into the large
  /// one.
  mutating func promote(from start: Int) throws {
    let count = Runs<TextTreeSchema>.smallRunBound(Self.tree) + 1
    try commit((start..<start + count).map { (.insert, $0) })
    #expect(pending.runCounts.small == 0)
  }

  static func changes(_ changes: [(Change, Int)]) -> [(Change, TextKey)] { changes.map { ($0, key($1)) } }

  /// Returns where reads differ from the model: at every rank and every key, and at random places.
  func differences(seed: UInt64 = 1) throws -> [String] {
    try file.read(over: pending.forest) { forest in
      try Self.differences(MergedTexts(forest, Self.tree), model, seed: seed)
    }
  }

  static func differences(
    _ merged: MergedTexts, _ model: TextTreeModel, seed: UInt64 = 1
  ) throws -> [String] {
    var differences: [String] = []
    for (index, key) in model.keys.enumerated() {
      let found = try merged.select(index)
      if found != key { differences.append("select(\(index)) is \(String(describing: found))") }
      let rank = try merged.rank(of: .before(key))
      if rank != index { differences.append("rank of \(key) is \(rank)") }
    }
    var comparison = MergedTextComparison(tree, random: SeededGenerator(seed: seed)) {
      key($0.below(3_000))
    }
    try comparison.compare(merged, model, queries: 20)
    return differences + comparison.differences
  }

  /// Returns the faults that the check of the pending texts finds.
  func faults() throws -> [IndexError] {
    var faults: [IndexError] = []
    try file.read(over: pending.forest) { forest in
      try MergedTexts(forest, Self.tree).verify { faults.append($0) }
    }
    return faults
  }
}

import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// Random commits to pending texts beside a string tree, and random reads of both together, against a sorted array.
///
/// `SATCHEL_RANKED_OPERATIONS` sets the changes over all kinds of texts together, `SATCHEL_SEED` repeats a run.
@Suite struct PendingTextRandomTests {
  @Test(arguments: TextSource.all)
  func agreesWithSortedArray(_ source: TextSource) throws {
    let seed = TestEnvironment.seed(for: "pending texts, \(source)")
    let total = TestEnvironment.count("SATCHEL_RANKED_OPERATIONS", usual: 24_000)
    var run = try PendingTextRun(source, seed: seed)
    try run.run(operations: total / TextSource.all.count)
    let done = run.done
    print("\(source): \(done)")
    #expect(done.commits > 0 && done.promotions > 0 && done.checkpoints > 0 && done.versions > 0)
    #expect(done.reinserts > 0)
  }
}

/// A tree of texts and the keys that it gets.
struct TextSource: CustomStringConvertible, Sendable {
  let tree: TextTreeSchema
  let make: @Sendable (inout SeededGenerator) -> TextKey

  var description: String { tree.name }

  static let all = [
    TextSource(tree: TextTreeSchema(id: 1, name: "texts of one group")) { random in
      TextKey(group: 3, text: TextSamples.text(using: &random), row: random.next() % 3_000)
    },
    TextSource(tree: TextTreeSchema(id: 2, name: "texts of many groups")) { random in
      TextKey(
        group: random.next() % 2_000 &* 0x0101_0101_0101_0101, text: TextSamples.text(using: &random),
        row: random.next())
    },
    // The same few keys again and again, so that most rows lie over rows of the other run. They are equal in all that a
    // node holds, or prefixes of one another, or empty.
    TextSource(tree: TextTreeSchema(id: 0, name: "few texts")) { random in
      var text: [UInt8] = []
      if random.oneIn(2) { text = TextSamples.longPrefix.dropLast(random.below(4) * 20) }
      for _ in 0..<random.below(3) { text.append(random.pick([0, 0x6B, 0x80, 0xFF])) }
      return TextKey(group: random.pick([0, 1, .max]), text: text, row: random.pick([0, 1, 2, 3, .max]))
    },
    // As a dictionary gets them: each text once, with the next number.
    TextSource(tree: TextTreeSchema(id: 28, name: "identifiers")) { random in
      let number = random.next() % 100_000
      return TextKey(group: number % 3, text: "user-\(number &* 0x9E37_79B9 % 100_003)", row: number)
    },
  ]
}

/// One sequence of random commits.
private struct PendingTextRun {
  /// What a run has done, so that none passes without having tried everything.
  struct Done {
    var commits = 0
    var promotions = 0
    var checkpoints = 0
    var versions = 0
    var reinserts = 0
    var questions = 0
  }

  let source: TextSource
  let file: TextTreeFixture
  var random: SeededGenerator
  var model = TextTreeModel()
  var pending: PendingTexts
  /// Earlier versions over the same state of the tree, with what they should read as.
  var versions: [(pending: PendingTexts, model: TextTreeModel)] = []
  var removed: [TextKey] = []
  /// The chance of a removal: changes over a run, so that trees grow and shrink.
  var removals = 20
  var done = Done()

  var tree: TextTreeSchema { source.tree }

  init(_ source: TextSource, seed: UInt64) throws {
    self.source = source
    file = try TextTreeFixture()
    random = SeededGenerator(seed: seed)
    pending = PendingTexts(source.tree)
  }

  mutating func run(operations: Int) throws {
    // At least one merge of the runs, and one older version read after it.
    for size in [1, 500] { try commit(size) }
    for version in versions { try compare(version.pending, version.model, 5) }
    done.versions += versions.count
    try checkpoint()
    var rest = operations
    while rest > 0 {
      removals = random.pick([5, 20, 45, 60])
      let size = min(rest, random.pick(weighted: [(60, 1), (32, 10), (6, 100), (2, 1_000)]))
      rest -= size
      try commit(size)
      try compare(queries: size < 10 ? 2 : 4)
      if random.oneIn(15) { try verify() }
      if random.oneIn(30) { try checkpoint() }
      if random.oneIn(50) { try file.reopen() }
    }
    // Commits so large that the small run has several of them, and small ones behind them.
    for size in [2_100, 2_100, 2_100, 2_100, 1, 10] {
      try commit(size)
      try compare(queries: 4)
    }
    try compare(queries: 100)
    try verify()
    try checkpoint()
    #expect(pending.isEmpty)
    try compare(queries: 20)
  }

  private mutating func commit(_ size: Int) throws {
    versions.append((pending, model))
    if versions.count > 6 { versions.remove(at: random.below(6)) }
    var changes: [(PendingTextFixture.Change, TextKey)] = []
    while changes.count < size { change(&changes) }
    let large = pending.runCounts.large
    pending = try pending.adding(changes)
    if pending.runCounts.large != large { done.promotions += 1 }
    let most = size > Runs<TextTreeSchema>.manyChanges ? Runs<TextTreeSchema>.batchesOfSmallRun * size : 0
    #expect(pending.runCounts.small <= max(most, Runs<TextTreeSchema>.smallRunBound(tree)))
    done.commits += 1
  }

  private mutating func change(_ changes: inout [(PendingTextFixture.Change, TextKey)]) {
    if random.percent(removals), !model.keys.isEmpty {
      // Half of the time one of the last texts.
      let count = model.keys.count
      let index = random.oneIn(2) ? random.below(count) : count - 1 - random.below(min(count, 40))
      let key = model.keys[index]
      changes.append((.remove, key))
      removed.append(key)
      if removed.count > 300 { removed.remove(at: random.below(300)) }
      model.remove(at: index)
    } else {
      let isAgain = !removed.isEmpty && random.oneIn(3)
      let key = isAgain ? random.pick(removed) : source.make(&random)
      guard model.index(of: key) == nil else { return }
      if isAgain { done.reinserts += 1 }
      changes.append((.insert, key))
      model.insert(key)
    }
  }

  private mutating func compare(queries: Int) throws {
    try compare(pending, model, queries)
    if random.oneIn(3), !versions.isEmpty {
      let version = random.pick(versions)
      try compare(version.pending, version.model, queries)
      done.versions += 1
    }
  }

  private mutating func compare(_ pending: PendingTexts, _ model: TextTreeModel, _ queries: Int)
    throws
  {
    var comparison = MergedTextComparison(tree, random: random.fork(), make: source.make)
    comparison.keys = removed
    try file.read(over: pending.forest) { forest in
      try comparison.compare(MergedTexts(forest, tree), model, queries: queries)
    }
    done.questions += queries
    #expect(comparison.differences == [])
  }

  private func verify() throws {
    try file.read(over: pending.forest) { forest in
      try MergedTexts(forest, tree).verify { Issue.record($0) }
    }
  }

  /// Writes all that is pending into the tree.
  private mutating func checkpoint() throws {
    try file.write(over: pending.forest) { _ in }
    pending = PendingTexts(tree)
    versions = []
    done.checkpoints += 1
    try file.read { forest in
      try forest.expectSound(tree)
      try model.checkAll(forest, tree, "after a checkpoint")
    }
    try compare(queries: 5)
  }
}

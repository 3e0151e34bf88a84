import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// Random commits to pending rows beside a tree, and random reads of both together, against a sorted array.
///
/// `SATCHEL_RANKED_OPERATIONS` sets the changes over all kinds of keys together, `SATCHEL_SEED` repeats a run.
@Suite struct PendingRandomTests {
  /// The same few keys again and again, so that most rows lie over rows of the other run; and all that trees alone are
  /// tested with.
  static let sources =
    RowSource.all + [
      RowSource(tree: TreeSchema(id: 0, name: "few keys", keyColumns: 2, payloadColumns: 1)) {
        random, serial in
        Words(random.next() % 7, random.next() % 150, serial)
      }
    ]

  @Test(arguments: sources)
  func agreesWithSortedArray(_ source: RowSource) throws {
    let seed = TestEnvironment.seed(for: "pending rows, \(source)")
    let total = TestEnvironment.count("SATCHEL_RANKED_OPERATIONS", usual: 72_000)
    var run = try PendingRun(source, seed: seed)
    try run.run(operations: total / Self.sources.count)
    let done = run.done
    print("\(source): \(done)")
    #expect(done.commits > 0 && done.promotions > 0 && done.checkpoints > 0 && done.versions > 0)
    #expect(done.reinserts > 0)
  }
}

/// One sequence of random commits.
private struct PendingRun {
  /// What a run has done, so that none passes without having tried everything.
  struct Done {
    var commits = 0
    var promotions = 0
    var checkpoints = 0
    var versions = 0
    var reinserts = 0
    var questions = 0
  }

  let source: RowSource
  let scratch: Scratch
  var random: SeededGenerator
  var model: SortedRows
  var pending: PendingRows
  /// Earlier versions over the same state of the tree, with what they should read as.
  var versions: [(pending: PendingRows, model: SortedRows)] = []
  var removed: [Words] = []
  var serial: UInt64 = 0
  /// The chance of a removal: changes over a run, so that trees grow and shrink.
  var removals = 20
  var done = Done()

  var tree: TreeSchema { source.tree }

  init(_ source: RowSource, seed: UInt64) throws {
    self.source = source
    scratch = try Scratch()
    random = SeededGenerator(seed: seed)
    model = SortedRows(keyColumns: source.tree.keyColumns)
    pending = PendingRows(source.tree)
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
      if random.oneIn(50) { try scratch.reopen() }
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
    var changes: [(PendingFixture.Change, Words)] = []
    while changes.count < size { change(&changes) }
    let large = pending.runCounts.large
    pending = try pending.adding(changes)
    if pending.runCounts.large != large { done.promotions += 1 }
    let most = size > Runs<TreeSchema>.manyChanges ? Runs<TreeSchema>.batchesOfSmallRun * size : 0
    #expect(pending.runCounts.small <= max(most, Runs<TreeSchema>.smallRunBound(tree)))
    done.commits += 1
  }

  private mutating func change(_ changes: inout [(PendingFixture.Change, Words)]) {
    serial += 1
    var row = source.make(&random, serial)
    let choice = random.below(100)
    if choice < removals, !model.rows.isEmpty {
      let index = randomIndex()
      changes.append((.remove, model.rows[index]))
      removed.append(model.rows[index])
      if removed.count > 300 { removed.remove(at: random.below(300)) }
      model.remove(at: index)
    } else if choice > 85, !model.rows.isEmpty {
      let index = randomIndex()
      for column in 0..<tree.keyColumns { row[column] = model.rows[index][column] }
      changes.append((.replace, row))
      model.replace(at: index, row)
    } else {
      let isAgain = !removed.isEmpty && random.oneIn(3)
      if isAgain {
        let key = random.pick(removed)
        for column in 0..<tree.keyColumns { row[column] = key[column] }
      }
      guard model.index(of: row) == nil else { return }
      if isAgain { done.reinserts += 1 }
      changes.append((.insert, row))
      model.insert(row)
    }
  }

  /// Half of the time one of the last rows, as in a chat.
  private mutating func randomIndex() -> Int {
    let count = model.rows.count
    return random.oneIn(2) ? random.below(count) : count - 1 - random.below(min(count, 40))
  }

  private mutating func compare(queries: Int) throws {
    try compare(pending, model, queries)
    if random.oneIn(3), !versions.isEmpty {
      let version = random.pick(versions)
      try compare(version.pending, version.model, queries)
      done.versions += 1
    }
  }

  private mutating func compare(_ pending: PendingRows, _ model: SortedRows, _ queries: Int) throws {
    var comparison = MergedComparison(source, random: random.fork())
    comparison.keys = removed
    try scratch.read(over: pending.forest) { forest in
      try comparison.compare(MergedRows(forest, tree), model, queries: queries)
    }
    done.questions += queries
    #expect(comparison.differences == [])
  }

  private func verify() throws {
    try scratch.read(over: pending.forest) { forest in
      try MergedRows(forest, tree).verify { Issue.record($0) }
    }
  }

  /// Writes all that is pending into the tree.
  private mutating func checkpoint() throws {
    try scratch.write(over: pending.forest) { _ in }
    pending = PendingRows(tree)
    versions = []
    done.checkpoints += 1
    var found: [Words] = []
    try scratch.read { forest in
      _ = try forest.verify(tree, report: { Issue.record($0) }, entry: { found.append($0) })
    }
    #expect(found == model.rows)
    try compare(queries: 5)
  }
}

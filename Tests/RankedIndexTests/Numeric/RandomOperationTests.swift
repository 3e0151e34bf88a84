import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// Random changes and reads of every kind of keys, against a sorted array.
///
/// `SATCHEL_RANKED_OPERATIONS` sets the changes over all kinds together, `SATCHEL_SEED` repeats a run.
@Suite struct RandomOperationTests {
  @Test(arguments: RowSource.all)
  func agreesWithSortedArray(_ source: RowSource) throws {
    let seed = TestEnvironment.seed(for: "\(source)")
    let total = TestEnvironment.count("SATCHEL_RANKED_OPERATIONS", usual: 120_000)
    var run = try RandomRun(source, seed: seed)
    try run.run(operations: total / RowSource.all.count)
  }
}

/// One sequence of random changes.
private struct RandomRun {
  let source: RowSource
  let scratch: Scratch
  var random: SeededGenerator
  var model: SortedRows
  var serial: UInt64 = 0
  /// The chance of a removal: changes over a run, so that trees grow and shrink.
  var removals = 20

  var tree: TreeSchema { source.tree }

  init(_ source: RowSource, seed: UInt64) throws {
    self.source = source
    scratch = try Scratch()
    random = SeededGenerator(seed: seed)
    model = SortedRows(keyColumns: source.tree.keyColumns)
  }

  mutating func run(operations: Int) throws {
    var done = 0
    while done < operations {
      removals = [5, 20, 45, 60, 90][below(5)]
      let size = [1, 2, 7, 50, 300, 1_000, 5_000, 10_000][below(8)]
      let batch = min(size, operations - done)
      // A transaction that is read more often makes more of its changes part of sorted runs before the flush.
      let reads = [0, 1, 3, 20][below(4)]
      var copy = self
      try scratch.write { forest in
        for index in 0..<batch {
          copy.change(forest)
          if reads > 0, index % (batch / reads + 1) == batch / (reads + 1) {
            try copy.compare(forest, queries: 3)
            if copy.below(20) == 0 { try forest.flush() }
          }
        }
      }
      model = copy.model
      random = copy.random
      serial = copy.serial
      done += batch
      if below(8) == 0 { try scratch.reopen() }
      try compare(queries: min(20, batch))
      if batch >= 300 || below(20) == 0 { try verify() }
      if below(40) == 0 {
        try scratch.write { try $0.rebuild(tree) }
        try verify()
      }
      if below(10) == 0 { try removeRange() }
      if below(10) == 0 { try sweep() }
    }
    try verify()
    try compare(queries: 200)
    try scratch.write { try $0.drop(tree) }
    #expect(try scratch.read { try $0.count(tree) } == 0)
    try scratch.read { forest in try forest.verifyNodeNumbers { Issue.record($0) } }
  }

  private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  private mutating func change(_ forest: Forest) {
    let choice = Int(random.next() % 100)
    if choice < removals, !model.rows.isEmpty {
      let index = Int(random.next() % UInt64(model.rows.count))
      forest.remove(tree, model.rows[index])
      model.remove(at: index)
    } else if choice > 90, !model.rows.isEmpty {
      let index = Int(random.next() % UInt64(model.rows.count))
      serial += 1
      var row = source.make(&random, serial)
      for column in 0..<tree.keyColumns { row[column] = model.rows[index][column] }
      forest.replace(tree, row)
      model.replace(at: index, row)
    } else {
      serial += 1
      let row = source.make(&random, serial)
      guard model.index(of: row) == nil else { return }
      forest.insert(tree, row)
      model.insert(row)
    }
  }

  /// Takes out a run of neighbours, as the deletion of a conversation does.
  private mutating func removeRange() throws {
    guard !model.rows.isEmpty else { return }
    let first = below(model.rows.count)
    let count = min(below(4_000) + 1, model.rows.count - first)
    let rows = model.rows[first..<first + count]
    try scratch.write { forest in
      for row in rows { forest.remove(tree, row) }
    }
    for _ in 0..<count { model.remove(at: first) }
    try verify()
  }

  /// Takes out what belongs to some numbers, as the deletion of many conversations does, beside changes of other rows.
  private mutating func sweep() throws {
    guard !model.rows.isEmpty else { return }
    let column = below(tree.columns)
    let first = model.rows[below(model.rows.count)][column]
    let near = Set(model.rows.lazy.map { $0[column] }.filter { $0 >= first && $0 - first < 1 << 20 })
    let share = [3, 50, 100][below(3)]
    let gone = Set([first] + near.sorted().filter { _ in below(100) < share })
    let numbers = try #require(NumberSet(gone.sorted()))
    var copy = self
    try scratch.write { forest in
      for _ in 0..<copy.below(30) { copy.change(forest) }
      try forest.sweep(copy.tree, column: column, of: numbers)
      copy.model.removeAll { gone.contains($0[column]) }
      for _ in 0..<copy.below(30) { copy.change(forest) }
    }
    self = copy
    try verify()
  }

  private func verify() throws {
    var found: [Words] = []
    try scratch.read { forest in
      let checked = try forest.verify(tree, report: { Issue.record($0) }, entry: { found.append($0) })
      try forest.verifyNodeNumbers { Issue.record($0) }
      #expect(try forest.statistics(tree) == checked)
    }
    #expect(found == model.rows)
  }

  private mutating func randomBound() -> Bound {
    serial += 1
    var row = source.make(&random, serial)
    if below(3) > 0, !model.rows.isEmpty { row = model.rows[below(model.rows.count)] }
    if below(6) == 0 { row[below(tree.keyColumns)] &+= random.next() % 3 &- 1 }
    if below(20) == 0 { row[below(tree.keyColumns)] = [0, .max, 1 << 63][below(3)] }
    let columns = below(tree.keyColumns + 1)
    return below(2) == 0 ? .before(row, columns: columns) : .after(row, columns: columns)
  }

  private mutating func compare(queries: Int) throws {
    var copy = self
    try scratch.read { forest in try copy.compare(forest, queries: queries) }
    random = copy.random
    serial = copy.serial
  }

  private mutating func compare(_ forest: Forest, queries: Int) throws {
    #expect(try forest.count(tree) == model.rows.count)
    for _ in 0..<queries { try query(forest) }
  }

  private mutating func query(_ forest: Forest) throws {
    let lower = randomBound()
    let upper = randomBound()
    let range = KeyRange(lower: lower, upper: upper)
    let expected = model.slice(range)
    #expect(try forest.rank(tree, of: lower) == model.rank(lower))
    #expect(try forest.count(tree, in: range) == expected.count)
    let index = below(model.rows.count + 2)
    #expect(try forest.select(tree, index) == (index < model.rows.count ? model.rows[index] : nil))
    #expect(try forest.select(tree, -1) == nil)

    var cursor = try forest.cursor(tree)
    try cursor.seek(to: lower)
    let limit = [1, 10, 100_000][below(3)]
    let isWhole = expected.count < limit
    var rows: [Words] = []
    #expect(try cursor.read(into: &rows, upTo: upper, limit: limit) == !isWhole)
    #expect(rows == Array(expected.prefix(limit)))
    try cursor.seek(to: upper)
    rows = []
    #expect(try cursor.readBack(into: &rows, downTo: lower, limit: limit) == !isWhole)
    #expect(rows == Array(expected.reversed().prefix(limit)))

    let column = below(tree.columns)
    var values: [UInt64] = []
    try cursor.seek(to: lower)
    _ = try cursor.read(column: column, into: &values, upTo: upper, limit: limit)
    #expect(values == expected.prefix(limit).map { $0[column] })
    values = []
    try cursor.seek(to: upper)
    _ = try cursor.readBack(column: column, into: &values, downTo: lower, limit: limit)
    #expect(values == expected.reversed().prefix(limit).map { $0[column] })

    try walk(forest, column)
  }

  /// Single steps, skips and seeks by rank.
  private mutating func walk(_ forest: Forest, _ column: Int) throws {
    var cursor = try forest.cursor(tree)
    var rank = below(model.rows.count + 1)
    try cursor.seek(toRank: rank)
    for _ in 0..<30 {
      switch below(5) {
      case 0:
        let step = below(2_000) - 1_000
        try cursor.skip(step)
        rank = min(max(rank + step, 0), model.rows.count)
      case 1:
        #expect(try cursor.next() == (rank < model.rows.count ? model.rows[rank] : nil))
        rank = min(rank + 1, model.rows.count)
      case 2:
        #expect(try cursor.previous() == (rank > 0 ? model.rows[rank - 1] : nil))
        rank = max(rank - 1, 0)
      case 3:
        let moved = try cursor.step()
        #expect(moved == (rank < model.rows.count))
        if moved {
          rank += 1
          #expect(cursor.passed(column) == model.rows[rank - 1][column])
        }
      default:
        let moved = try cursor.stepBack()
        #expect(moved == (rank > 0))
        if moved {
          rank -= 1
          #expect(cursor.ahead(column) == model.rows[rank][column])
        }
      }
      #expect(cursor.rank == rank)
    }
  }
}

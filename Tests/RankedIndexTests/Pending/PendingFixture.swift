import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// A tree with some rows, pending rows beside it, and what both together should read as.
struct PendingFixture {
  /// Rows of one key column and a payload: few enough to be compared at every place.
  static let source = RowSource(tree: TreeSchema(id: 11, name: "pending", keyColumns: 1, payloadColumns: 1)) {
    random, serial in
    Words(random.next() % 2_000, serial)
  }

  enum Change {
    case insert
    case remove
    case replace
  }

  let scratch: Scratch
  var pending: PendingRows
  var model: SortedRows

  static var tree: TreeSchema { source.tree }

  init(base: [UInt64]) throws {
    let scratch = try Scratch()
    var model = SortedRows(keyColumns: 1)
    for key in base { model.insert(Words(key, 7)) }
    try scratch.write { forest in
      for row in model.rows { forest.insert(Self.tree, row) }
    }
    self.scratch = scratch
    self.model = model
    pending = PendingRows(Self.tree)
  }

  /// Adds one commit.
  mutating func commit(_ changes: [(Change, UInt64, UInt64)]) throws {
    pending = try pending.adding(Self.changes(changes))
    for (change, key, payload) in changes { Self.apply(change, Words(key, payload), to: &model) }
  }

  /// Adds inserts of keys from `start` on, as many as make the small run full, so that it is merged into the large one.
  mutating func promote(from start: UInt64) throws {
    let count = UInt64(Runs<TreeSchema>.smallRunBound(Self.tree) + 1)
    try commit((start..<start + count).map { (.insert, $0, 1) })
    #expect(pending.runCounts.small == 0)
  }

  static func changes(_ changes: [(Change, UInt64, UInt64)]) -> [(Change, Words)] {
    changes.map { ($0, Words($1, $2)) }
  }

  static func apply(_ change: Change, _ row: Words, to model: inout SortedRows) {
    let index = model.index(of: row)
    switch (change, index) {
    case (.insert, nil): model.insert(row)
    case (.remove, let index?): model.remove(at: index)
    case (.replace, let index?): model.replace(at: index, row)
    default: Issue.record("\(change) of \(row[0]) is wrong in the model too")
    }
  }

  /// Returns where reads differ from the model: at every rank and every key, and at random places.
  func differences(seed: UInt64 = 1) throws -> [String] {
    try scratch.read(over: pending.forest) { forest in
      let merged = MergedRows(forest, Self.tree)
      return try Self.differences(merged, model, seed: seed)
    }
  }

  static func differences(_ merged: MergedRows, _ model: SortedRows, seed: UInt64 = 1) throws
    -> [String]
  {
    var differences: [String] = []
    for index in model.rows.indices {
      let row = try merged.select(index)
      if row != model.rows[index] { differences.append("select(\(index)) is \(String(describing: row))") }
      let rank = try merged.rank(of: .before(model.rows[index], columns: 1))
      if rank != index { differences.append("rank of \(model.rows[index]) is \(rank)") }
    }
    var comparison = MergedComparison(source, random: SeededGenerator(seed: seed))
    try comparison.compare(merged, model, queries: 20)
    return differences + comparison.differences
  }

  /// Returns the faults that the check of the pending rows finds.
  func faults() throws -> [IndexError] {
    var faults: [IndexError] = []
    try scratch.read(over: pending.forest) { forest in
      try MergedRows(forest, Self.tree).verify { faults.append($0) }
    }
    return faults
  }
}

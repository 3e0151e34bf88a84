import RankedIndex
import RankedKeys

/// What is pending for one numeric tree, as a store has it.
struct PendingRows {
  let tree: TreeSchema
  private(set) var forest = PendingForest()

  init(_ tree: TreeSchema) {
    self.tree = tree
  }

  private var runs: Runs<TreeSchema> { forest.rows(tree.id) ?? Runs(tree) }

  var count: Int { runs.count }
  var isEmpty: Bool { runs.isEmpty }
  var runCounts: (large: Int, small: Int) { runs.runCounts }

  /// Returns it with one more commit.
  func adding(_ changes: [(PendingFixture.Change, Words)]) throws -> PendingRows {
    var next = self
    next.forest = try forest.adding(CommitBytes.read([CommitBytes.commit(changes, tree)], tree))
    return next
  }
}

/// A numeric tree as a forest reads it.
struct MergedRows {
  let forest: Forest
  let tree: TreeSchema

  init(_ forest: Forest, _ tree: TreeSchema) {
    self.forest = forest
    self.tree = tree
  }

  func count() throws(IndexError) -> Int { try forest.count(tree) }
  func count(in range: KeyRange) throws(IndexError) -> Int { try forest.count(tree, in: range) }
  func rank(of bound: Bound) throws(IndexError) -> Int { try forest.rank(tree, of: bound) }
  func select(_ rank: Int) throws(IndexError) -> Words? { try forest.select(tree, rank) }
  func rows(of word: UInt64) throws(IndexError) -> [Words] { try forest.rows(tree, of: word) }
  func cursor() throws(IndexError) -> MergedCursor { try forest.cursor(tree) }

  /// Checks what is pending.
  func verify(report: (IndexError) -> Void) throws(IndexError) {
    _ = try forest.verifyPending(tree, try forest.statistics(tree), report: report)
  }
}

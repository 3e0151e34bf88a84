package import RankedKeys

/// What is pending for all trees: the changes of commits that are not in the trees yet. An immutable value: each commit
/// makes the next one, and readers keep the one that they began with.
package struct PendingForest: Sendable {
  /// Indexed by the tree's id: ids are small and dense.
  private var trees: [Tree] = []
  /// The number of rows that are pending, of which two may have one key.
  package private(set) var count = 0
  /// The memory that they take, in bytes.
  package private(set) var byteCount = 0

  enum Tree: Sendable {
    case none
    case rows(Runs<TreeSchema>)
    case texts(Runs<TextTreeSchema>)

    var count: Int {
      switch self {
      case .none: 0
      case .rows(let runs): runs.count
      case .texts(let texts): texts.count
      }
    }

    var byteCount: Int {
      switch self {
      case .none: 0
      case .rows(let runs): runs.byteCount
      case .texts(let texts): texts.byteCount
      }
    }
  }

  /// Nothing.
  package init() {}

  /// One more than the greatest id of a tree for which something is pending.
  var treeCount: Int { trees.count }

  func has(_ id: UInt16) -> Bool { Int(id) < trees.count && trees[Int(id)].count > 0 }

  /// Returns what is pending for a numeric tree; nil if nothing is.
  @inline(__always)
  package func rows(_ id: UInt16) -> Runs<TreeSchema>? {
    guard Int(id) < trees.count, case .rows(let runs) = trees[Int(id)], !runs.isEmpty else { return nil }
    return runs
  }

  /// Returns what is pending for a string tree; nil if nothing is.
  @inline(__always)
  package func texts(_ id: UInt16) -> Runs<TextTreeSchema>? {
    guard Int(id) < trees.count, case .texts(let texts) = trees[Int(id)], !texts.isEmpty else { return nil }
    return texts
  }

  mutating func remove(_ id: UInt16) {
    if Int(id) < trees.count { set(.none, id) }
  }

  /// Returns this with the changes of one more commit. Costs microseconds however much is pending: see `Runs`.
  /// - Throws: `outOfStep` if a change contradicts what is pending.
  package func adding(_ changes: ForestChanges) throws(IndexError) -> PendingForest {
    var result = self
    for rows in changes.rows { try result.add(rows) }
    for texts in changes.texts { try result.add(texts) }
    return result
  }

  private mutating func add(_ rows: ChangeRun<TreeSchema>) throws(IndexError) {
    set(.rows(try (self.rows(rows.tree.id) ?? Runs(rows.tree)).merging(rows)), rows.tree.id)
  }

  private mutating func add(_ texts: ChangeRun<TextTreeSchema>) throws(IndexError) {
    set(.texts(try (self.texts(texts.tree.id) ?? Runs(texts.tree)).merging(texts)), texts.tree.id)
  }

  /// Adds changes of a numeric tree that are not folded.
  @inline(__always)
  mutating func add<Changes: SortedChanges>(_ rows: Changes, to tree: TreeSchema) throws(IndexError)
  where Changes.Tree == TreeSchema {
    set(.rows(try (self.rows(tree.id) ?? Runs(tree)).merging(sorted: rows)), tree.id)
  }

  /// Adds changes of a string tree that are not folded.
  @inline(__always)
  mutating func add<Changes: SortedChanges>(_ texts: Changes, to tree: TextTreeSchema) throws(IndexError)
  where Changes.Tree == TextTreeSchema {
    set(.texts(try (self.texts(tree.id) ?? Runs(tree)).merging(sorted: texts)), tree.id)
  }

  private mutating func set(_ tree: Tree, _ id: UInt16) {
    while trees.count <= Int(id) { trees.append(.none) }
    count += tree.count - trees[Int(id)].count
    byteCount += tree.byteCount - trees[Int(id)].byteCount
    trees[Int(id)] = tree
  }
}

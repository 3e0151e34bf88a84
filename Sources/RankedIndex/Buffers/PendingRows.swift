internal import RankedKeys

/// The changes of one numeric tree in a writing forest, in order of arrival, and the runs that are read with the tree.
///
/// A change costs an append. The first read after it sorts what has arrived and merges it into the runs, which the read
/// then merges with the tree. A flush writes all of it into the tree, after which an empty object takes the place of
/// this one: ranks in the runs belong to one state of the tree.
final class PendingRows {
  let tree: TreeSchema
  /// Unchecked because every change is appended here; no access lasts while other code runs.
  @safe @exclusivity(unchecked) private var operations: [Operation] = []
  /// The number of changes that the runs have.
  @safe @exclusivity(unchecked) private var settledCount = 0
  /// What was pending before the forest's own changes, with the changes that have been read.
  @safe @exclusivity(unchecked) private var runs: Runs<TreeSchema>?

  /// - Parameter earlier: What is pending for the tree already, from commits before.
  init(_ tree: TreeSchema, over earlier: Runs<TreeSchema>?) {
    self.tree = tree
    runs = earlier
  }

  /// The number of the forest's changes, of which several may have one key.
  var count: Int { operations.count }

  /// Returns a copy, to which other changes can be added.
  func copy() -> PendingRows {
    let rows = PendingRows(tree, over: runs)
    rows.operations = operations
    rows.settledCount = settledCount
    return rows
  }

  /// Reserves memory for `count` changes, if there are none yet: these are then taken to be most of all changes.
  func reserve(_ count: Int) {
    if operations.isEmpty { operations.reserveCapacity(count) }
  }

  func append(_ kind: Operation.Kind, _ row: Words) {
    // A small commit changes an entry or two of a tree.
    if operations.isEmpty { operations.reserveCapacity(max(operations.capacity, 4)) }
    operations.append(Operation(kind, row, order: operations.count))
  }

  /// Returns all that is pending as runs; nil if it comes to nothing. O(1) if nothing has changed since the last call.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  func settled() throws(IndexError) -> Runs<TreeSchema>? {
    if settledCount < operations.count {
      let changes = settledCount == 0 ? operations : Array(operations[settledCount...])
      runs = try (runs ?? Runs(tree)).adding(changes)
      settledCount = operations.count
    }
    guard let runs, !runs.isEmpty else { return nil }
    return runs
  }

  /// Returns the forest's changes, at most one a key, sorted by key. They say what changes after what was pending
  /// before.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  func folded() throws(IndexError) -> [Operation] { try Self.fold(operations, tree) }

  /// Returns all that is pending, one change a key, sorted by key, and forgets it: the tree is about to have it.
  func take() throws(IndexError) -> [Operation] {
    // As long as nobody has read the tree, the changes need no runs.
    let sorted = runs == nil ? try folded() : try settled()?.operations() ?? []
    operations = []
    runs = nil
    return sorted
  }

  /// Combines the changes of each key, in the order of arrival, into at most one change. Returns these sorted by key.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  static func fold(_ operations: [Operation], _ tree: TreeSchema) throws(IndexError) -> [Operation] {
    let columns = tree.keyColumns
    var sorted = SortedOperations.sort(operations, keyColumns: columns)
    var kept = 0
    var index = 0
    while index < sorted.count {
      var change: Operation? = sorted[index]
      let first = sorted[index]
      index += 1
      // The kind of the first change shows whether the key was present before.
      while index < sorted.count, sorted[index].row.compare(first.row, columns: columns) == 0 {
        change = try follow(first.kind, change, sorted[index], tree)
        index += 1
      }
      if let change {
        sorted[kept] = change
        kept += 1
      }
    }
    sorted.removeSubrange(kept...)
    return sorted
  }

  /// Combines `change`, the combination of a key's changes so far, with the key's next change. `first` is the kind of
  /// the key's first change. Returns nil if no change is left.
  private static func follow(
    _ first: Operation.Kind, _ change: Operation?, _ next: Operation, _ tree: TreeSchema
  ) throws(IndexError) -> Operation? {
    var result = next
    let isPresent = change.map { $0.kind != .remove } ?? false
    switch next.kind {
    case .insert:
      guard !isPresent else { throw IndexError.outOfStep(tree, next.row, "inserted twice") }
      result.kind = first == .insert ? .insert : .replace
    case .remove:
      guard isPresent else { throw IndexError.outOfStep(tree, next.row, "removed twice") }
      if first == .insert { return nil }
    case .replace:
      guard isPresent else { throw IndexError.outOfStep(tree, next.row, "replaced after it was removed") }
      result.kind = first == .insert ? .insert : .replace
    }
    return result
  }
}

internal import RankedKeys

/// What one write, or many commits, change in a tree, in order of arrival, and the runs that are read with the tree.
///
/// A change costs an append. The first read after it sorts what has arrived and merges it into the runs, which the read
/// then merges with the tree. A flush writes all of it into the tree, after which an empty buffer takes the place of
/// this one: ranks in the runs belong to one state of the tree.
struct Buffer<Changes: TreeChanges> {
  var changes: Changes
  /// The number of changes that the runs have.
  private var settledCount = 0
  /// What was pending before the write, with the changes that have been read.
  private var runs: Runs<Changes.Tree>?

  /// - Parameter earlier: What is pending for the tree already, from commits before.
  init(_ tree: Changes.Tree, over earlier: Runs<Changes.Tree>?) {
    changes = Changes(tree)
    runs = earlier
  }

  /// The number of the write's changes, of which several may have one key.
  var count: Int { changes.count }

  /// What is pending without the changes that nobody has read yet; nil if there is nothing.
  var known: Runs<Changes.Tree>? { runs.flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns all that is pending as runs; nil if no change is left. O(1) if nothing has changed since the last call.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  mutating func settled() throws(IndexError) -> Runs<Changes.Tree>? {
    if settledCount < changes.count {
      runs = try (runs ?? Runs(changes.tree)).merging(sorted: changes.sorted(from: settledCount))
      settledCount = changes.count
    }
    return known
  }

  /// Returns the write's changes, at most one a key. They say what changes after what was pending before.
  /// - Throws: `outOfStep` if a change contradicts an earlier one of the same key.
  func folded() throws(IndexError) -> ChangeRun<Changes.Tree> {
    try ChangeRun(changes.tree, changes.sorted(from: 0))
  }

  /// Returns the changes, sorted, and forgets them with all that is pending.
  mutating func takeSorted() -> Changes.Sorted {
    defer { self = Buffer(changes.tree, over: nil) }
    return changes.sorted(from: 0)
  }

  /// Returns all that is pending, one change a key, and forgets it: the tree is about to have it.
  mutating func take() throws(IndexError) -> ChangeRun<Changes.Tree> {
    defer { self = Buffer(changes.tree, over: nil) }
    // As long as nobody has read the tree, the changes need no runs.
    if runs == nil { return try folded() }
    return ChangeRun(changes.tree, try settled()?.whole ?? .empty)
  }
}

/// A buffer of a numeric tree, where a forest keeps it. No generic type, so that nothing has to be looked up when it is
/// freed.
final class RowBuffer {
  /// Unchecked because every change is appended here; no access lasts while other code runs.
  @safe @exclusivity(unchecked) var buffer: Buffer<RowChanges>

  init(_ buffer: Buffer<RowChanges>) { self.buffer = buffer }
}

/// The same for a string tree.
final class TextBuffer {
  @safe @exclusivity(unchecked) var buffer: Buffer<TextChanges>

  init(_ buffer: Buffer<TextChanges>) { self.buffer = buffer }
}

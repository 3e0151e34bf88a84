/// The pending rows of one tree: rows that commits have inserted, removed or replaced and that are not in the tree yet. An
/// immutable value: each commit makes the next version, and readers keep the one they began with. A forest reads it together
/// with the tree.
///
/// The rows lie in two sorted runs. A commit copies the small run, which is bounded; when it is full, it is merged into
/// the large one, which all versions until then share. A commit so costs microseconds however many rows are pending,
/// and a reader never merges more than two runs. The trees' bounds differ, so that no commit merges the runs of all.
/// A commit of very many changes may leave a small run of several times as many: the slices of a build of an index would
/// else each copy the large run.
///
/// **What a row means.** A row of the large run is about the tree, a row of the small run about the tree with the large
/// run: an insert says that what lies below does not hold the key, a remove or a replacement that it does. Counts can so
/// be added up: entries before a bound are those of the tree, plus the sum of signs before it in either run.
///
/// **What is trusted.** Changes of one key are folded by what the first one says of the tree: insert and remove come to
/// nothing, remove and insert to a replacement, or to nothing in a string tree, where an entry is nothing but its key.
/// Changes that contradict a pending row, or each other, are refused when they are added; of rows that came to nothing,
/// nothing is known any more.
/// Whether the tree agrees is not looked up then, which would take a descent a row: a wrong row (the insert of what is
/// there, the removal of what is not) makes reads miscount or throw `outOfStep`, never trap; `verify` and the merge into
/// the tree (`Forest.flush`) name it.
///
/// **One base.** All versions that follow from one empty value belong to one state of the tree, of which the rows keep
/// their ranks. Once they are in the tree, what is pending begins empty again.
package struct Runs<Tree: RunTree>: Sendable {
  let tree: Tree
  private let largeRun: Run
  private let smallRun: Run

  /// No pending rows.
  package init(_ tree: Tree) {
    self.init(tree, large: .empty, small: .empty)
  }

  private init(_ tree: Tree, large: Run, small: Run) {
    self.tree = tree
    largeRun = large
    smallRun = small
  }

  /// The addresses of the runs, valid as long as this value.
  @inline(__always)
  var large: RunRows<Tree> { RunRows(tree, largeRun) }
  @inline(__always)
  var small: RunRows<Tree> { RunRows(tree, smallRun) }
  @inline(__always)
  var pair: RunPair<Tree> { RunPair(large: large, small: small) }

  package var isEmpty: Bool { count == 0 }

  /// The number of rows of both runs, of which two may have one key.
  package var count: Int { largeRun.count + smallRun.count }

  /// The memory that the rows take, in bytes.
  package var byteCount: Int { large.byteCount(tree) + small.byteCount(tree) }

  /// The numbers of rows of the two runs.
  package var runCounts: (large: Int, small: Int) { (largeRun.count, smallRun.count) }

  /// The greatest number of rows of a tree's small run. Trees that get a row from every commit fill it at different
  /// commits; ids are small and dense, and the bound stays one for a copy of a few pages whatever they are.
  package static func smallRunBound(_ tree: Tree) -> Int { 128 + 4 * Int(tree.id & 63) }

  /// The greatest number of bytes of the small run's texts. They may be long, and each commit copies them.
  package static var smallRunTextBytes: Int { 1 << 16 }

  /// Returns the pending rows with a commit's changes. O(small run + changes x log(rows)), and for one commit in a
  /// hundred or so O(rows), copying.
  ///
  /// All sizes of batches take one way: the changes are sorted and merged into a copy of the small run in one pass.
  /// - Throws: `outOfStep` if a change contradicts a pending row or another change, `overflow` if the texts are more than
  ///   4 GiB.
  @inline(__always)
  func merging<Changes: SortedChanges>(sorted changes: Changes) throws(IndexError) -> Runs
  where Changes.Tree == Tree {
    guard changes.count > 0 else { return self }
    defer { withExtendedLifetime(self) {} }
    return with(small: try small.adding(changes, over: large, tree), behind: changes.count)
  }

  /// The same of changes that are a run already, which is taken over if nothing is pending.
  @inline(__always)
  func merging(_ changes: ChangeRun<Tree>) throws(IndexError) -> Runs {
    try isEmpty ? with(small: changes.run, behind: changes.run.count) : merging(sorted: changes)
  }

  /// Returns the same large run with another small one, which is merged into it if it is full.
  /// - Parameter changes: How many changes it has got at last.
  private func with(small: Run, behind changes: Int) -> Runs {
    let next = Runs(tree, large: largeRun, small: small)
    guard small.count > Self.smallRunBound(tree) || next.small.textBytes > Self.smallRunTextBytes
    else { return next }
    // Whoever brings very many copies as many in any case, and the large run may be far larger.
    let isOneOfMany = changes > Self.manyChanges && small.count < largeRun.count
    if isOneOfMany, small.count <= Self.batchesOfSmallRun * changes { return next }
    return Runs(tree, large: next.whole, small: .empty)
  }

  /// Behind a commit of more changes than this, the small run may have ``batchesOfSmallRun`` times as many.
  package static var manyChanges: Int { 2048 }
  package static var batchesOfSmallRun: Int { 8 }

  /// The rows of both runs in one, one change a key.
  var whole: Run {
    if smallRun.count == 0 { return largeRun }
    // All places are 0, which is what the rows of a large run have.
    if largeRun.count == 0 { return smallRun }
    defer { withExtendedLifetime(self) {} }
    return large.promoting(small, tree)
  }
}

extension RunRows {
  /// Returns the row whose key lies between these bounds; nil if there is none. O(log n).
  func row(between bounds: (before: Tree.Keys.Bound, after: Tree.Keys.Bound)) -> Int? {
    let index = position(of: bounds.before)
    return index < count && keys.isBefore(index, bounds.after) ? index : nil
  }
}

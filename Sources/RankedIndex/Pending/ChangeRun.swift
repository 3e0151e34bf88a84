/// What one write, or many, change in a tree: at most one change a key, sorted by key, in one run. A forest's tail takes it
/// over, a journal its bytes, or a tree its rows.
struct ChangeRun<Tree: RunTree>: Sendable, SortedChanges {
  let tree: Tree
  let run: Run

  init(_ tree: Tree, _ run: Run) {
    self.tree = tree
    self.run = run
  }

  /// Folds the changes of each key into at most one.
  /// - Throws: `outOfStep` if a change contradicts one before.
  @inline(__always)
  init<Changes: SortedChanges>(_ tree: Tree, _ changes: Changes) throws(IndexError)
  where Changes.Tree == Tree {
    let rows = RunRows(tree, .empty)
    self.init(tree, try rows.adding(changes, over: rows, tree))
  }

  /// The addresses of the rows, valid as long as this value.
  @inline(__always)
  var rows: RunRows<Tree> { RunRows(tree, run) }

  var count: Int { run.count }

  var textBytes: Int { rows.textBytes }

  @inline(__always)
  func kind(_ change: Int) -> ChangeKind { rows.kind(change) }

  @inline(__always)
  func haveSameKey(_ left: Int, _ right: Int) -> Bool { left == right }

  @inline(__always)
  func compare(_ row: Int, of keys: Tree.Keys, with change: Int) -> Int {
    keys.compare(row, rows.keys, change)
  }

  @inline(__always)
  func append(_ change: Int, to keys: Tree.Keys, behind count: Int) {
    keys.copy(rows.keys, change..<change &+ 1, behind: count)
  }

  func words(_ change: Int) -> [UInt64] { rows.keys.words(change) }
}

/// Changes of one tree, sorted by key and, for one key, by arrival.
protocol SortedChanges {
  associatedtype Tree: RunTree

  var count: Int { get }

  /// The bytes of all texts.
  var textBytes: Int { get }

  func kind(_ change: Int) -> ChangeKind

  func haveSameKey(_ left: Int, _ right: Int) -> Bool

  /// Compares the key of a run's row with a change's. The result is negative, 0 or positive.
  func compare(_ row: Int, of keys: Tree.Keys, with change: Int) -> Int

  /// Writes a change's key behind the first `count` rows of a run.
  func append(_ change: Int, to keys: Tree.Keys, behind count: Int)

  /// Returns a change's key as an error names it.
  func words(_ change: Int) -> [UInt64]
}

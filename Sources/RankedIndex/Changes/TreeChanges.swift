/// Changes of one tree, in order of arrival.
protocol TreeChanges {
  associatedtype Tree
  associatedtype Sorted: SortedChanges where Sorted.Tree == Tree

  /// No changes.
  init(_ tree: Tree)

  var tree: Tree { get }
  var count: Int { get }

  /// Returns the changes from an index on, sorted by key and, for one key, by arrival.
  func sorted(from index: Int) -> Sorted
}

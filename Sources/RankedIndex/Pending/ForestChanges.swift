internal import RankedKeys

/// What one commit changes in all trees: at most one change of a key in each.
package struct ForestChanges: Sendable {
  /// By ascending id of the tree.
  var rows: [ChangeRun<TreeSchema>] = []
  var texts: [ChangeRun<TextTreeSchema>] = []

  /// Nothing.
  package init() {}

  /// The number of changes.
  package var count: Int {
    rows.reduce(0) { $0 + $1.count } + texts.reduce(0) { $0 + $1.count }
  }
}

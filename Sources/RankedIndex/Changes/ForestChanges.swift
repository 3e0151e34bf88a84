internal import RankedKeys

/// What one commit changes in all trees: at most one change of a key in each.
package struct ForestChanges: Sendable {
  /// By ascending id of the tree, each sorted by key.
  var rows: [(tree: TreeSchema, operations: [Operation])] = []
  var texts: [TextChanges] = []

  /// Nothing.
  package init() {}

  /// The number of changes.
  package var count: Int {
    rows.reduce(0) { $0 + $1.operations.count } + texts.reduce(0) { $0 + $1.count }
  }
}

package import RankedKeys

/// The changes that one commit makes to a numeric tree, in any order of keys. Changes of one key follow each other in
/// the order in which they are added.
package struct RowChanges: Sendable {
  package let tree: TreeSchema
  var operations: [Operation] = []

  package init(_ tree: TreeSchema) {
    self.tree = tree
  }

  package var count: Int { operations.count }

  /// Adds a new entry, whose key must be absent.
  package mutating func insert(_ row: Words) { append(.insert, row) }

  /// Adds the removal of the entry with the key columns of `row`, which must be present.
  package mutating func remove(_ row: Words) { append(.remove, row) }

  /// Adds a new payload for a key, which must be present.
  package mutating func replace(_ row: Words) { append(.replace, row) }

  private mutating func append(_ kind: Operation.Kind, _ row: Words) {
    operations.append(Operation(kind, row, order: operations.count))
  }
}

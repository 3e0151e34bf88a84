package import RankedKeys

/// The changes that one commit makes to a numeric tree, in any order of keys. Changes of one key follow each other in
/// the order in which they are added.
package struct RowChanges: Sendable {
  package let tree: TreeSchema
  private var operations: [Operation] = []

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

  mutating func append(_ kind: Operation.Kind, _ row: Words) {
    // A small commit changes an entry or two of a tree.
    if operations.isEmpty { reserve(4) }
    operations.append(Operation(kind, row))
  }

  /// Reserves memory for `count` changes, if there are none yet: these are then taken to be most of all changes.
  mutating func reserve(_ count: Int) {
    if operations.isEmpty { operations.reserveCapacity(max(operations.capacity, count)) }
  }
}

extension RowChanges: TreeChanges {
  func sorted(from index: Int) -> SortedOperations {
    SortedOperations(operations, from: index, tree)
  }
}

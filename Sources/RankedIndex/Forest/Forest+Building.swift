package import RankedKeys
import SatchelBytes

extension Forest {
  /// Fills an empty tree from rows in key order. This is the fastest way to write a tree, and gives the smallest
  /// result. `next` returns nil at the end. `spare` is the part of each node that stays free for later inserts.
  /// - Throws: `IndexError.misuse` if the tree is not empty, `outOfStep` if rows are out of order, and what `next`
  ///   throws.
  package func build(
    _ tree: TreeSchema, spare: Double = 0.05, sorted next: () throws -> Words?
  ) throws {
    guard try flushed(tree.id, kind: NodeKind.numeric).height == 0 else {
      throw IndexError.misuse(tree: tree.id, what: "\(tree.name) is not empty")
    }
    hasFlushed = true
    var builder = TreeBuilder(store, tree, spare: spare)
    while let row = try next() {
      try poisoning { () throws(IndexError) in try builder.append(row) }
    }
    directory.set(try poisoning { () throws(IndexError) in try builder.finish() })
  }

  /// Writes a tree's entries, and new ones, into new, well-filled nodes, and frees the old leaves one by one. Takes memory
  /// for the numbers of the leaves and of the new rows.
  /// - Parameter tailNumber: A number from `reserveLeafNumbers` for the last leaf. Trees that grow at their ends are
  ///   best given neighbouring numbers: a commit that appends to all of them then changes one LMDB page of pointers
  ///   to nodes instead of one per tree.
  /// - Throws: `outOfStep` if a new row has the key of another one.
  package func rebuild(
    _ tree: TreeSchema, spare: Double = 0.05, tailNumber: UInt64? = nil, adding rows: ArrangedRows? = nil
  ) throws(IndexError) {
    let record = try flushed(tree.id, kind: NodeKind.numeric)
    let rows = rows ?? UnsortedRows(tree, ties: 0).sorted()
    guard record.height > 0 || rows.count > 0 else { return }
    precondition(rows.tree == tree)
    hasFlushed = true
    try poisoning { () throws(IndexError) in
      var builder = TreeBuilder(store, tree, spare: spare, tailNumber: tailNumber)
      let count = rows.count
      var next = 0
      if record.height > 0 {
        var old = TreeUpdate(store, tree, record)
        for leaf in try old.removeInnerNodes() {
          for row in try old.takeLeaf(leaf) {
            while next < count, rows.precedes(next, row) {
              try builder.append(next, of: rows)
              next += 1
            }
            try builder.append(row)
          }
        }
      }
      while next < count {
        try builder.append(next, of: rows)
        next += 1
      }
      directory.set(try builder.finish())
    }
  }
}

extension Forest {
  /// Reserves `count` neighbouring leaf numbers and returns the first.
  package func reserveLeafNumbers(_ count: Int) -> UInt64 {
    // The directory says which numbers are taken, and changes do not have it.
    hasFlushed = true
    defer { store.nextLeaf += UInt64(count) }
    return store.nextLeaf
  }
}

extension TreeUpdate {
  /// Frees the inner nodes and returns the leaves in key order.
  fileprivate mutating func removeInnerNodes() throws(IndexError) -> [ChildEntry] {
    var nodes = [ChildEntry(separator: Words(), number: record.root, count: record.count)]
    var level = record.height - 1
    while level > 0 {
      var below: [ChildEntry] = []
      for node in nodes {
        below.append(contentsOf: try children(of: node.number, level: level, count: node.count))
        try free(node.number, level: level)
      }
      nodes = below
      level -= 1
    }
    return nodes
  }

  /// Returns the rows of a leaf and frees it.
  fileprivate mutating func takeLeaf(_ leaf: ChildEntry) throws(IndexError) -> [Words] {
    let page = try node(leaf.number, level: 0, count: leaf.count)
    let bytes = unsafe page.buffer.bytes
    let frame = try frame(bytes, leaf.number, level: 0, count: leaf.count)
    let rows = (0..<frame.rows).map { unsafe frame.words(page.buffer.bytes, row: $0) }
    try free(leaf.number, level: 0)
    return rows
  }
}

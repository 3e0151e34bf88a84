package import RankedKeys
import SatchelBytes

extension Forest {
  /// Checks a whole tree and passes every entry to `entry`, in key order. It checks the checksums of all nodes, what
  /// nodes state about themselves and their children, the order of keys and separators, the heights, and the
  /// directory's counts of entries and nodes.
  ///
  /// Each fault goes to `report`, and the check continues with what can still be reached. Returns the counts of what
  /// was found. Ignores which nodes the environment's cache holds as undamaged.
  /// - Throws: What `entry` throws, and errors of LMDB.
  package func verify(
    _ tree: TreeSchema, report: (IndexError) -> Void, entry: (Words) throws -> Void
  ) throws -> TreeStatistics {
    let record = try flushed(tree.id, kind: NodeKind.numeric)
    var check = TreeCheck(forest: self, tree: tree)
    if record.height > 0 {
      try check.node(
        record.root, level: record.height - 1, count: record.count, lower: nil, upper: nil, report: report,
        entry: entry)
    }
    check.found.height = record.height
    func expect(_ found: Int, _ expected: UInt64, _ what: String) {
      if UInt64(found) != expected {
        report(
          .corrupt(tree: tree.id, node: 0, what: "the directory counts \(expected) \(what), not \(found)"))
      }
    }
    expect(check.found.entries, record.count, "entries")
    expect(check.found.innerNodes, record.innerNodes, "inner nodes")
    expect(check.found.leaves, record.leafNodes, "leaves")
    return check.found
  }

  /// Checks what is pending for a tree, by itself and against the tree. Each fault goes to `report`.
  /// - Parameter found: What `verify` has found of the tree alone.
  /// - Returns: The number of entries, with those that are pending.
  package func verifyPending(
    _ tree: TreeSchema, _ found: TreeStatistics, report: (IndexError) -> Void
  ) throws(IndexError) -> Int {
    guard let runs = try runs(tree) else { return found.entries }
    try runs.verify(in: self, report: report)
    return try runs.count(in: self)
  }

  /// Checks what is pending for a tree, by itself and against the tree. Each fault goes to `report`.
  /// - Parameter found: What `verify` has found of the tree alone.
  /// - Returns: The number of entries, with those that are pending.
  package func verifyPending(
    _ tree: TextTreeSchema, _ found: TreeStatistics, report: (IndexError) -> Void
  ) throws(IndexError) -> Int {
    guard let runs = try runs(tree) else { return found.entries }
    try runs.verify(in: self, report: report)
    return try runs.count(in: self)
  }

  /// Checks that every node of the file belongs to a tree, by comparing the number of stored nodes with the number of
  /// nodes in the directory. This is conclusive only if `verify` has found the directory's counts right for every
  /// tree.
  package func verifyNodeNumbers(report: (IndexError) -> Void) throws(IndexError) {
    if isWriting { try flush() }
    let stored = try countNodes()
    let known = directory.trees.reduce(0) { $0 + $1.innerNodes + $1.leafNodes }
    if UInt64(stored) != known {
      report(.corrupt(tree: 0, node: 0, what: "the file holds \(stored) nodes, its trees \(known)"))
    }
  }

  /// The number of nodes in the file.
  package func countNodes() throws(IndexError) -> Int {
    do { return try store.transaction.statistics(of: store.database).entries } catch { throw .lmdb(error) }
  }
}

/// A walk over a tree that trusts nothing it reads.
private struct TreeCheck {
  let forest: Forest
  let tree: TreeSchema
  var found = TreeStatistics()
  private var last: Words?

  init(forest: Forest, tree: TreeSchema) {
    self.forest = forest
    self.tree = tree
  }

  /// Checks the subtree of a node. Its keys must be at or above `lower` and below `upper`.
  mutating func node(
    _ number: UInt64, level: Int, count: UInt64, lower: Words?, upper: Words?,
    report: (IndexError) -> Void, entry: (Words) throws -> Void
  ) throws {
    func fault(_ what: String) { report(.corrupt(tree: tree.id, node: number, what: what)) }
    var bytes: [UInt8]
    do {
      bytes = unsafe [UInt8](try forest.store.fetch(number, tree: tree.id).buffer)
    } catch {
      guard case .corrupt = error else { throw error }
      report(error)
      return
    }
    if unsafe NodeHeader.checksum(bytes.span.bytes) != bytes.span.bytes.u64(NodeHeader.checksumOffset) {
      fault("the checksum does not match")
      return
    }
    let word = NodeHeader.word(tree: tree.id, level: level, kind: NodeKind.numeric, count: count)
    guard unsafe bytes.span.bytes.u64(0) == word else {
      fault("the node's tree, level, kind or count is not what its parent says")
      return
    }
    let columns = level == 0 ? tree.columns : tree.keyColumns
    guard let frame = unsafe Frame(bytes.span.bytes, columns: columns, isLeaf: level == 0) else {
      fault("the node's columns or rows do not fit it or its tree")
      return
    }
    if (number < NodeStore.firstLeaf) != (level > 0) { fault("the node's number is not of its level") }
    if !forest.store.isStoredLength(bytes.count) {
      fault("the node is neither short nor filled up to a page")
    }
    if bytes[(frame.rowsAt + frame.rows * frame.rowWidth)...].contains(where: { $0 != 0 }) {
      fault("the bytes after the rows are not zero")
    }
    found.bytes += forest.storedBytes(bytes.count)
    if level > 0 {
      found.innerNodes += 1
      let children: [ChildEntry]
      do {
        children = unsafe try TreeUpdate(
          forest.store, tree, DirectoryEntry(id: tree.id, kind: NodeKind.numeric)
        )
        .children(
          bytes.span.bytes, frame, number, count)
      } catch {
        report(error)
        return
      }
      for (index, child) in children.enumerated() {
        try node(
          child.number, level: level - 1, count: child.count, lower: index == 0 ? lower : child.separator,
          upper: index + 1 < children.count ? children[index + 1].separator : upper, report: report,
          entry: entry)
      }
      return
    }
    found.leaves += 1
    found.entries += frame.rows
    if UInt64(frame.rows) != count { fault("the leaf has \(frame.rows) rows, not \(count)") }
    for row in 0..<frame.rows {
      let words = unsafe frame.words(bytes.span.bytes, row: row)
      if let last, last.compare(words, columns: tree.keyColumns) >= 0 {
        fault("row \(row) is not above the one before")
      }
      if let lower, words.compare(lower, columns: tree.keyColumns) < 0 {
        fault("row \(row) is below its separator")
      }
      if let upper, words.compare(upper, columns: tree.keyColumns) >= 0 {
        fault("row \(row) is not below the next separator")
      }
      last = words
      try entry(words)
    }
  }
}

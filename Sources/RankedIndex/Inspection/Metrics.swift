package import RankedKeys

/// The cost of a forest's operations so far.
package struct Metrics: Sendable, Equatable {
  /// Nodes that searches and cursors entered.
  package var nodesRead = 0
  /// Entries that were unpacked for a caller.
  package var entriesRead = 0
  package var nodesWritten = 0
  /// Nodes whose checksum was computed, because this process had not read them before.
  package var nodesVerified = 0

  package init() {}
}

/// The size of a tree.
package struct TreeStatistics: Sendable, Equatable {
  package var entries = 0
  /// The number of levels of nodes, leaves included; 0 if the tree is empty.
  package var height = 0
  package var innerNodes = 0
  package var leaves = 0
  /// The bytes of all nodes in the file: a node of about half a page or more takes a whole page, a smaller one its
  /// length.
  package var bytes = 0

  package init() {}
}

extension Forest {
  /// The cost of this forest's operations so far.
  package var metrics: Metrics {
    let counters = store.counters
    var metrics = Metrics()
    metrics.nodesRead = counters.nodesRead
    metrics.entriesRead = counters.entriesRead
    metrics.nodesWritten = counters.nodesWritten
    metrics.nodesVerified = counters.nodesVerified
    return metrics
  }

  /// Returns the size of a tree. Reads all its nodes.
  package func statistics(_ tree: TreeSchema) throws(IndexError) -> TreeStatistics {
    let record = try flushed(tree.id, kind: NodeKind.numeric)
    var statistics = TreeStatistics()
    statistics.entries = Int(record.count)
    statistics.height = record.height
    let update = TreeUpdate(store, tree, record)
    var nodes: [ChildEntry] = []
    if record.height > 0 {
      nodes = [ChildEntry(separator: Words(), number: record.root, count: record.count)]
    }
    for level in (0..<record.height).reversed() {
      var below: [ChildEntry] = []
      for node in nodes {
        let page = try update.node(node.number, level: level, count: node.count)
        statistics.bytes += storedBytes(page.count)
        if level > 0 {
          statistics.innerNodes += 1
          below.append(
            contentsOf: try update.children(of: node.number, level: level, count: node.count))
        } else {
          statistics.leaves += 1
        }
      }
      nodes = below
    }
    return statistics
  }

  /// Returns the bytes that a node of `count` bytes takes in the file.
  func storedBytes(_ count: Int) -> Int {
    count >= store.shortLimit ? store.limit + 16 : count
  }
}

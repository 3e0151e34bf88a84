/// The shape of one table's tree.
package struct DatabaseStatistics: Sendable, Equatable {
  /// The number of key and value pairs.
  package let entries: Int
  /// Levels of the tree; 0 when it is empty.
  package let depth: Int
  /// Pages that only point to other pages.
  package let branchPages: Int
  /// Pages that hold keys and values.
  package let leafPages: Int
  /// Pages that hold values too large for a leaf.
  package let overflowPages: Int

  package init(entries: Int, depth: Int, branchPages: Int, leafPages: Int, overflowPages: Int) {
    self.entries = entries
    self.depth = depth
    self.branchPages = branchPages
    self.leafPages = leafPages
    self.overflowPages = overflowPages
  }

  /// All pages of the tree.
  package var pages: Int { branchPages + leafPages + overflowPages }
}

extension DatabaseStatistics {
  /// Takes the statistics from the record of a tree.
  /// - Parameter limit: The number of pages of the store.
  package init(_ record: TreeRecord, limit: UInt64) throws(PageFault) {
    guard record.hasPossibleCounts(limit: limit) else { throw PageFault(record.root, .treeRecord) }
    self.init(
      entries: Int(clamping: record.entries), depth: record.depth,
      branchPages: Int(clamping: record.branchPages), leafPages: Int(clamping: record.leafPages),
      overflowPages: Int(clamping: record.overflowPages))
  }
}

internal import CLMDB

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

  /// All pages of the tree.
  package var pages: Int { branchPages + leafPages + overflowPages }
}

extension DatabaseStatistics {
  /// Takes the statistics from the record of a tree.
  /// - Parameter limit: The number of pages of the store.
  init(_ record: TreeRecord, limit: UInt64) throws(PageFault) {
    guard record.hasPossibleCounts(limit: limit) else { throw PageFault(record.root, .treeRecord) }
    self.init(
      entries: Int(clamping: record.entries), depth: record.depth,
      branchPages: Int(clamping: record.branchPages), leafPages: Int(clamping: record.leafPages),
      overflowPages: Int(clamping: record.overflowPages))
  }

  init(_ numbers: MDB_stat) {
    self.init(
      entries: numbers.ms_entries, depth: Int(numbers.ms_depth), branchPages: numbers.ms_branch_pages,
      leafPages: numbers.ms_leaf_pages, overflowPages: numbers.ms_overflow_pages)
  }
}

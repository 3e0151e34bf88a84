/// A handle of one named table of byte strings, ordered by memory comparison of the keys.
///
/// Only for transactions of the environment it was taken from; it stays valid until that one closes.
package struct Database: Sendable {
  /// The name it was opened by.
  package let name: String
  /// The environment it belongs to, by number.
  let environment: UInt32
  /// LMDB's handle.
  let handle: UInt32
  /// The transaction in which it was found or made: every later snapshot has it.
  let since: UInt64
}

/// The shape of one table's tree.
package struct DatabaseStatistics: Sendable, Equatable {
  /// Key and value pairs.
  package let entries: Int
  /// Levels of the tree; 0 when it is empty.
  package let depth: Int
  /// Pages that only point to others.
  package let branchPages: Int
  /// Pages of keys and values.
  package let leafPages: Int
  /// Pages of values too large for a leaf.
  package let overflowPages: Int

  /// All pages of the tree.
  package var pages: Int { branchPages + leafPages + overflowPages }
}

/// How much of a store is checked at once before the first write. Other pages are checked only when a write is about
/// to use them.
package struct PageChecks: Sendable, Equatable {
  /// Whether pages are checked at all. Only tests turn this off, to see what damage does.
  package var isOn = true
  /// A store with at most this many pages is checked completely: four megabytes of pages take a millisecond or two.
  package var store: UInt64 = 1024
  /// In a database with at most this many leaves, all leaves are checked.
  package var leaves: UInt64 = 512
  /// The same limit for a database with values in overflow pages. It is higher because only the leaves name those
  /// pages.
  package var namingLeaves: UInt64 = 4096

  package init() {}
}

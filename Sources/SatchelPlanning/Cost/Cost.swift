/// What running a path is expected to take, in counted work; `microseconds` weighs it into one number.
///
/// The counts of entries are exact, from the ranked indexes. The weights are medians measured on a warm store of a
/// million messages; only their ratios matter, because paths are compared and nothing is promised.
package struct Cost: Sendable, Hashable, Comparable {
  /// Nodes of indexes visited on the way down.
  package var nodes = 0.0
  /// Index entries decoded.
  package var entries = 0.0
  /// Entries on whose columns a condition is tested.
  package var columnTests = 0.0
  /// Records read.
  package var records = 0.0
  /// Contents of parts read beside their records.
  package var bodies = 0.0
  /// Rows whose order is found by sorting.
  package var sorted = 0.0

  package init() {}

  /// The weighted sum.
  package var microseconds: Double {
    nodes * 0.2 + entries * 0.006 + columnTests * 0.02 + records * 0.7 + bodies * 1.5 + sorted * 0.15
  }

  package static func < (left: Cost, right: Cost) -> Bool { left.microseconds < right.microseconds }

  package static func + (left: Cost, right: Cost) -> Cost {
    var sum = left
    sum.nodes += right.nodes
    sum.entries += right.entries
    sum.columnTests += right.columnTests
    sum.records += right.records
    sum.bodies += right.bodies
    sum.sorted += right.sorted
    return sum
  }
}

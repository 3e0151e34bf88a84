/// The work that an access path is expected to take, as counts; `microseconds` combines the counts into one number.
///
/// The counts of entries are exact, from the ranked indexes. The weights are medians measured on a warm store of a
/// million messages. Only their ratios matter, because they serve to compare paths and promise nothing.
package struct Cost: Sendable, Hashable, Comparable {
  /// Index nodes visited on the descents.
  package var nodes = 0.0
  /// Index entries decoded.
  package var entries = 0.0
  /// Entries on whose columns a condition is tested.
  package var columnTests = 0.0
  /// Records read.
  package var records = 0.0
  /// Contents of parts that are read in addition to the records.
  package var bodies = 0.0
  /// Rows that are sorted.
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

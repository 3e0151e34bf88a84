import RankedKeys
package import SatchelIndexing
package import SatchelModel
import SatchelQuery

/// Runs of an index that are exactly the objects of a condition, each with the objects group by group.
package struct GroupScan: Sendable {
  package let index: IndexDefinition
  package let spans: [KeySpan]
  /// The segment that tells the groups apart.
  package let segment: Segment
  /// The offset, in words, of that segment.
  package let column: Int
  /// True if the groups are conversations, and the index has also those that the user does not see.
  package let hasHidden: Bool
}

extension PathEnumerator {
  /// Returns runs of an index in which the objects of the condition lie group by group, so that their number is found without looking
  /// at each; nil if no index has them so.
  /// - Parameter segment: What the objects of a group have in common.
  package func groupScan(by segment: Segment) throws -> GroupScan? {
    for index in IndexCatalog.answering(kind) {
      guard let place = index.key.firstIndex(of: segment), let column = index.column(of: segment) else {
        continue
      }
      let isOpen = place == 0 && segment == .conversation
      guard let runs = try runs(of: index, prefersComplements: place == 0, isOpen: isOpen),
        conjuncts.areAll(in: runs.consumed), runs.fixed >= place
      else { continue }
      let isFirstBounded = runs.spans.allSatisfy { !$0.lower.isEmpty }
      return GroupScan(
        index: index, spans: runs.spans, segment: segment, column: column,
        hasHidden: index.holds.needsFirst && !isFirstBounded)
    }
    return nil
  }

  /// Returns the runs of the values of a property by which the objects of the condition are found, and whether these are all that have
  /// one; nil if no index has the objects so, once each.
  package func groupScan(byValuesOf property: ObjectProperty) throws -> (scan: TextScan, isAll: Bool)? {
    guard let all = try allValues(of: property) else { return nil }
    if let (offset, test) = conjuncts.tests.first(where: { $0.test.property == property }) {
      guard let path = try textScan(offset, test), path.residual.isAlways,
        case .textScan(let scan) = path.source
      else { return nil }
      return (scan, false)
    }
    return conjuncts.list.isEmpty ? (all, true) : nil
  }
}

import SatchelIndexing
import SatchelQuery

// What the conjuncts leave of an index.
extension PathEnumerator {
  /// The runs that the conjuncts leave of an index.
  struct Runs {
    var spans = [KeySpan.all]
    /// How many leading segments have a single value within each run.
    var fixed = 0
    var consumed: ConjunctSet = []
  }

  /// Returns the runs that the conjuncts leave of an index; nil if the store does not have it, or it does not have all the objects or
  /// would have others.
  /// - Parameter isOpen: True if the first segment need not be fixed, whatever the index holds.
  func runs(of index: IndexDefinition, prefersComplements: Bool, isOpen: Bool = false) throws -> Runs? {
    guard index.since <= source.indexSet else { return nil }
    var runs = Runs()
    if let restriction = index.holds.restriction {
      guard let found = conjunct(ensuring: restriction) else { return nil }
      if found.isExact { runs.consumed.insert(found.offset) }
    }
    let builder = SegmentSpans(
      kind: kind, conjuncts: conjuncts, source: source, memory: memory,
      prefersComplements: prefersComplements)
    for (segmentIndex, segment) in index.key.enumerated() {
      guard let constraint = try builder.constraint(of: segment) else {
        if segmentIndex == 0, index.holds.needsFirst, !isOpen { return nil }
        break
      }
      guard runs.spans.count * max(1, constraint.spans.count) <= SegmentSpans.limit else { break }
      if constraint.spans.count == 1, runs.spans.count == 1 {
        runs.spans[0] = runs.spans[0].appending(constraint.spans[0])
      } else {
        runs.spans = runs.spans.flatMap { span in constraint.spans.map { span.appending($0) } }
      }
      runs.consumed.formUnion(constraint.consumed)
      guard constraint.spans.allSatisfy(\.isPoint) else { break }
      runs.fixed += 1
    }
    return runs
  }

  /// Finds a conjunct that leaves only objects of a restriction, and whether it says nothing else; nil if there is none.
  private func conjunct(ensuring restriction: IndexDefinition.Restriction) -> (offset: Int, isExact: Bool)? {
    for (offset, test) in conjuncts.tests where IndexDefinition.Restriction(test.property) == restriction {
      guard case .integers(let set, false) = test.values else { continue }
      if test.property.field == .unreadCount {
        guard let least = set.ranges.first?.lowerBound, least >= 1 else { continue }
        return (offset, set.complement.ranges == [.min...0])
      }
      if set.contains(restriction.value), !set.contains(1 - restriction.value) { return (offset, true) }
    }
    return nil
  }
}

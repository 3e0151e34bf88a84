import SatchelIndexing
import SatchelModel
import SatchelQuery

// Conversations in the order of what they are to the store's user. Of most of them nothing is said: those that are pinned are looked for and
// sorted, and the others come from an index that has the rest of the order.
extension PathEnumerator {
  /// Returns the path of all conversations in an order that begins with a property behind `my`; nil if the question has another order, if
  /// very many conversations have a value, or if no index has the others in the rest of the order.
  func ownStateScan() throws -> AccessPath? {
    guard kind == .conversations, let key = order.sort.first, key.property.relations.isEmpty,
      case .referenced(let step, let inner) = key.property.field, step.isOwnState
    else { return nil }
    // A flag is false where nothing is said.
    let values = key.property.isOwnFlag ? ByteRanges(points: [[ValueKey.Tag.true]]) : .all
    let said = Condition.test(Test(inner, .text(.ranges(values), missing: false)))
    guard
      case .all(let names) = try source.references(by: step, meeting: said, limit: SegmentSpans.limit),
      let others = try othersInOrder(than: names)
    else { return nil }
    let residual = conjuncts.remaining(without: [])
    let rows = try source.rows(of: kind, .identifier, identifiers: names)
    guard !rows.isEmpty else {
      var path = others
      path.residual = residual
      return path
    }
    let sorted = try source.sorted(rows, of: kind, by: order)
    let ordering = Ordering.index(descending: key.descending)
    let first = AccessPath(
      source: .rows(key.descending ? sorted.reversed() : sorted), residual: .always, ordering: ordering,
      cardinality: sorted.count, consumed: [])
    return AccessPath(
      source: .byValue(first, others: others), residual: residual, ordering: ordering,
      cardinality: others.cardinality, consumed: [])
  }

  /// Returns the path of all conversations but some, given by their identifiers, in what the order is besides its first key.
  private func othersInOrder(than names: [[UInt8]]) throws -> AccessPath? {
    let isOther = Test(
      ObjectProperty([], .identifier), .text(.ranges(ByteRanges(points: names).complement), missing: false))
    let rest = PathEnumerator(
      kind: kind, condition: names.isEmpty ? .always : .test(isOther),
      order: OrderMatcher(
        kind: kind, sort: Array(order.sort.dropFirst()), creationDescending: order.tieDescending),
      source: source, isCount: isCount)
    guard let everything = IndexCatalog.answering(kind).first, let all = try rest.scan(everything) else {
      return nil
    }
    if all.ordering.isIndex { return all }
    for index in IndexCatalog.answering(kind).dropFirst() {
      if let path = try rest.scan(index), path.ordering.isIndex, path.cardinality == all.cardinality {
        return path
      }
    }
    if let path = try rest.declaredScans().first(where: {
      $0.ordering.isIndex && $0.cardinality == all.cardinality
    }) {
      return path
    }
    return try rest.ownStateScan()
  }
}

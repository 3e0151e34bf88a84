import SatchelIndexing
package import SatchelModel
package import SatchelQuery

/// Decides whether an index has its rows in the order that a query asks for.
///
/// A query's order always ends in the creation order, in the direction of the last sort key. So an index gives the
/// order if its key columns, after those that are fixed to one value, are the sort keys and then the object's own
/// columns, all in one direction.
package struct OrderMatcher: Sendable {
  package let kind: ObjectKind
  package let sort: [ResolvedSort]

  package let creationDescending: Bool

  package init(kind: ObjectKind, sort: [ResolvedSort], creationDescending: Bool = false) {
    self.kind = kind
    self.sort = sort
    self.creationDescending = creationDescending
  }

  /// The direction of the creation order, which breaks ties.
  package var tieDescending: Bool { sort.last?.descending ?? creationDescending }

  /// Returns how the rows of an index scan get into the query's order.
  package func ordering(of scan: IndexScan) -> Ordering {
    let key = scan.index.key
    let isOneRun = scan.isOneRun
    // The key columns from here on have to be the sort keys, one by one.
    var next = scan.fixedSegments
    var descending: Bool?
    /// Takes the next key segment if it is this one, in this direction; returns whether it was taken.
    func take(_ segment: Segment, _ isDescending: Bool) -> Bool {
      guard next < key.count, key[next] == segment, (descending ?? isDescending) == isDescending else {
        return false
      }
      descending = isDescending
      next += 1
      return true
    }
    for sortKey in sort {
      guard let segment = Segment(sortKey.property, of: kind) else { return .sort }
      // A number that stands for a name does not sort as the name does: such a key must be fixed to one value.
      if isOneRun, key.prefix(scan.fixedSegments).contains(segment) { continue }
      switch segment {
      case .optional, .position, .partIndex: break
      default: return .sort
      }
      if key[scan.fixedSegments..<next].contains(segment) { continue }
      guard take(segment, sortKey.descending) else { return .sort }
    }
    for segment in key where segment.isIdentity {
      if key[scan.fixedSegments..<next].contains(segment) { continue }
      guard take(segment, tieDescending) else { return .sort }
    }
    guard next == key.count else { return .sort }
    let isDescending = descending ?? tieDescending
    return isOneRun ? .index(descending: isDescending) : .merge(descending: isDescending)
  }

  /// Returns how the rows of a scan of one property's values get into the query's order.
  package func ordering(of scan: TextScan) -> Ordering {
    guard let property = scan.property else { return .sort }
    let isOneValue = scan.isOfOneValue
    let keys = sort.filter { !(isOneValue && $0.property == property) }
    if keys.isEmpty, isOneValue { return .index(descending: tieDescending) }
    guard !isOneValue, keys.count == 1, keys[0].property == property else { return .sort }
    return .index(descending: keys[0].descending)
  }

  /// How rows that come in creation order get into the query's order.
  package var orderingByCreation: Ordering { sort.isEmpty ? .index(descending: creationDescending) : .sort }

  /// The same order for the messages of parts; nil if some sort key is not a property of the message.
  package var ofMessages: OrderMatcher? {
    let keys = sort.compactMap { key in
      key.property.stripping(.message).map { ResolvedSort($0, descending: key.descending) }
    }
    return keys.count == sort.count
      ? OrderMatcher(kind: .messages, sort: keys, creationDescending: creationDescending) : nil
  }
}

import RankedKeys
import SatchelIndexing
import SatchelModel
import SatchelQuery

// The built-in indexes of single values, which lack the objects without one.
extension PathEnumerator {
  /// Returns the runs of all values of a property, in their order, not counted; nil if no index has them, or if it has objects with a list
  /// more than once.
  func allValues(of property: ObjectProperty) throws -> TextScan? {
    guard let found = TextIndex(property, of: kind), try source.has(found.index) else { return nil }
    let tree = found.index.tree
    var groups: [UInt64] = []
    switch found.group {
    case .number(let group): groups = [group]
    case .recordType: groups = [IndexedRecord.group(ofType: source.recordType)]
    case .metadataPath(let keys):
      if let path = try source.number(of: keys) {
        let group = found.group(ofPath: path, type: source.recordType)
        guard try source.count(tree, in: TextScan.lists(texts: group)) == 0,
          try !hasReferences(besidesTextsOf: group, tree)
        else { return nil }
        groups = [IndexedValue.group(besides: group, texts: false), group]
      }
    }
    return TextScan(
      tree: tree, kind: kind, content: .values(of: property, ByteRanges.all.ranges),
      positions: groups.map { TextRange(lower: .before(group: $0), upper: .after(group: $0)) }, entries: 0,
      recordType: source.recordType)
  }

  /// Whether a field has both references and texts: those sort behind these, and come first in the tree.
  func hasReferences(besidesTextsOf group: UInt64, _ tree: TextTreeSchema) throws -> Bool {
    guard kind == .records else { return false }
    return try source.count(tree, in: TextScan.references(texts: group)) > 0
      && source.count(tree, in: TextRange(lower: .before(group: group), upper: .after(group: group))) > 0
  }

  /// Returns the path of all objects in the order of one property's values; nil if the question has another order, if no object has a
  /// value, or if the condition leaves none without: then a scan of the values is enough.
  func valuesScan() throws -> AccessPath? {
    guard let key = order.sort.first, order.sort.count == 1,
      !conjuncts.tests.contains(where: { $0.test.property == key.property && $0.test.asksForValue }),
      var scan = try allValues(of: key.property)
    else { return nil }
    scan.entries = try scan.positions.reduce(0) { try $0 + source.count(scan.tree, in: $1) }
    let ordering = Ordering.index(descending: key.descending)
    let residual = conjuncts.remaining(without: [])
    let isMissing = Condition.test(Test(key.property, .text(.ranges(.empty), missing: true)))
    let creation = PathEnumerator(
      kind: kind, condition: isMissing,
      order: OrderMatcher(kind: kind, sort: [], creationDescending: key.descending), source: source,
      isCount: isCount)
    guard scan.entries > 0, let everything = IndexCatalog.answering(kind).first,
      let others = try creation.scan(everything), others.ordering == ordering
    else { return nil }
    if scan.entries == others.cardinality {
      return AccessPath(
        source: .textScan(scan), residual: residual, ordering: ordering, cardinality: scan.entries,
        consumed: [])
    }
    let values = AccessPath(
      source: .textScan(scan), residual: .always, ordering: ordering, cardinality: scan.entries, consumed: [])
    return AccessPath(
      source: .byValue(values, others: others), residual: residual, ordering: ordering,
      cardinality: others.cardinality, consumed: [])
  }
}

extension Test {
  /// Whether an object without a value does not pass.
  fileprivate var asksForValue: Bool {
    if case .text(_, missing: false) = values { !isNegated } else { false }
  }
}

import RankedKeys
import SatchelIndexing
import SatchelModel
import SatchelQuery

// Records whose condition is about what they refer to, found from there, where that is very many objects, so that `ReferenceResolver` has
// left the condition as it is: each object that meets it is one value of the field.
extension PathEnumerator {
  /// With so many objects, it is worth looking for them only if the other paths cost more.
  static let mostReferences = 16_384

  /// Returns, for each field through which conjuncts ask for another object, the path by its values.
  /// - Parameter limit: The most objects that are looked for.
  func referenceScans(atMost limit: Int) throws -> [AccessPath] {
    guard kind == .records else { return [] }
    var conditions: [(step: ReferenceStep, list: [Condition], consumed: ConjunctSet)] = []
    for (offset, test) in conjuncts.tests {
      guard case .referenced(let step, let inner) = test.property.field, !step.isUser, !test.passesIfMissing
      else {
        continue
      }
      let condition = Condition.test(Test(inner, test.values, isNegated: test.isNegated))
      if let place = conditions.firstIndex(where: { $0.step == step }) {
        conditions[place].list.append(condition)
        conditions[place].consumed.insert(offset)
      } else {
        conditions.append((step, [condition], [offset]))
      }
    }
    return try conditions.compactMap { step, list, consumed in
      try referenceScan(step, list.count == 1 ? list[0] : .all(list), consumed, atMost: limit)
    }
  }

  private func referenceScan(
    _ step: ReferenceStep, _ condition: Condition, _ consumed: ConjunctSet, atMost limit: Int
  ) throws -> AccessPath? {
    guard case .all(let references) = try source.references(by: step, meeting: condition, limit: limit)
    else { return nil }
    let field = MetadataPath([step.field])
    let tree = IndexCatalog.recordFields.tree
    var positions: [TextRange] = []
    var values: [ByteRange] = []
    if let path = try source.number(of: field) {
      let group = IndexedRecord.group(ofType: source.recordType, path: path, texts: false)
      values = ByteRanges(points: references.map { [ValueKey.Tag.reference] + $0 }).ranges
      positions = values.map { TextScan.range($0, group: group) }
    }
    let (entries, isCounted) = try entries(of: positions, in: tree)
    let scan = TextScan(
      tree: tree, kind: kind, content: .values(of: ObjectProperty([], .recordValue(field)), values),
      positions: positions, entries: entries, recordType: source.recordType)
    var path = AccessPath(
      source: .textScan(scan), residual: conjuncts.remaining(without: consumed),
      ordering: order.ordering(of: scan), cardinality: entries, consumed: consumed)
    path.isCounted = isCounted
    return path
  }
}

extension Test {
  /// Whether an object passes for which the property is missing because there is no such object.
  package var passesIfMissing: Bool {
    if property.isToMany { return isNegated }
    switch values {
    case .integers(_, let missing): return missing
    case .text(_, let missing): return property.type == .custom ? missing != isNegated : missing
    case .participants, .metadata, .related: return isNegated
    }
  }
}

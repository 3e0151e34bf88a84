package import SatchelModel
package import SatchelQuery

/// A query's condition taken apart into the conditions that must all hold.
package struct Conjuncts: Sendable {
  package let list: [Condition]
  /// The tests among them, with their places.
  package let tests: [(offset: Int, test: Test)]
  /// For each of the tests the segment of an index that holds the property's value, where one can.
  let segments: [Segment?]

  package init(_ condition: Condition, of kind: ObjectKind) {
    switch condition {
    case .always: list = []
    case .all(let conditions): list = conditions
    default: list = [condition]
    }
    var tests: [(offset: Int, test: Test)] = []
    var segments: [Segment?] = []
    tests.reserveCapacity(list.count)
    segments.reserveCapacity(list.count)
    for (offset, condition) in list.enumerated() {
      guard case .test(let test) = condition else { continue }
      tests.append((offset, test))
      segments.append(Segment(test.property, of: kind))
    }
    self.tests = tests
    self.segments = segments
  }

  /// What remains to be tested when some of them are ensured otherwise.
  package func remaining(without consumed: PlaceSet) -> Condition {
    if consumed.count == list.count { return .always }
    if consumed.isEmpty, list.count > 1 { return .all(list) }
    let rest = list.enumerated().filter { !consumed.contains($0.offset) }.map(\.element)
    return rest.isEmpty ? .always : rest.count == 1 ? rest[0] : .all(rest)
  }
}

extension Condition {
  /// The condition as one on the object behind a relation, if it says nothing of any other object.
  package func stripping(_ relation: Relation) -> Condition? {
    switch self {
    case .always, .never: return nil
    case .all(let conditions):
      let inner = conditions.compactMap { $0.stripping(relation) }
      return inner.count == conditions.count ? .all(inner) : nil
    case .any(let conditions):
      let inner = conditions.compactMap { $0.stripping(relation) }
      return inner.count == conditions.count ? .any(inner) : nil
    case .test(let test):
      return test.property.stripping(relation).map {
        .test(Test($0, test.values, isNegated: test.isNegated))
      }
    }
  }
}

extension Property {
  /// The property as one of the object behind a relation; a reference is that object's identifier.
  package func stripping(_ relation: Relation) -> Property? {
    if let first = relations.first {
      guard first == relation else { return nil }
      return Property(relations.count == 1 ? [] : Array(relations.dropFirst()), field)
    }
    switch (relation, field) {
    case (.conversation, .conversation), (.message, .message): return Property([], .identifier)
    default: return nil
    }
  }
}

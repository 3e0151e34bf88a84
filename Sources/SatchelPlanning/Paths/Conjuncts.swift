package import SatchelModel
package import SatchelQuery

/// A query's condition taken apart into the conditions that must all hold.
package struct Conjuncts: Sendable {
  package let list: [Condition]
  /// The tests among them, with their places.
  package let tests: [(offset: Int, test: Test)]

  package init(_ condition: Condition) {
    switch condition {
    case .always: list = []
    case .all(let conditions): list = conditions
    default: list = [condition]
    }
    tests = list.enumerated().compactMap { offset, condition in
      if case .test(let test) = condition { (offset, test) } else { nil }
    }
  }

  /// What remains to be tested when some of them are ensured otherwise.
  package func remaining(without consumed: Set<Int>) -> Condition {
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
    if relations.first == relation { return Property(Array(relations.dropFirst()), field) }
    switch (relation, relations, field) {
    case (.conversation, [], .conversation), (.message, [], .message): return Property([], .identifier)
    default: return nil
    }
  }
}

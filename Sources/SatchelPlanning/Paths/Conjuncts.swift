import SatchelIndexing
package import SatchelModel
package import SatchelQuery

/// A query's condition, split into the conditions that must all hold.
package struct Conjuncts: Sendable {
  package let list: [Condition]
  /// The tests among the conjuncts, with their indices in `list`. Behind them come those that a conjunct on one element implies by
  /// itself, with indices behind the list's: a path may be narrowed by them, and the conjunct is tested all the same.
  package let tests: [(offset: Int, test: Test)]
  /// For each test, the segment of an index that holds the property's value; nil if no segment can.
  let segments: [Segment?]
  /// The indices of the conjuncts, and of the tests that some of them imply.
  let indices: Range<Int>

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
    var end = list.count
    for case .elements(let group) in list {
      for test in group.impliedTests {
        tests.append((end, test))
        segments.append(Segment(test.property, of: kind))
        end += 1
      }
    }
    self.tests = tests
    self.segments = segments
    indices = 0..<end
  }

  /// Whether each conjunct is in a set, so that nothing is left to test.
  func areAll(in consumed: ConjunctSet) -> Bool {
    if indices.count == list.count { return consumed.count == list.count }
    return list.indices.allSatisfy { consumed.contains($0) }
  }

  /// Returns the other tests whether a property is in ranges, with the ranges in which a value passes if it is no list.
  func ranges(of property: ObjectProperty, besides offset: Int) -> [(
    offset: Int, ranges: ByteRanges, isNegated: Bool
  )] {
    tests.compactMap { other, test in
      guard other != offset, test.property == property,
        case .text(.ranges(let ranges), missing: false) = test.values
      else { return nil }
      return (other, test.isNegated ? ranges.complement : ranges, test.isNegated)
    }
  }

  /// Returns the condition that is left to test if some conjuncts, given by index, are ensured otherwise.
  package func remaining(without consumed: ConjunctSet) -> Condition {
    if areAll(in: consumed) { return .always }
    if consumed.isEmpty, list.count > 1 { return .all(list) }
    let rest = list.enumerated().filter { !consumed.contains($0.offset) }.map(\.element)
    return rest.isEmpty ? .always : rest.count == 1 ? rest[0] : .all(rest)
  }
}

extension Condition {
  /// Returns the same condition on the object that a relation leads to; nil if it says anything about another object.
  package func stripping(_ relation: ObjectRelation) -> Condition? {
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
    case .pair(let pair): return pair.replacing { $0.stripping(relation) }.map { .pair($0) }
    case .elements(let group):
      // The relation to the elements themselves remains.
      guard group.relations.count > 1, group.relations[0] == relation else { return nil }
      return .elements(
        ElementConditions(
          Array(group.relations.dropFirst()), group.conditions, isNegated: group.isNegated))
    }
  }
}

extension ObjectProperty {
  /// Returns the same property as one of the object that a relation leads to; nil if it belongs to another object. A
  /// reference to that object becomes the object's identifier.
  package func stripping(_ relation: ObjectRelation) -> ObjectProperty? {
    if let first = relations.first {
      guard first == relation else { return nil }
      return ObjectProperty(relations.count == 1 ? [] : Array(relations.dropFirst()), field)
    }
    switch (relation, field) {
    case (.conversation, .conversation), (.message, .message): return ObjectProperty([], .identifier)
    default: return nil
    }
  }
}

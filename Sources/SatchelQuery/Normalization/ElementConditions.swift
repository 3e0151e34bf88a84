package import SatchelModel

/// Conditions of one and the same element of a relation: of a message's part.
package struct ElementConditions: Hashable, Sendable {
  /// The relations from the object to its elements.
  package let relations: [ObjectRelation]
  /// What an element has to meet, all of it: two conditions or more, on the element's own properties. None is negated, and none is about
  /// elements again.
  package let conditions: [Condition]
  /// True if *no* element may meet the conditions, false if *some* element must.
  package let isNegated: Bool

  package init(_ relations: [ObjectRelation], _ conditions: [Condition], isNegated: Bool) {
    self.relations = relations
    self.conditions = conditions
    self.isNegated = isNegated
  }

  /// Every test of an element, as one of the object's own.
  var tests: [Test] { conditions.flatMap(\.tests).map(ofObject) }

  /// What some element must pass by itself, as tests of the object: each is weaker than the conditions together. None if no element may
  /// meet the conditions.
  package var impliedTests: [Test] {
    guard !isNegated else { return [] }
    return conditions.compactMap { if case .test(let test) = $0 { ofObject(test) } else { nil } }
  }

  private func ofObject(_ test: Test) -> Test {
    Test(ObjectProperty(relations, test.property.field), test.values)
  }
}

extension Condition {
  /// Returns the condition that some element of a relation meets another one or, with `isNegated`, that none does. Alternatives and a
  /// single test need no group: they become conditions of the object.
  /// - Parameters:
  ///   - relations: The relations from the object to its elements.
  ///   - condition: A condition of an element, as the normalizer makes it.
  ///   - everything: A property that no element lacks.
  static func elements(
    of relations: [ObjectRelation], _ condition: Condition, isNegated: Bool, everything: ObjectField
  ) -> Condition {
    switch condition {
    case .never: return isNegated ? .always : .never
    case .always:
      let property = ObjectProperty(relations, everything)
      return .test(property, .everything(of: property.type), isNegated: isNegated)
    case .test(let test):
      return .test(ObjectProperty(relations, test.property.field), test.values, isNegated: isNegated)
    case .any(let alternatives):
      let each = alternatives.map {
        elements(of: relations, $0, isNegated: isNegated, everything: everything)
      }
      return isNegated ? .conjunction(each) : .disjunction(each)
    case .all(let conditions):
      return .elements(ElementConditions(relations, conditions, isNegated: isNegated))
    case .elements, .pair: return condition
    }
  }
}

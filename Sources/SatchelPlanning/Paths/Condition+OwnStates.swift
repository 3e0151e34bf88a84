import SatchelModel
package import SatchelQuery

extension Condition {
  /// Whether it asks what conversations are to the store's user.
  package var asksForOwnStates: Bool {
    switch self {
    case .always, .never, .elements: false
    case .test(let test): test.property.isOwnState
    case .pair(let pair): pair.left.isOwnState || pair.right.isOwnState
    case .all(let list), .any(let list): list.contains { $0.asksForOwnStates }
    }
  }

  /// Returns the same condition with the flags behind `my` that are not there taken for false, so that `my.isMuted = false` holds for
  /// a conversation of which nothing is said.
  package func settlingOwnFlags() -> Condition {
    switch self {
    case .always, .never, .elements, .pair: return self
    case .all(let list): return .conjunction(list.map { $0.settlingOwnFlags() })
    case .any(let list): return .disjunction(list.map { $0.settlingOwnFlags() })
    case .test(let test):
      guard test.property.isOwnFlag, case .text(let set, _) = test.values else { return self }
      guard case .ranges(let ranges) = set else {
        // A pattern matches texts, which a flag is not.
        let isComplement = if case .pattern(_, let complement) = set { complement } else { false }
        return .test(Test(test.property, .text(set, missing: isComplement), isNegated: test.isNegated))
      }
      let missing = ranges.contains([ValueKey.Tag.false])
      if ranges.isEmpty { return test.isNegated ? .always : .never }
      if ranges.isAll { return test.isNegated ? .never : .always }
      return .test(Test(test.property, .text(set, missing: missing), isNegated: test.isNegated))
    }
  }
}

extension Test {
  /// The same test for the record behind a step, of what the step leads to from a conversation.
  func behindStep(_ inner: ObjectProperty) -> Condition {
    .test(Test(inner, values, isNegated: isNegated))
  }

  /// The test that the records pass that do not pass this one, given the property of the records; nil if it is not of a set of single values.
  func failing(_ inner: ObjectProperty) -> Condition? {
    guard !isNegated, case .text(.ranges(let ranges), let missing) = values else { return nil }
    return .test(Test(inner, .text(.ranges(ranges.complement), missing: !missing)))
  }
}

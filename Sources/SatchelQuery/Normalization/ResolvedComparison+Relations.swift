import SatchelModel
import SatchelRecords

// Users by their relations to another user.
extension ResolvedComparison {
  /// Returns the property of a user that a path leads to. The path may end at a sender, who is meant by the user id.
  static func user(
    _ comparison: QueryPredicate.Comparison, of queried: QueriedType, _ relation: [String]
  ) throws -> ObjectProperty {
    let path = relation + comparison.path
    if let property = try? queried.property(path + ["userID"]), property.isSender { return property }
    return try queried.property(path)
  }

  /// Returns the condition that the user is related, or with `isNegated`, that it is not, also if there is none.
  func related(isNegated: Bool) throws -> Condition {
    if comparison.quantifier != nil { throw unsupported("RELATED takes no ANY, ALL or NONE") }
    return .test(Test(property, .related(try relatedUsers()), isNegated: isNegated))
  }

  private func relatedUsers() throws -> RelatedUsers {
    guard let texts = comparison.operand.texts, (1...3).contains(texts.count) else {
      throw invalidValue(
        expected:
          "a kind, 'following', or a kind, a direction and to whom: {'friend', 'mutual'} or {'following', 'inward', 'carol'}"
      )
    }
    let kind = RelationKind(texts[0])
    guard kind.isValid else { throw invalidValue(expected: RelationKind.rule, found: texts[0]) }
    var direction = kind.standardDirection
    if texts.count > 1 {
      guard let other = RelationDirection(rawValue: texts[1]) else {
        let directions = RelationDirection.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw invalidValue(expected: "a direction behind the kind: " + directions, found: texts[1])
      }
      direction = other
    }
    guard texts.count < 3 || !texts[2].isEmpty else {
      throw invalidValue(expected: "the user id to whom they are related behind the direction")
    }
    return RelatedUsers(kind, direction, to: texts.count < 3 ? user : Identity.ID(texts[2]))
  }
}

extension Condition {
  /// Whether it depends on relations between users.
  package var asksForRelations: Bool {
    switch self {
    case .always, .never, .pair, .elements: false
    case .all(let conditions), .any(let conditions): conditions.contains(where: \.asksForRelations)
    case .test(let test): if case .related = test.values { true } else { false }
    }
  }
}

package import SatchelModel

/// Checks predicates and sort keys against the catalogue of properties, and converts a predicate to a ``Condition``.
///
/// Logic is two-valued. A NOT can therefore be moved down to the comparisons, which exchanges AND and OR on the way,
/// and then into the sets of values.
package struct Normalizer: Sendable {
  /// What is asked for.
  private let queried: QueriedType
  private var kind: ObjectKind { queried.kind }
  /// The store's user, who is added to the users of `participants = …`.
  package let user: Identity.ID

  package init(_ queried: QueriedType, user: Identity.ID) {
    self.queried = queried
    self.user = user
  }

  package init(kind: ObjectKind, user: Identity.ID) { self.init(QueriedType(kind), user: user) }

  /// Returns the condition that is true for the same objects as the predicate.
  /// - Throws: ``SatchelError`` `unqueryableProperty`, `unsupportedPredicate`, `invalidValue` or `notAvailable`. The
  ///   error names the property and what would be accepted.
  package func condition(for predicate: QueryPredicate) throws -> Condition {
    try condition(for: predicate, isNegated: false)
  }

  /// Returns the properties to sort by.
  /// - Throws: ``SatchelError`` `unqueryableProperty` or `unsupportedSort`.
  package func sort(for keys: [SortKey]) throws -> [ResolvedSort] {
    try keys.map { key in
      let property = try queried.property(key.path)
      guard property.isSortable else {
        throw SatchelError(
          .unsupportedSort,
          "Results sort by texts, identifiers, numbers, dates and Booleans that an object has one of",
          ["property": key.path.spelledPath, "type": property.type.name])
      }
      return ResolvedSort(property, descending: key.descending)
    }
  }

  /// - Parameter relation: The path from the object to the elements that the predicate is about; empty for the object itself.
  private func condition(
    for predicate: QueryPredicate, isNegated: Bool, of relation: [String] = []
  ) throws -> Condition {
    switch predicate.form {
    case .constant(let value): return value != isNegated ? .always : .never
    case .not(let predicate): return try condition(for: predicate, isNegated: !isNegated, of: relation)
    case .and(let predicates), .or(let predicates):
      let conditions = try predicates.map { try condition(for: $0, isNegated: isNegated, of: relation) }
      return predicate.isAnd != isNegated ? .conjunction(conditions) : .disjunction(conditions)
    case .comparison(let comparison):
      let operand = try ResolvedComparison(comparison, of: queried, user: user, relation)
      return try operand.condition(isNegated: isNegated)
    case .elements(let group):
      guard relation.isEmpty else {
        throw SatchelError(
          .unsupportedPredicate,
          "The conditions of one element have no ANY, ALL or NONE in them: groups do not nest",
          ["property": (relation + group.relation).spelledPath])
      }
      return try condition(for: group, isNegated: isNegated)
    case .invalid(.tooLarge):
      throw SatchelError(
        .unsupportedPredicate, "A predicate has at most 200 levels and 10,000 comparisons, ANDs, ORs and NOTs"
      )
    case .invalid(.combinedQuantifier):
      throw SatchelError(
        .notAvailable,
        "Several conditions on one and the same element of a list are not available: ask for one in each quantifier"
      )
    case .invalid(.beyondElement(let path)):
      throw SatchelError(
        .unsupportedPredicate,
        "The conditions of a part ask for the part's own properties only: join others to them outside, by AND or OR",
        ["property": path.spelledPath])
    }
  }

  private func condition(for group: QueryPredicate.ElementGroup, isNegated: Bool) throws -> Condition {
    // Every part has a type.
    let everything = ObjectField.mimeType
    guard let property = try? ObjectProperty(path: group.relation + everything.path, of: kind),
      property.relations.last == .parts, property.relations.count == group.relation.count
    else {
      throw SatchelError(
        .unsupportedPredicate,
        "Conditions in parentheses behind ANY, ALL and NONE go with the parts of a message",
        [
          "property": group.relation.spelledPath, "kind": kind.rawValue,
          "quantifier": group.quantifier.rawValue,
          "expected": kind == .parts
            ? "message.parts"
            : kind == .records
              ? "one condition on the texts of a field: \(group.quantifier.rawValue) tags = 'urgent'"
              : "parts, of messages or announcements",
        ])
    }
    // Every element passes if none fails.
    let isOfAll = group.quantifier == .all
    let inner = try condition(for: group.predicate, isNegated: isOfAll, of: group.relation)
    return .elements(
      of: property.relations, inner, isNegated: (group.quantifier == .any) == isNegated,
      everything: everything)
  }
}

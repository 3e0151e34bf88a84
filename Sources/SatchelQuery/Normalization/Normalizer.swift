package import SatchelModel

/// Checks predicates and sort keys against the catalogue of properties, and converts a predicate to a ``Condition``.
///
/// Logic is two-valued. A NOT can therefore be moved down to the comparisons, which exchanges AND and OR on the way,
/// and then into the sets of values.
package struct Normalizer: Sendable {
  /// The kind of the queried objects.
  package let kind: ObjectKind
  /// The store's user, who is added to the users of `participants = …`.
  package let user: Identity.ID

  package init(kind: ObjectKind, user: Identity.ID) {
    self.kind = kind
    self.user = user
  }

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
      let property = try ObjectProperty(path: key.path, of: kind)
      guard property.isSortable else {
        throw SatchelError(
          .unsupportedSort,
          "Results sort by texts, identifiers, numbers, dates and Booleans that an object has one of",
          ["property": key.path.spelledPath, "type": property.type.name])
      }
      return ResolvedSort(property, descending: key.descending)
    }
  }

  private func condition(for predicate: QueryPredicate, isNegated: Bool) throws -> Condition {
    switch predicate.form {
    case .constant(let value): return value != isNegated ? .always : .never
    case .not(let predicate): return try condition(for: predicate, isNegated: !isNegated)
    case .and(let predicates), .or(let predicates):
      let conditions = try predicates.map { try condition(for: $0, isNegated: isNegated) }
      return predicate.isAnd != isNegated ? .conjunction(conditions) : .disjunction(conditions)
    case .comparison(let comparison): return try condition(for: comparison, isNegated: isNegated)
    case .invalid(.tooLarge):
      throw SatchelError(
        .unsupportedPredicate, "A predicate has at most 200 levels and 10,000 comparisons, ANDs, ORs and NOTs"
      )
    case .invalid(.combinedQuantifier):
      throw SatchelError(
        .notAvailable,
        "Several conditions on one and the same part or element are not available: ask for one in each quantifier"
      )
    }
  }

  private func condition(for comparison: QueryPredicate.Comparison, isNegated: Bool) throws -> Condition {
    let operand = try ResolvedComparison(comparison, kind: kind, user: user)
    return try operand.condition(isNegated: isNegated)
  }
}

extension ValueType {
  /// The name of the type in errors.
  var name: String {
    switch self {
    case .text: "text"
    case .custom: "value of metadata"
    case .bytes: "identifier or MIME type"
    case .number: "number"
    case .date: "date"
    case .boolean: "Boolean"
    case .enumeration(let enumeration): enumeration.name
    case .participants: "participants"
    case .metadata: "metadata"
    }
  }
}

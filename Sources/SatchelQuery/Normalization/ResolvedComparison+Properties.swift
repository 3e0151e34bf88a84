import SatchelModel

// Comparisons of two properties of one object.
extension ResolvedComparison {
  /// Throws if the operator is none of two properties, or if the properties' types do not compare.
  func checkComparison(with other: ObjectProperty) throws {
    switch comparison.operator {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      try checkOperator()
      guard property.type != .participants, other.type != .participants else {
        throw invalidValue(expected: "a value, or with participants IN: a user id IN participants")
      }
      guard other.supports(comparison.operator) else {
        throw invalidValue(
          expected: "a property that has an order: a text, an identifier, a number or a date")
      }
    case .in, .notIn:
      try checkOperator()
      guard other.supports(.member) else {
        throw invalidValue(
          expected: "values in braces, or a "
            + (kind == .records
              ? "field" : "property with several: participants, one of parts, or a value of metadata"))
      }
    case .contains where property.type == .participants: try checkOperator()
    case .between, .like, .beginsWith, .endsWith, .contains, .autocomplete, .member, .matchesText,
      .related:
      throw unsupported(
        "Two properties are compared by =, !=, <, <=, >, >=, IN and NOT IN, and participants by CONTAINS; other operators take a value",
        accepted: Self.operatorsOfPairs)
    }
    guard Self.compare(property.type, other.type) else {
      throw invalidValue(expected: comparable(with: property.type))
    }
  }

  private static let operatorsOfPairs = "= != < <= > >= IN NOT IN"

  /// Whether values of two types compare: numbers, dates, Booleans and choices with their like, texts and identifiers with each
  /// other, and values of metadata and fields with all of them but choices.
  private static func compare(_ left: ValueType, _ right: ValueType) -> Bool {
    switch (left, right) {
    case (.metadata, _), (_, .metadata): false
    case (.enumeration(let left), .enumeration(let right)): left.name == right.name
    case (.enumeration, _), (_, .enumeration): false
    case (.custom, _), (_, .custom): true
    case (.text, _), (.bytes, _), (.participants, _):
      right == .text || right == .bytes || right == .participants
    case (.number, _), (.date, _), (.boolean, _): left == right
    }
  }

  /// Returns what compares with a property of a type, in words.
  private func comparable(with type: ValueType) -> String {
    let like =
      switch type {
      case .text, .bytes, .participants:
        kind == .records ? "a text or an identifier" : "a text, an identifier or a MIME type"
      case .number: "a number"
      case .date: "a date"
      case .boolean: "a Boolean"
      case .custom: "a text, an identifier, a MIME type, a number, a date or a Boolean"
      case .enumeration(let enumeration): "a \(enumeration.name)"
      case .metadata: ""
      }
    return switch type {
    case .metadata: "a dictionary of values of metadata: a property does not compare with whole metadata"
    case .enumeration: "a property that is \(like)"
    default: "a property that is \(like), or a \(kind == .records ? "field" : "value of metadata")"
    }
  }

  /// Returns the condition that compares with another property, or its complement.
  func condition(comparedWith other: ObjectProperty, isNegated: Bool) -> Condition {
    let relation: PropertyPair.Relation =
      switch comparison.operator {
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      case .greaterOrEqual: .greaterOrEqual
      default: .equal
      }
    let isComplement = comparison.operator == .notEqual || comparison.operator == .notIn
    func pair(isComplement: Bool, isNegated: Bool) -> Condition {
      .pair(PropertyPair(property, relation, other, isComplement: isComplement, isNegated: isNegated))
    }
    switch comparison.quantifier {
    case nil: return pair(isComplement: false, isNegated: isComplement != isNegated)
    case .any?: return pair(isComplement: isComplement, isNegated: isNegated)
    case .none?: return pair(isComplement: isComplement, isNegated: !isNegated)
    case .all?:
      // No value fails. A missing value of metadata has none that could; it passes only complements.
      let noneFails = pair(isComplement: !isComplement, isNegated: !isNegated)
      guard property.type == .custom, !isComplement else { return noneFails }
      let isThere = Condition.test(property, .everything(of: .custom), complemented: isNegated)
      return isNegated ? .disjunction([noneFails, isThere]) : .conjunction([noneFails, isThere])
    }
  }
}

extension FieldTypes {
  /// The parts of a message.
  ///
  /// The closure returns the condition that a part has to meet. It must ask for a single condition: a query with
  /// several conditions on one and the same part throws `notAvailable` when it runs.
  public struct Parts: Sendable {
    let propertyPath: [String]

    /// Matches messages with at least one part that meets the condition.
    public func any<Filter: PredicateConvertible>(_ condition: (PartOfMessageFields) -> Filter)
      -> QueryPredicate
    {
      condition(PartOfMessageFields(propertyPath)).predicate.onAnyElement
    }

    /// Matches messages whose parts all meet the condition, and messages without parts.
    public func all<Filter: PredicateConvertible>(_ condition: (PartOfMessageFields) -> Filter)
      -> QueryPredicate
    {
      condition(PartOfMessageFields(propertyPath)).predicate.onEveryElement
    }

    /// Matches messages with no part that meets the condition.
    public func none<Filter: PredicateConvertible>(_ condition: (PartOfMessageFields) -> Filter)
      -> QueryPredicate
    {
      .not(any(condition))
    }
  }
}

extension QueryPredicate {
  /// The predicate that some element meets this one.
  ///
  /// "Some element" can be moved into an OR, and inside a NOT it becomes "every element". It cannot be moved into an
  /// AND: there, different elements could meet the conditions.
  var onAnyElement: QueryPredicate {
    switch form {
    case .comparison(let comparison) where comparison.isWithinElement: .invalid(.combinedQuantifier)
    case .comparison(let comparison):
      // A comparison without a quantifier already means any element, except for the complements `!=` and NOT IN.
      switch comparison.operator {
      case .notEqual, .notIn: .comparison(comparison.quantified(.any))
      default: self
      }
    case .or(let predicates): .or(predicates.map(\.onAnyElement))
    case .not(let predicate): .not(predicate.onEveryElement)
    case .and, .constant: .invalid(.combinedQuantifier)
    case .invalid: self
    }
  }

  /// The predicate that every element meets this one.
  var onEveryElement: QueryPredicate {
    switch form {
    case .comparison(let comparison) where comparison.isWithinElement: .invalid(.combinedQuantifier)
    case .comparison(let comparison): .comparison(comparison.quantified(.all))
    case .and(let predicates): .and(predicates.map(\.onEveryElement))
    case .not(let predicate): .not(predicate.onAnyElement)
    case .or, .constant: .invalid(.combinedQuantifier)
    case .invalid: self
    }
  }
}

extension QueryPredicate.Comparison {
  /// Whether the comparison is of two properties of one part, or of an element of a list with itself. As a comparison of two paths it
  /// would let them belong to different elements.
  fileprivate var isWithinElement: Bool {
    guard case .path(let other) = operand else { return false }
    let element = path.dropLast()
    return path == other || element.last == "parts" && path.first != "metadata" && other.starts(with: element)
  }

  fileprivate func quantified(_ quantifier: QueryPredicate.Quantifier) -> QueryPredicate.Comparison {
    QueryPredicate.Comparison(path, `operator`, operand, options: options, quantifier: quantifier)
  }
}

extension FieldTypes {
  /// The parts of a message.
  ///
  /// The closure says what a part has to meet. It may ask for one condition: several conditions on one and the same
  /// part are refused with `notAvailable` when the query runs.
  public struct Parts: Sendable {
    let propertyPath: [String]

    /// True where some part meets the condition.
    public func any<Filter: PredicateConvertible>(_ condition: (PartOfMessageFields) -> Filter) -> Predicate {
      condition(PartOfMessageFields(propertyPath)).predicate.onAnyElement
    }

    /// True where every part meets the condition, and where there are no parts.
    public func all<Filter: PredicateConvertible>(_ condition: (PartOfMessageFields) -> Filter) -> Predicate {
      condition(PartOfMessageFields(propertyPath)).predicate.onEveryElement
    }

    /// True where no part meets the condition.
    public func none<Filter: PredicateConvertible>(_ condition: (PartOfMessageFields) -> Filter) -> Predicate
    {
      .not(any(condition))
    }
  }
}

extension Predicate {
  /// The predicate that some element meets this one.
  ///
  /// "Some" goes through an OR and turns to "every" behind a NOT, but says something else in front of an AND than
  /// behind it.
  fileprivate var onAnyElement: Predicate {
    switch form {
    case .comparison(let comparison):
      // Without a quantifier a comparison means any element already, except for the complements.
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
  fileprivate var onEveryElement: Predicate {
    switch form {
    case .comparison(let comparison): .comparison(comparison.quantified(.all))
    case .and(let predicates): .and(predicates.map(\.onEveryElement))
    case .not(let predicate): .not(predicate.onAnyElement)
    case .or, .constant: .invalid(.combinedQuantifier)
    case .invalid: self
    }
  }
}

extension Predicate.Comparison {
  fileprivate func quantified(_ quantifier: Predicate.Quantifier) -> Predicate.Comparison {
    Predicate.Comparison(path, `operator`, operand, options: options, quantifier: quantifier)
  }
}

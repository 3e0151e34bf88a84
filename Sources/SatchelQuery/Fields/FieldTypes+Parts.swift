extension FieldTypes {
  /// The parts of a message.
  ///
  /// The closure returns the condition that a part has to meet, all of it:
  /// `$0.parts.any { $0.mimeType == "image/png" && $0.size > 100_000 }`. It can be any condition of the part's own properties. A query
  /// that asks for another object's there, or for parts again, throws `unsupportedPredicate` when it runs.
  public struct Parts: Sendable {
    let propertyPath: [String]
    /// What the paths of the closure's own parts begin with. No other path does, so that they are told from those of other objects.
    private static let element = [""]

    /// Matches messages with at least one part that meets the condition.
    public func any<Filter: PredicateConvertible>(_ condition: (PartOfMessageFields) -> Filter)
      -> QueryPredicate
    {
      .ofElements(.any, of: propertyPath, condition(PartOfMessageFields(Self.element)).predicate)
    }

    /// Matches messages whose parts all meet the condition, and messages without parts.
    public func all<Filter: PredicateConvertible>(_ condition: (PartOfMessageFields) -> Filter)
      -> QueryPredicate
    {
      .ofElements(.all, of: propertyPath, condition(PartOfMessageFields(Self.element)).predicate)
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
  /// Returns the predicate that elements of a relation meet another one, whose paths begin with an empty name for the element.
  ///
  /// Where the quantifier can be moved to each comparison, it is: then the predicate says the same without a group.
  fileprivate static func ofElements(
    _ quantifier: Quantifier, of relation: [String], _ predicate: QueryPredicate
  ) -> QueryPredicate {
    if let path = predicate.pathBeyondElement { return .invalid(.beyondElement(path)) }
    let moved = quantifier == .any ? predicate.onAnyElement : predicate.onEveryElement
    return moved?.beginning(with: relation)
      ?? .elements(quantifier, of: relation, predicate.beginning(with: []))
  }

  /// The first path that does not begin at the element; nil if all do.
  private var pathBeyondElement: [String]? {
    switch form {
    case .constant, .invalid: nil
    case .and(let predicates), .or(let predicates): predicates.lazy.compactMap(\.pathBeyondElement).first
    case .not(let predicate): predicate.pathBeyondElement
    case .comparison(let comparison): comparison.pathBeyondElement
    case .elements(let group): group.relation
    }
  }

  /// Returns the same predicate with the paths of the element beginning with other names.
  private func beginning(with names: [String]) -> QueryPredicate {
    switch form {
    case .constant, .invalid, .elements: self
    case .and(let predicates): .and(predicates.map { $0.beginning(with: names) })
    case .or(let predicates): .or(predicates.map { $0.beginning(with: names) })
    case .not(let predicate): .not(predicate.beginning(with: names))
    case .comparison(let comparison): .comparison(comparison.beginning(with: names))
    }
  }

  /// The predicate that some element meets this one; nil if it takes a group to say so.
  ///
  /// "Some element" can be moved into an OR, and inside a NOT it becomes "every element". It cannot be moved into an
  /// AND: there, different elements could meet the conditions.
  var onAnyElement: QueryPredicate? {
    switch form {
    case .comparison(let comparison) where comparison.takesGroup: nil
    case .comparison(let comparison):
      // A comparison without a quantifier already means any element, except for the complements `!=` and NOT IN.
      switch comparison.operator {
      case .notEqual, .notIn: .comparison(comparison.quantified(.any))
      default: self
      }
    case .or(let predicates): Self.moved(predicates, \.onAnyElement).map { .or($0) }
    case .not(let predicate): predicate.onEveryElement.map { .not($0) }
    case .and, .constant, .elements: nil
    case .invalid: self
    }
  }

  /// The predicate that every element meets this one; nil if it takes a group to say so.
  var onEveryElement: QueryPredicate? {
    switch form {
    case .comparison(let comparison) where comparison.takesGroup: nil
    case .comparison(let comparison): .comparison(comparison.quantified(.all))
    case .and(let predicates): Self.moved(predicates, \.onEveryElement).map { .and($0) }
    case .not(let predicate): predicate.onAnyElement.map { .not($0) }
    case .or, .constant, .elements: nil
    case .invalid: self
    }
  }

  /// Returns all of the predicates moved; nil if one of them cannot be.
  private static func moved(
    _ predicates: [QueryPredicate], _ move: (QueryPredicate) -> QueryPredicate?
  ) -> [QueryPredicate]? {
    var moved: [QueryPredicate] = []
    for predicate in predicates {
      guard let predicate = move(predicate) else { return nil }
      moved.append(predicate)
    }
    return moved
  }
}

extension QueryPredicate.Comparison {
  /// Whether the path begins at the element of a closure.
  fileprivate var isOfElement: Bool { path.first?.isEmpty ?? false }

  /// Whether only a group says the same of an element. Outside of one, two paths may belong to different elements, and `= nil` says that
  /// no element has a value.
  fileprivate var takesGroup: Bool {
    switch operand {
    case .path(let other): isOfElement || path == other
    default: isOfElement && operand == .null
    }
  }

  /// The first of its paths that does not begin at the element; nil if all do.
  fileprivate var pathBeyondElement: [String]? {
    guard isOfElement else { return path }
    if case .path(let other) = operand, other.first?.isEmpty != true { return other }
    return nil
  }

  /// Returns the same comparison with the paths of the element beginning with other names.
  fileprivate func beginning(with names: [String]) -> QueryPredicate.Comparison {
    var operand = operand
    if case .path(let other) = operand { operand = .path(names + other.dropFirst()) }
    return QueryPredicate.Comparison(
      names + path.dropFirst(), `operator`, operand, options: options, quantifier: quantifier)
  }

  fileprivate func quantified(_ quantifier: QueryPredicate.Quantifier) -> QueryPredicate.Comparison {
    QueryPredicate.Comparison(path, `operator`, operand, options: options, quantifier: quantifier)
  }
}

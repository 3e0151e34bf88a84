import Foundation
import SatchelModel
import SatchelQuery

extension PredicateTranslation {
  /// Returns the predicate of a comparison of two terms, as Swift answers it: nil equals nil.
  func comparison(
    _ operator: QueryPredicate.Operator, _ left: PredicateTerm, _ right: PredicateTerm
  ) throws -> QueryPredicate {
    if `operator` == .notEqual { return .complement(of: try comparison(.equal, left, right)) }
    switch (left, right) {
    case (.coalesced(let optional, let fallback), _):
      return try choosing(optional, fallback) { try comparison(`operator`, $0, right) }
    case (.value(let left), .value(let right)):
      guard let left = PredicateValues.constant(left), let right = PredicateValues.constant(right),
        let passes = `operator`.compares(left, right)
      else { throw refusal("a property on one side, or two values of one type") }
      return passes ? .true : .false
    case (_, .coalesced), (.value, _): return try comparison(`operator`.mirrored, right, left)
    case (.property(let path, let isOptional), .property(let other, let isOtherOptional)):
      return try comparison(`operator`, path, other, mayBothBeMissing: isOptional && isOtherOptional)
    case (_, .value(let value)): return try comparison(`operator`, left, with: value)
    case (.condition(let condition), let other), (let other, .condition(let condition)):
      // Both are true, or both are false.
      guard `operator` == .equal else { throw refusal("== or !=") }
      return .anyOf([
        .allOf([condition, try comparison(.equal, other, .value(true))]),
        .allOf([.complement(of: condition), try comparison(.equal, other, .value(false))]),
      ])
    default: throw refusal("a value on one side, or two properties")
    }
  }

  /// Returns the predicate of a comparison of what may be missing with something: of the term where it is there, of another one where it
  /// is missing.
  /// - Parameter predicate: Returns the predicate of one of both.
  private func choosing(
    _ optional: PredicateTerm, _ fallback: PredicateTerm,
    _ predicate: (PredicateTerm) throws -> QueryPredicate
  ) throws -> QueryPredicate {
    let presence = try presence(of: optional)
    let present = present(presence, and: try predicate(optional.unwrapped))
    return .anyOf([present, .allOf([.complement(of: presence), try predicate(fallback)])])
  }

  /// Returns the predicate that a term is not nil.
  private func presence(of term: PredicateTerm) throws -> QueryPredicate {
    switch term {
    case .property(let path, _): presence(of: [path])
    case .optionalCondition(_, let paths), .count(_, let paths): presence(of: paths)
    case .coalesced(let optional, let fallback):
      .or([try presence(of: optional), try presence(of: fallback)])
    case .value(let value): PredicateValues.isNil(value) ? .false : .true
    case .condition: .true
    case .object, .parts: throw refusal("a property that may be missing before ??")
    }
  }

  /// Returns the predicate that each of some properties has a value.
  private func presence(of paths: [[String]]) -> QueryPredicate {
    .allOf(paths.map { .comparison(QueryPredicate.Comparison($0, .notEqual, .null)) })
  }

  /// Returns the predicate that one of some properties has no value.
  private func absence(of paths: [[String]]) -> QueryPredicate { .complement(of: presence(of: paths)) }

  /// Returns the predicate that something is there and meets a condition. A comparison that is false for missing values says both.
  private func present(_ presence: QueryPredicate, and predicate: QueryPredicate) -> QueryPredicate {
    if case .comparison(let test) = presence.form, case .comparison(let comparison) = predicate.form,
      test.path == comparison.path, ![.notEqual, .notIn].contains(comparison.operator),
      comparison.operand != .null
    {
      return predicate
    }
    return .allOf([presence, predicate])
  }

  /// Returns the predicate of a comparison of two properties, which is false where one is missing.
  /// - Parameter mayBothBeMissing: Whether nil is compared with nil.
  private func comparison(
    _ operator: QueryPredicate.Operator, _ path: [String], _ other: [String], mayBothBeMissing: Bool
  ) throws -> QueryPredicate {
    let wholes = ["participants", "recipientStatus", "parts", "metadata", "lastMessage"]
    guard !isOfPart, !wholes.contains(path.last ?? ""), !wholes.contains(other.last ?? "") else {
      throw refusal("a value on one side, or two properties with one value each that are not of a part")
    }
    let predicate = QueryPredicate.comparison(QueryPredicate.Comparison(path, `operator`, .path(other)))
    guard mayBothBeMissing, `operator` == .equal else { return predicate }
    return .or([predicate, .and([absence(of: [path]), absence(of: [other])])])
  }

  /// Returns the predicate of a comparison of a term with a value.
  private func comparison(
    _ operator: QueryPredicate.Operator, _ left: PredicateTerm, with value: Any
  ) throws -> QueryPredicate {
    switch left {
    case .condition(let predicate):
      guard `operator` == .equal else { throw refusal("== or !=") }
      if PredicateValues.isNil(value) { return .false }
      guard let truth = value as? Bool else { throw refusal("true or false") }
      return truth ? predicate : .complement(of: predicate)
    case .optionalCondition(let predicate, let paths):
      guard `operator` == .equal else { throw refusal("== or !=") }
      if PredicateValues.isNil(value) { return absence(of: paths) }
      guard let truth = value as? Bool else { throw refusal("true, false or nil") }
      return present(presence(of: paths), and: truth ? predicate : .complement(of: predicate))
    case .count(let isEmpty, let paths):
      if PredicateValues.isNil(value), `operator` == .equal { return absence(of: paths) }
      guard let number = value as? Int else { throw refusal("a number") }
      return present(presence(of: paths), and: try count(`operator`, number, isEmpty: isEmpty))
    case .property(let path, _) where path.last == "metadata":
      guard let metadata = value as? Metadata, `operator` == .equal else { throw refusal("metadata") }
      return .comparison(QueryPredicate.Comparison(path, .equal, .dictionary(metadata)))
    case .property(let path, let isOptional):
      let constant = try self.constant(value, for: path)
      guard constant != .null else {
        guard `operator` == .equal else { throw refusal("a value that is not nil") }
        return isOptional ? absence(of: [path]) : .false
      }
      return .comparison(QueryPredicate.Comparison(path, `operator`, .constant(constant)))
    case .object, .parts, .coalesced, .value: throw refusal("a property of the object")
    }
  }

  /// Returns the predicate that a number of elements compares with a number, as far as it asks whether there is one.
  private func count(
    _ operator: QueryPredicate.Operator, _ number: Int, isEmpty: QueryPredicate
  ) throws -> QueryPredicate {
    switch (`operator`, number) {
    case (.equal, ..<0), (.less, ...0), (.lessOrEqual, ..<0): return .false
    case (.greater, ..<0), (.greaterOrEqual, ...0): return .true
    case (.equal, 0), (.less, 1), (.lessOrEqual, 0): return isEmpty
    case (.greater, 0), (.greaterOrEqual, 1): return .complement(of: isEmpty)
    default:
      throw refusal(
        "a comparison with 0: the store knows whether there is an element, not how many there are")
    }
  }

  /// Returns the value as a constant that the property is compared with.
  private func constant(_ value: Any, for path: [String]) throws -> QueryPredicate.Constant {
    guard path.last != "participants", path != ["recipientStatus"],
      let constant = PredicateValues.constant(value)
    else {
      throw refusal("a text, number, Boolean, date, identifier or status, and a property with one value")
    }
    return constant
  }

  // MARK: Collections and texts

  /// Returns the predicate that a term is one of the elements of a collection.
  func membership(of term: PredicateTerm, in collection: Any) throws -> QueryPredicate {
    if case .coalesced(let optional, let fallback) = term {
      return try choosing(optional, fallback) { try membership(of: $0, in: collection) }
    }
    if let bounds = PredicateValues.bounds(collection) {
      return .allOf(try bounds.map { try comparison($0.0, term, .value($0.1)) })
    }
    guard let constants = PredicateValues.constants(collection) else {
      throw refusal("a collection or a range of values that properties are compared with")
    }
    switch term {
    case .property(let path, let isOptional):
      let values = constants.filter { $0 != .null }
      let predicate = QueryPredicate.comparison(QueryPredicate.Comparison(path, .in, .list(values)))
      guard isOptional, values.count < constants.count else { return predicate }
      return .or([predicate, absence(of: [path])])
    case .value(let value):
      guard let constant = PredicateValues.constant(value) else { throw refusal("a property") }
      return constants.contains { QueryPredicate.Operator.equal.compares(constant, $0) == true }
        ? .true : .false
    default: throw refusal("a property")
    }
  }

  /// Returns the predicate that a text contains another one, or begins with it.
  func text(_ operator: QueryPredicate.Operator, _ base: PredicateTerm, _ other: PredicateTerm) throws
    -> QueryPredicate
  {
    guard case .value(let value as String) = other else {
      throw refusal("a text, and a property that contains it")
    }
    switch base {
    case .property(let path, let isOptional):
      // Every text contains an empty one.
      guard !value.isEmpty else { return isOptional ? presence(of: [path]) : .true }
      return .comparison(QueryPredicate.Comparison(path, `operator`, .text(value)))
    case .coalesced(let optional, let fallback):
      return try choosing(optional, fallback) { try text(`operator`, $0, other) }
    case .value(let text as String):
      return (`operator` == .contains ? text.contains(value) : text.starts(with: value)) ? .true : .false
    default: throw refusal("a property with a text")
    }
  }
}

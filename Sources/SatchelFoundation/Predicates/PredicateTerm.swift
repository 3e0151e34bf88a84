import Foundation
import SatchelModel
import SatchelQuery

/// What a node of a Foundation predicate is to the store.
indirect enum PredicateTerm {
  /// The object that a variable stands for; its properties are behind these names.
  case object([String])
  /// A property of the queried object.
  case property([String], isOptional: Bool)
  /// What may be missing, or what is there instead of it.
  case coalesced(PredicateTerm, PredicateTerm)
  /// A condition.
  case condition(QueryPredicate)
  /// A condition that is missing where one of the properties is.
  case optionalCondition(QueryPredicate, of: [[String]])
  /// The parts that meet a condition.
  case parts(QueryPredicate)
  /// The number of elements of a collection, of which the store knows whether it is 0; missing where one of the properties is.
  case count(isEmpty: QueryPredicate, of: [[String]])
  /// A value that does not depend on the object.
  case value(Any)
}

extension PredicateTerm {
  /// The same where it is not missing.
  var unwrapped: PredicateTerm {
    switch self {
    case .property(let path, _): .property(path, isOptional: false)
    case .optionalCondition(let predicate, _): .condition(predicate)
    case .count(let isEmpty, _): .count(isEmpty: isEmpty, of: [])
    case .object, .coalesced, .condition, .parts, .value: self
    }
  }
}

extension QueryPredicate {
  /// Returns the predicate that all are true, without those that are always true.
  static func allOf(_ predicates: [QueryPredicate]) -> QueryPredicate {
    predicates.contains(.false) ? .false : .and(predicates.filter { $0 != .true })
  }

  /// Returns the predicate that one is true, without those that never are.
  static func anyOf(_ predicates: [QueryPredicate]) -> QueryPredicate {
    predicates.contains(.true) ? .true : .or(predicates.filter { $0 != .false })
  }

  /// Returns the predicate that another one is false, without NOT where it can do without.
  static func complement(of predicate: QueryPredicate) -> QueryPredicate {
    switch predicate.form {
    case .constant(let value): value ? .false : .true
    case .not(let predicate): predicate
    case .comparison(let comparison) where comparison.operator == .notEqual && comparison.quantifier == nil:
      .comparison(Comparison(comparison.path, .equal, comparison.operand))
    default: .not(predicate)
    }
  }
}

/// A value that may be nil, whatever its type.
private protocol PossiblyNil { var isNil: Bool { get } }
extension Optional: PossiblyNil { fileprivate var isNil: Bool { self == nil } }

/// A range of values that a property can be compared with.
private protocol ComparableRange {
  var bounds: [(QueryPredicate.Operator, any PredicateConstantConvertible)] { get }
}
extension Range: ComparableRange where Bound: PredicateConstantConvertible {
  fileprivate var bounds: [(QueryPredicate.Operator, any PredicateConstantConvertible)] {
    [(.greaterOrEqual, lowerBound), (.less, upperBound)]
  }
}
extension ClosedRange: ComparableRange where Bound: PredicateConstantConvertible {
  fileprivate var bounds: [(QueryPredicate.Operator, any PredicateConstantConvertible)] {
    [(.greaterOrEqual, lowerBound), (.lessOrEqual, upperBound)]
  }
}
extension PartialRangeFrom: ComparableRange where Bound: PredicateConstantConvertible {
  fileprivate var bounds: [(QueryPredicate.Operator, any PredicateConstantConvertible)] {
    [(.greaterOrEqual, lowerBound)]
  }
}
extension PartialRangeUpTo: ComparableRange where Bound: PredicateConstantConvertible {
  fileprivate var bounds: [(QueryPredicate.Operator, any PredicateConstantConvertible)] {
    [(.less, upperBound)]
  }
}
extension PartialRangeThrough: ComparableRange where Bound: PredicateConstantConvertible {
  fileprivate var bounds: [(QueryPredicate.Operator, any PredicateConstantConvertible)] {
    [(.lessOrEqual, upperBound)]
  }
}

/// Values as constants of the predicate language.
enum PredicateValues {
  static func isNil(_ value: Any) -> Bool { (value as? any PossiblyNil)?.isNil ?? false }

  /// Returns the constant of a value; nil if no property can be compared with one of its type.
  static func constant(_ value: Any) -> QueryPredicate.Constant? {
    if isNil(value) { return .null }
    return (value as? any PredicateConstantConvertible)?.predicateConstant
  }

  /// Returns the constants of the elements of a collection; nil if it is none, or if one of them is no constant.
  static func constants(_ value: Any) -> [QueryPredicate.Constant]? {
    guard let collection = value as? any Collection else { return nil }
    return constants(in: collection)
  }

  private static func constants(in values: some Collection) -> [QueryPredicate.Constant]? {
    var result: [QueryPredicate.Constant] = []
    for value in values {
      guard let constant = constant(value) else { return nil }
      result.append(constant)
    }
    return result
  }

  /// Returns what a value has to be to lie in a range; nil if it is no range.
  static func bounds(_ value: Any) -> [(QueryPredicate.Operator, any PredicateConstantConvertible)]? {
    (value as? any ComparableRange)?.bounds
  }
}

extension QueryPredicate.Operator {
  /// The operator that says the same with both sides exchanged.
  var mirrored: Self {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }

  /// Whether two constants of one type compare so, where nil equals nil; nil if their types differ or have no order.
  func compares(_ left: QueryPredicate.Constant, _ right: QueryPredicate.Constant) -> Bool? {
    switch (left, right) {
    case (.null, .null): self == .equal ? true : nil
    case (.null, _), (_, .null): self == .equal ? false : nil
    case (.integer(let left), .integer(let right)): compares(left, right)
    case (.number(let left), .number(let right)): compares(left, right)
    case (.text(let left), .text(let right)): compares(left, right)
    case (.date(let left), .date(let right)): compares(left, right)
    case (.boolean(let left), .boolean(let right)): self == .equal ? left == right : nil
    case (.reference(let left), .reference(let right)): self == .equal ? left == right : nil
    default: nil
    }
  }

  private func compares<Value: Comparable>(_ left: Value, _ right: Value) -> Bool? {
    switch self {
    case .equal: left == right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    default: nil
    }
  }
}

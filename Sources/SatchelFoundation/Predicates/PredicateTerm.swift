import Foundation
import SatchelModel
import SatchelQuery

/// What a node of a Foundation predicate is to the store.
enum PredicateTerm {
  /// The object that a variable stands for; its properties are behind these names.
  case object([String])
  /// A property of the queried object.
  case property([String], isOptional: Bool)
  /// A property, or this value where it is missing.
  case coalesced([String], Any)
  /// A condition.
  case condition(QueryPredicate)
  /// A condition that is missing where the property is.
  case optionalCondition(QueryPredicate, of: [String])
  /// A value that does not depend on the object.
  case value(Any)
}

/// A value that may be nil, whatever its type.
private protocol PossiblyNil { var isNil: Bool { get } }
extension Optional: PossiblyNil { fileprivate var isNil: Bool { self == nil } }

/// A range of values that a property can be compared with.
private protocol BoundedRange {
  var bounds: [(QueryPredicate.Operator, QueryPredicate.Constant)] { get }
}
extension Range: BoundedRange where Bound: PredicateConstantConvertible {
  fileprivate var bounds: [(QueryPredicate.Operator, QueryPredicate.Constant)] {
    [(.greaterOrEqual, lowerBound.predicateConstant), (.less, upperBound.predicateConstant)]
  }
}
extension ClosedRange: BoundedRange where Bound: PredicateConstantConvertible {
  fileprivate var bounds: [(QueryPredicate.Operator, QueryPredicate.Constant)] {
    [(.greaterOrEqual, lowerBound.predicateConstant), (.lessOrEqual, upperBound.predicateConstant)]
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
  static func bounds(_ value: Any) -> [(QueryPredicate.Operator, QueryPredicate.Constant)]? {
    (value as? any BoundedRange)?.bounds
  }
}

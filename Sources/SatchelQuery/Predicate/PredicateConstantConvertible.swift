public import SatchelModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A type whose values can be compared with a property: strings, numbers, Booleans, dates, identifiers and references.
public protocol PredicateConstantConvertible: Sendable {
  /// The value as a constant of a predicate.
  var predicateConstant: QueryPredicate.Constant { get }
}

extension QueryPredicate.Constant: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { self }
}

extension String: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { .text(self) }
}

extension Substring: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { .text(String(self)) }
}

extension Bool: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { .boolean(self) }
}

extension BinaryInteger where Self: PredicateConstantConvertible {
  /// An integer outside the range of Int64 becomes the nearest Double, which compares with every Int64 as the integer
  /// does.
  public var predicateConstant: QueryPredicate.Constant {
    Int64(exactly: self).map { .integer($0) } ?? .number(Double(self))
  }
}

extension Int: PredicateConstantConvertible {}
extension Int8: PredicateConstantConvertible {}
extension Int16: PredicateConstantConvertible {}
extension Int32: PredicateConstantConvertible {}
extension Int64: PredicateConstantConvertible {}
extension UInt: PredicateConstantConvertible {}
extension UInt8: PredicateConstantConvertible {}
extension UInt16: PredicateConstantConvertible {}
extension UInt32: PredicateConstantConvertible {}
extension UInt64: PredicateConstantConvertible {}

extension Double: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { .number(self) }
}

extension Float: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { .number(Double(self)) }
}

extension Date: PredicateConstantConvertible {
  /// The date, rounded to the nearest microsecond.
  public var predicateConstant: QueryPredicate.Constant { .date(Timestamp(self)) }
}

extension Timestamp: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { .date(self) }
}

extension ObjectID: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { .text(rawValue) }
}

extension Reference: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { .reference(self) }
}

extension RecipientStatus: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var predicateConstant: QueryPredicate.Constant { .text(name) }
}

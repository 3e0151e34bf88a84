public import SatchelModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A number of any type that a property can be compared with. Only its value counts: 5.0 equals 5.
public protocol QueryNumber: PredicateConstantConvertible, Numeric {}

extension Int: QueryNumber {}
extension Int8: QueryNumber {}
extension Int16: QueryNumber {}
extension Int32: QueryNumber {}
extension Int64: QueryNumber {}
extension UInt: QueryNumber {}
extension UInt8: QueryNumber {}
extension UInt16: QueryNumber {}
extension UInt32: QueryNumber {}
extension UInt64: QueryNumber {}
extension Float: QueryNumber {}
extension Double: QueryNumber {}

/// A property whose values are numbers.
public protocol NumericField: SortableField {
  /// The type of sums of its values.
  associatedtype Sum: Hashable & Sendable
}

extension NumericField {
  /// Matches values that are equal.
  public static func == (field: Self, value: some QueryNumber) -> QueryPredicate {
    field.compare(.equal, value)
  }
  /// Matches all objects that `==` does not match, also if the value is missing.
  public static func != (field: Self, value: some QueryNumber) -> QueryPredicate {
    field.compare(.notEqual, value)
  }
  /// Matches values that are less.
  public static func < (field: Self, value: some QueryNumber) -> QueryPredicate {
    field.compare(.less, value)
  }
  /// Matches values that are less or equal.
  public static func <= (field: Self, value: some QueryNumber) -> QueryPredicate {
    field.compare(.lessOrEqual, value)
  }
  /// Matches values that are greater.
  public static func > (field: Self, value: some QueryNumber) -> QueryPredicate {
    field.compare(.greater, value)
  }
  /// Matches values that are greater or equal.
  public static func >= (field: Self, value: some QueryNumber) -> QueryPredicate {
    field.compare(.greaterOrEqual, value)
  }

  /// Matches values that are equal to one of `values`.
  public func `in`(_ values: some Sequence<some QueryNumber>) -> QueryPredicate { compare(.in, values) }
  /// Matches all objects that ``in(_:)`` does not match, also if the value is missing.
  public func notIn(_ values: some Sequence<some QueryNumber>) -> QueryPredicate { compare(.notIn, values) }
  /// Matches values from `lower` to `upper`, both included.
  public func between<Number: QueryNumber>(_ lower: Number, _ upper: Number) -> QueryPredicate {
    compare(.between, [lower, upper])
  }
}

/// A point in time that a property can be compared with. Both types are compared to the nearest microsecond.
public protocol QueryDate: PredicateConstantConvertible {}

extension Date: QueryDate {}
extension Timestamp: QueryDate {}

extension QueryDate where Self == Date {
  /// The current time.
  public static var now: Date { Date() }
}

/// A property whose values are points in time.
public protocol DateField: SortableField {}

extension DateField {
  /// Matches values that are equal.
  public static func == (field: Self, value: some QueryDate) -> QueryPredicate {
    field.compare(.equal, value)
  }
  /// Matches all objects that `==` does not match, also if the value is missing.
  public static func != (field: Self, value: some QueryDate) -> QueryPredicate {
    field.compare(.notEqual, value)
  }
  /// Matches values that are less.
  public static func < (field: Self, value: some QueryDate) -> QueryPredicate { field.compare(.less, value) }
  /// Matches values that are less or equal.
  public static func <= (field: Self, value: some QueryDate) -> QueryPredicate {
    field.compare(.lessOrEqual, value)
  }
  /// Matches values that are greater.
  public static func > (field: Self, value: some QueryDate) -> QueryPredicate {
    field.compare(.greater, value)
  }
  /// Matches values that are greater or equal.
  public static func >= (field: Self, value: some QueryDate) -> QueryPredicate {
    field.compare(.greaterOrEqual, value)
  }

  /// Matches values that are equal to one of `values`.
  public func `in`(_ values: some Sequence<some QueryDate>) -> QueryPredicate { compare(.in, values) }
  /// Matches all objects that ``in(_:)`` does not match, also if the value is missing.
  public func notIn(_ values: some Sequence<some QueryDate>) -> QueryPredicate { compare(.notIn, values) }
  /// Matches values from `lower` to `upper`, both included.
  public func between<Time: QueryDate>(_ lower: Time, _ upper: Time) -> QueryPredicate {
    compare(.between, [lower, upper])
  }
}

public import SatchelModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A number that a property can be compared with, of whatever type: 5.0 is 5.
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

/// A property whose values are whole numbers.
public protocol NumericField: SortableField {}

extension NumericField {
  public static func == (field: Self, value: some QueryNumber) -> Predicate { field.compare(.equal, value) }
  /// The complement of `==`: true for a missing value.
  public static func != (field: Self, value: some QueryNumber) -> Predicate {
    field.compare(.notEqual, value)
  }
  public static func < (field: Self, value: some QueryNumber) -> Predicate { field.compare(.less, value) }
  public static func <= (field: Self, value: some QueryNumber) -> Predicate {
    field.compare(.lessOrEqual, value)
  }
  public static func > (field: Self, value: some QueryNumber) -> Predicate { field.compare(.greater, value) }
  public static func >= (field: Self, value: some QueryNumber) -> Predicate {
    field.compare(.greaterOrEqual, value)
  }

  /// True where the value is one of some.
  public func `in`(_ values: some Sequence<some QueryNumber>) -> Predicate { compare(.in, values) }
  /// The complement of ``in(_:)``: true for a missing value.
  public func notIn(_ values: some Sequence<some QueryNumber>) -> Predicate { compare(.notIn, values) }
  /// True where the value is one of the bounds or between them.
  public func between<Number: QueryNumber>(_ lower: Number, _ upper: Number) -> Predicate {
    compare(.between, [lower, upper])
  }
}

/// A point in time that a property can be compared with; both kinds count to the nearest microsecond.
public protocol QueryDate: PredicateConstantConvertible {}

extension Date: QueryDate {}
extension Timestamp: QueryDate {}

/// A property whose values are points in time.
public protocol DateField: SortableField {}

extension DateField {
  public static func == (field: Self, value: some QueryDate) -> Predicate { field.compare(.equal, value) }
  /// The complement of `==`: true for a missing value.
  public static func != (field: Self, value: some QueryDate) -> Predicate { field.compare(.notEqual, value) }
  public static func < (field: Self, value: some QueryDate) -> Predicate { field.compare(.less, value) }
  public static func <= (field: Self, value: some QueryDate) -> Predicate {
    field.compare(.lessOrEqual, value)
  }
  public static func > (field: Self, value: some QueryDate) -> Predicate { field.compare(.greater, value) }
  public static func >= (field: Self, value: some QueryDate) -> Predicate {
    field.compare(.greaterOrEqual, value)
  }

  /// True where the value is one of some.
  public func `in`(_ values: some Sequence<some QueryDate>) -> Predicate { compare(.in, values) }
  /// The complement of ``in(_:)``: true for a missing value.
  public func notIn(_ values: some Sequence<some QueryDate>) -> Predicate { compare(.notIn, values) }
  /// True where the value is one of the bounds or between them.
  public func between<Time: QueryDate>(_ lower: Time, _ upper: Time) -> Predicate {
    compare(.between, [lower, upper])
  }
}

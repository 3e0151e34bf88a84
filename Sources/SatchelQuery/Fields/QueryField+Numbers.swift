public import SatchelModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a numeric property compares with: a number, another such property, or a field of a record.
public protocol NumberOperand: FieldOperand {}

/// A number of any type that a property can be compared with. Only its value counts: 5.0 equals 5.
public protocol QueryNumber: PredicateConstantConvertible, NumberOperand, Numeric {}

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
public protocol NumericField: SortableField, NumberOperand {
  /// The type of sums of its values.
  associatedtype Sum: Hashable & Sendable
}

extension NumericField {
  /// Matches values that are equal.
  public static func == (field: Self, operand: some NumberOperand) -> QueryPredicate {
    field.compare(.equal, operand.fieldOperand)
  }
  /// Matches all objects that `==` does not match, also if the value is missing.
  public static func != (field: Self, operand: some NumberOperand) -> QueryPredicate {
    field.compare(.notEqual, operand.fieldOperand)
  }
  /// Matches values that are less.
  public static func < (field: Self, operand: some NumberOperand) -> QueryPredicate {
    field.compare(.less, operand.fieldOperand)
  }
  /// Matches values that are less or equal.
  public static func <= (field: Self, operand: some NumberOperand) -> QueryPredicate {
    field.compare(.lessOrEqual, operand.fieldOperand)
  }
  /// Matches values that are greater.
  public static func > (field: Self, operand: some NumberOperand) -> QueryPredicate {
    field.compare(.greater, operand.fieldOperand)
  }
  /// Matches values that are greater or equal.
  public static func >= (field: Self, operand: some NumberOperand) -> QueryPredicate {
    field.compare(.greaterOrEqual, operand.fieldOperand)
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

/// What a property whose values are points in time compares with: a point in time, another such property, or a field of a record.
public protocol DateOperand: FieldOperand {}

/// A point in time that a property can be compared with. Both types are compared to the nearest microsecond.
public protocol QueryDate: PredicateConstantConvertible, DateOperand {}

extension Date: QueryDate {}
extension Timestamp: QueryDate {}

extension FieldOperand where Self == Date {
  /// The current time.
  public static var now: Date { Date() }
}

/// A property whose values are points in time.
public protocol DateField: SortableField, DateOperand {}

extension DateField {
  /// Matches values that are equal.
  public static func == (field: Self, operand: some DateOperand) -> QueryPredicate {
    field.compare(.equal, operand.fieldOperand)
  }
  /// Matches all objects that `==` does not match, also if the value is missing.
  public static func != (field: Self, operand: some DateOperand) -> QueryPredicate {
    field.compare(.notEqual, operand.fieldOperand)
  }
  /// Matches values that are less.
  public static func < (field: Self, operand: some DateOperand) -> QueryPredicate {
    field.compare(.less, operand.fieldOperand)
  }
  /// Matches values that are less or equal.
  public static func <= (field: Self, operand: some DateOperand) -> QueryPredicate {
    field.compare(.lessOrEqual, operand.fieldOperand)
  }
  /// Matches values that are greater.
  public static func > (field: Self, operand: some DateOperand) -> QueryPredicate {
    field.compare(.greater, operand.fieldOperand)
  }
  /// Matches values that are greater or equal.
  public static func >= (field: Self, operand: some DateOperand) -> QueryPredicate {
    field.compare(.greaterOrEqual, operand.fieldOperand)
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

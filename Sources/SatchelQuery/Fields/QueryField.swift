/// A property of the queried objects, in the closures of `filter` and `order`.
///
/// The protocols that a property's type conforms to determine its operators. A comparison that no store could answer
/// therefore does not compile.
public protocol QueryField: Sendable {
  /// The names of the property's key path.
  var propertyPath: [String] { get }
}

extension QueryField {
  func compare(
    _ operator: Predicate.Operator, _ operand: Predicate.Operand, _ options: Predicate.Options = []
  ) -> Predicate {
    .comparison(Predicate.Comparison(propertyPath, `operator`, operand, options: options))
  }

  func compare(_ operator: Predicate.Operator, _ operand: some PredicateConstantConvertible) -> Predicate {
    compare(`operator`, .constant(operand.predicateConstant))
  }

  func compare(
    _ operator: Predicate.Operator, _ operands: some Sequence<some PredicateConstantConvertible>
  ) -> Predicate {
    // A closure, because generic code creates a key path again in each call.
    compare(`operator`, .list(operands.map { $0.predicateConstant }))
  }
}

/// A property that results can be sorted by.
public protocol SortableField: QueryField, SortKeyConvertible {}

extension SortableField {
  /// Sorts by the property, the least value first.
  public var sortKey: SortKey { SortKey(propertyPath) }
  /// Sorts by the property, the least value first.
  public var ascending: SortKey { SortKey(propertyPath) }
  /// Sorts by the property, the greatest value first.
  public var descending: SortKey { SortKey(propertyPath, descending: true) }
}

/// The type of `nil` in comparisons with a property.
public struct NoValue: ExpressibleByNilLiteral, Sendable {
  /// Makes what `nil` stands for.
  public init(nilLiteral: ()) {}
}

/// A property whose value may be missing.
public protocol OptionalField: QueryField {}

extension OptionalField {
  /// Matches objects without a value.
  public static func == (field: Self, _: NoValue) -> Predicate { field.compare(.equal, .null) }
  /// Matches objects with a value.
  public static func != (field: Self, _: NoValue) -> Predicate { field.compare(.notEqual, .null) }
}

/// A property whose values can be compared for equality.
public protocol EquatableField<Operand>: QueryField {
  /// The type of its values.
  associatedtype Operand: PredicateConstantConvertible
}

extension EquatableField {
  /// Matches values that are equal.
  public static func == (field: Self, value: Operand) -> Predicate { field.compare(.equal, value) }
  /// Matches all objects that `==` does not match, also if the value is missing.
  public static func != (field: Self, value: Operand) -> Predicate { field.compare(.notEqual, value) }

  /// Matches values that are equal to one of `values`.
  public func `in`(_ values: some Sequence<Operand>) -> Predicate { compare(.in, values) }
  /// Matches all objects that ``in(_:)`` does not match, also if the value is missing.
  public func notIn(_ values: some Sequence<Operand>) -> Predicate { compare(.notIn, values) }
}

/// A text. Texts are ordered by their UTF-8 bytes, and matched by their beginning, end, content or a pattern.
public protocol TextualField: EquatableField, SortableField {}

extension TextualField {
  /// Matches values that are less.
  public static func < (field: Self, value: Operand) -> Predicate { field.compare(.less, value) }
  /// Matches values that are less or equal.
  public static func <= (field: Self, value: Operand) -> Predicate { field.compare(.lessOrEqual, value) }
  /// Matches values that are greater.
  public static func > (field: Self, value: Operand) -> Predicate { field.compare(.greater, value) }
  /// Matches values that are greater or equal.
  public static func >= (field: Self, value: Operand) -> Predicate { field.compare(.greaterOrEqual, value) }

  /// Matches values from `lower` to `upper`, both included.
  public func between(_ lower: Operand, _ upper: Operand) -> Predicate { compare(.between, [lower, upper]) }

  /// Matches values that match a pattern as a whole: `%` matches any run of scalars, `_` matches one scalar, and `\`
  /// makes the next scalar literal. Case is always ignored.
  public func like(_ pattern: String, _ options: Predicate.Options = []) -> Predicate {
    compare(.like, .text(pattern), options)
  }
  /// Matches values that begin with a text.
  public func beginsWith(_ text: String, _ options: Predicate.Options = []) -> Predicate {
    compare(.beginsWith, .text(text), options)
  }
  /// Matches values that end with a text.
  public func endsWith(_ text: String, _ options: Predicate.Options = []) -> Predicate {
    compare(.endsWith, .text(text), options)
  }
  /// Matches values that contain a text.
  public func contains(_ text: String, _ options: Predicate.Options = []) -> Predicate {
    compare(.contains, .text(text), options)
  }
}

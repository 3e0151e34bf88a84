/// A property of the objects that a query asks for, in the closures of `filter` and `order`.
///
/// Which operators a property has is a matter of the protocols that its type conforms to, so that a comparison that no
/// store could answer does not compile.
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
    // A closure: a key path is made anew for each call of generic code.
    compare(`operator`, .list(operands.map { $0.predicateConstant }))
  }
}

/// A property that results can be sorted by.
public protocol SortableField: QueryField, SortKeyConvertible {}

extension SortableField {
  public var sortKey: SortKey { SortKey(propertyPath) }
  /// The least value first.
  public var ascending: SortKey { SortKey(propertyPath) }
  /// The greatest value first.
  public var descending: SortKey { SortKey(propertyPath, descending: true) }
}

/// `nil`, as what a property is compared with.
public struct NoValue: ExpressibleByNilLiteral, Sendable {
  public init(nilLiteral: ()) {}
}

/// A property whose value may be missing.
public protocol OptionalField: QueryField {}

extension OptionalField {
  /// True where the value is missing.
  public static func == (field: Self, _: NoValue) -> Predicate { field.compare(.equal, .null) }
  /// True where there is a value.
  public static func != (field: Self, _: NoValue) -> Predicate { field.compare(.notEqual, .null) }
}

/// A property that is equal to a value or is not.
public protocol EquatableField<Operand>: QueryField {
  /// The type of its values.
  associatedtype Operand: PredicateConstantConvertible
}

extension EquatableField {
  public static func == (field: Self, value: Operand) -> Predicate { field.compare(.equal, value) }
  /// The complement of `==`: true for a missing value.
  public static func != (field: Self, value: Operand) -> Predicate { field.compare(.notEqual, value) }

  /// True where the value is one of some.
  public func `in`(_ values: some Sequence<Operand>) -> Predicate { compare(.in, values) }
  /// The complement of ``in(_:)``: true for a missing value.
  public func notIn(_ values: some Sequence<Operand>) -> Predicate { compare(.notIn, values) }
}

/// A text: ordered by its UTF-8 bytes, and matched by its beginning, end, middle or a pattern.
public protocol TextualField: EquatableField, SortableField {}

extension TextualField {
  public static func < (field: Self, value: Operand) -> Predicate { field.compare(.less, value) }
  public static func <= (field: Self, value: Operand) -> Predicate { field.compare(.lessOrEqual, value) }
  public static func > (field: Self, value: Operand) -> Predicate { field.compare(.greater, value) }
  public static func >= (field: Self, value: Operand) -> Predicate { field.compare(.greaterOrEqual, value) }

  /// True where the value is one of the bounds or between them.
  public func between(_ lower: Operand, _ upper: Operand) -> Predicate { compare(.between, [lower, upper]) }

  /// True where the whole value matches a pattern: `%` stands for any run, `_` for one scalar, `\` makes the next
  /// scalar literal. Case does not count.
  public func like(_ pattern: String, _ options: Predicate.Options = []) -> Predicate {
    compare(.like, .text(pattern), options)
  }
  /// True where the value begins with a text.
  public func beginsWith(_ text: String, _ options: Predicate.Options = []) -> Predicate {
    compare(.beginsWith, .text(text), options)
  }
  /// True where the value ends with a text.
  public func endsWith(_ text: String, _ options: Predicate.Options = []) -> Predicate {
    compare(.endsWith, .text(text), options)
  }
  /// True where the value holds a text.
  public func contains(_ text: String, _ options: Predicate.Options = []) -> Predicate {
    compare(.contains, .text(text), options)
  }
}

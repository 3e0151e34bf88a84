public import SatchelSearch

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
    _ operator: QueryPredicate.Operator, _ operand: QueryPredicate.Operand,
    _ options: QueryPredicate.Options = []
  ) -> QueryPredicate {
    .comparison(QueryPredicate.Comparison(propertyPath, `operator`, operand, options: options))
  }

  func compare(_ operator: QueryPredicate.Operator, _ operand: some PredicateConstantConvertible)
    -> QueryPredicate
  {
    compare(`operator`, .constant(operand.predicateConstant))
  }

  func compare(
    _ operator: QueryPredicate.Operator, _ operands: some Sequence<some PredicateConstantConvertible>
  ) -> QueryPredicate {
    // A closure, because generic code creates a key path again in each call.
    compare(`operator`, .list(operands.map { $0.predicateConstant }))
  }
}

/// A value or a property that a property can be compared with: which ones go with it, its operators say.
public protocol FieldOperand: Sendable {
  /// The value or the property as predicates hold it.
  var fieldOperand: QueryPredicate.Operand { get }
}

extension FieldOperand where Self: PredicateConstantConvertible {
  /// The value as predicates hold it.
  public var fieldOperand: QueryPredicate.Operand { .constant(predicateConstant) }
}

extension FieldOperand where Self: QueryField {
  /// The property as predicates hold it.
  public var fieldOperand: QueryPredicate.Operand { .path(propertyPath) }
}

/// A property that results can be sorted by.
public protocol SortableField: QueryField, SortKeyConvertible, FieldOperand {}

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
  public static func == (field: Self, _: NoValue) -> QueryPredicate { field.compare(.equal, .null) }
  /// Matches objects with a value.
  public static func != (field: Self, _: NoValue) -> QueryPredicate { field.compare(.notEqual, .null) }
}

/// A property whose values can be compared for equality.
public protocol EquatableField<Operand>: QueryField {
  /// The type of its values.
  associatedtype Operand: PredicateConstantConvertible
}

extension EquatableField {
  /// Matches values that are equal.
  public static func == (field: Self, value: Operand) -> QueryPredicate { field.compare(.equal, value) }
  /// Matches all objects that `==` does not match, also if the value is missing.
  public static func != (field: Self, value: Operand) -> QueryPredicate { field.compare(.notEqual, value) }

  /// Matches values that are equal to one of `values`.
  public func `in`(_ values: some Sequence<Operand>) -> QueryPredicate { compare(.in, values) }
  /// Matches all objects that ``in(_:)`` does not match, also if the value is missing.
  public func notIn(_ values: some Sequence<Operand>) -> QueryPredicate { compare(.notIn, values) }
}

/// A text. Texts are ordered by their UTF-8 bytes.
public protocol TextualField: EquatableField, MatchableField {}

extension TextualField {
  /// Matches values that are less.
  public static func < (field: Self, value: Operand) -> QueryPredicate { field.compare(.less, value) }
  /// Matches values that are less or equal.
  public static func <= (field: Self, value: Operand) -> QueryPredicate { field.compare(.lessOrEqual, value) }
  /// Matches values that are greater.
  public static func > (field: Self, value: Operand) -> QueryPredicate { field.compare(.greater, value) }
  /// Matches values that are greater or equal.
  public static func >= (field: Self, value: Operand) -> QueryPredicate {
    field.compare(.greaterOrEqual, value)
  }

  /// Matches values from `lower` to `upper`, both included.
  public func between(_ lower: Operand, _ upper: Operand) -> QueryPredicate {
    compare(.between, [lower, upper])
  }
}

/// A property whose values are texts, or may be: they are matched by their beginning, end, content, a pattern, beginnings of words
/// or full-text search, and texts compare with them.
public protocol MatchableField: SortableField {}

extension MatchableField {
  /// Matches values that match a pattern as a whole: `%` matches any run of scalars, `_` matches one scalar, and `\`
  /// makes the next scalar literal. Case is always ignored.
  public func like(_ pattern: String, _ options: QueryPredicate.Options = []) -> QueryPredicate {
    compare(.like, .text(pattern), options)
  }
  /// Matches values that begin with a text.
  public func beginsWith(_ text: String, _ options: QueryPredicate.Options = []) -> QueryPredicate {
    compare(.beginsWith, .text(text), options)
  }
  /// Matches values that end with a text.
  public func endsWith(_ text: String, _ options: QueryPredicate.Options = []) -> QueryPredicate {
    compare(.endsWith, .text(text), options)
  }
  /// Matches values that contain a text.
  public func contains(_ text: String, _ options: QueryPredicate.Options = []) -> QueryPredicate {
    compare(.contains, .text(text), options)
  }
  /// Matches values in which every word of a text begins some word, in any order: `autocomplete("hel wo")` matches "World, hello!". Case
  /// and diacritics are ignored. A text without a letter or a number has no words and matches nothing.
  public func autocomplete(_ text: String) -> QueryPredicate { compare(.autocomplete, .text(text)) }
  /// Matches values that a pattern of full-text search finds, such as `noon OR "usual place" lunc*`. Case and diacritics are ignored. Of a
  /// property with several values, one has to match the whole pattern. What does not follow the language of patterns, an empty one too,
  /// is a `syntaxError` when the query runs. For what somebody types there is ``SearchPattern/init(typed:fields:)``.
  public func matches(_ pattern: String) -> QueryPredicate { compare(.matchesText, .text(pattern)) }
  /// Matches values that a pattern finds that somebody types; one that looks for nothing has no text, but AUTOCOMPLETE has.
  public func matches(_ pattern: SearchPattern) -> QueryPredicate {
    pattern.isEmpty ? autocomplete("") : matches(pattern.description)
  }
}

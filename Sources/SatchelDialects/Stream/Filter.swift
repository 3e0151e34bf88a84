public import SatchelQuery
import SatchelText

/// A filter in Stream's spelling: `.and([.in(.members, values: ["bob"]), .greater("priority", than: 5)])`.
///
/// It has no evaluation of its own: ``predicate()`` makes a predicate of it, and every key and operator either has a
/// meaning there or is refused by an error that names it. Nothing is left out in silence. It is coded as Stream's JSON:
/// `{"members": {"$in": ["bob"]}}`.
///
/// At most ``SatchelQuery/QueryPredicate/maximumDepth`` groups may lie in one another: what is deeper is no filter any more, and is refused.
public struct Filter<Scope: FilterScope>: Hashable, Sendable {
  /// The forms of a filter.
  indirect enum Form: Hashable, Sendable {
    case group(FilterOperator, [Filter])
    case comparison(key: String, FilterOperator, QueryPredicate.Operand)
    /// More levels than there may be.
    case tooDeep
  }

  let form: Form
  /// The number of groups in one another. A bounded one lets code recurse over a filter.
  private let depth: Int

  /// Makes a filter of a group operator.
  init(_ operator: FilterOperator, _ filters: [Filter]) {
    let depth = (filters.lazy.map(\.depth).max() ?? 0) + 1
    let isTooDeep =
      depth > QueryPredicate.maximumDepth
      || filters.contains { if case .tooDeep = $0.form { true } else { false } }
    form = isTooDeep ? .tooDeep : .group(`operator`, filters)
    self.depth = isTooDeep ? 0 : depth
  }

  init(key: String, _ operator: FilterOperator, _ operand: QueryPredicate.Operand) {
    form = .comparison(key: key, `operator`, operand)
    depth = 0
  }

  /// Makes a filter of any operator that compares a key, with a value or a list of values.
  public init<Value>(
    operator: FilterOperator, key: FilterKey<Scope, Value>, value: QueryPredicate.Operand
  ) {
    self.init(key: key.rawValue, `operator`, value)
  }
}

extension Filter {
  /// What all of the filters match; without filters, everything.
  public static func and(_ filters: [Filter]) -> Filter { Filter(.and, filters) }
  /// What at least one of the filters matches; without filters, nothing.
  public static func or(_ filters: [Filter]) -> Filter { Filter(.or, filters) }
  /// What none of the filters matches.
  public static func nor(_ filters: [Filter]) -> Filter { Filter(.nor, filters) }

  private static func one<Value>(
    _ key: FilterKey<Scope, Value>, _ operator: FilterOperator, _ value: some FilterValue
  ) -> Filter {
    Filter(key: key.rawValue, `operator`, .constant(value.predicateConstant))
  }

  private static func several<Value>(
    _ key: FilterKey<Scope, Value>, _ operator: FilterOperator, _ values: [Value]
  ) -> Filter {
    Filter(key: key.rawValue, `operator`, .list(values.map { $0.predicateConstant }))
  }

  /// Matches values that are equal, and lists that have the value.
  public static func equal<Value>(_ key: FilterKey<Scope, Value>, to value: Value) -> Filter {
    one(key, .equal, value)
  }
  /// Matches objects without a value: `.equal(.team, to: nil)`.
  public static func equal<Value>(_ key: FilterKey<Scope, Value>, to value: NoValue) -> Filter {
    one(key, .equal, QueryPredicate.Constant.null)
  }
  /// Matches lists that have all of the values. A key that has one value takes a single one.
  public static func equal<Value>(_ key: FilterKey<Scope, Value>, values: [Value]) -> Filter {
    several(key, .equal, values)
  }
  /// Matches what ``equal(_:to:)-(_,Value)`` does not match, objects without a value too.
  public static func notEqual<Value>(_ key: FilterKey<Scope, Value>, to value: Value) -> Filter {
    one(key, .notEqual, value)
  }
  /// Matches values that are greater, or later.
  public static func greater<Value>(_ key: FilterKey<Scope, Value>, than value: Value) -> Filter {
    one(key, .greater, value)
  }
  /// Matches values that are greater or equal.
  public static func greaterOrEqual<Value>(_ key: FilterKey<Scope, Value>, than value: Value) -> Filter {
    one(key, .greaterOrEqual, value)
  }
  /// Matches values that are less, or earlier.
  public static func less<Value>(_ key: FilterKey<Scope, Value>, than value: Value) -> Filter {
    one(key, .less, value)
  }
  /// Matches values that are less or equal.
  public static func lessOrEqual<Value>(_ key: FilterKey<Scope, Value>, than value: Value) -> Filter {
    one(key, .lessOrEqual, value)
  }
  /// Matches values that are one of these, and lists that have at least one of them.
  public static func `in`<Value>(_ key: FilterKey<Scope, Value>, values: [Value]) -> Filter {
    several(key, .in, values)
  }
  /// Matches what ``in(_:values:)`` does not match: lists that have none of the values, and objects without a value.
  public static func notIn<Value>(_ key: FilterKey<Scope, Value>, values: [Value]) -> Filter {
    several(key, .notIn, values)
  }
  /// Matches texts in which every word of `text` begins some word, in any order, whatever its case and diacritics: as the service does. The SDK
  /// looks for the text anywhere in the value.
  public static func autocomplete<Value>(_ key: FilterKey<Scope, Value>, text: String) -> Filter {
    one(key, .autocomplete, text)
  }
  /// Matches objects that have a value, or with `exists: false` those that have none.
  public static func exists<Value>(_ key: FilterKey<Scope, Value>, exists: Bool = true) -> Filter {
    one(key, .exists, exists)
  }
  /// Matches objects without a value.
  public static func isNil<Value>(_ key: FilterKey<Scope, Value>) -> Filter { one(key, .exists, false) }
}

// A custom key that is written as a text says nothing of the type of its values where there is no value to compare with.
extension Filter {
  /// Full-text search.
  public static func query(_ key: FilterKey<Scope, String>, text: String) -> Filter { one(key, .query, text) }
  /// Matches texts in which every word of `text` begins some word.
  public static func autocomplete(_ key: FilterKey<Scope, String>, text: String) -> Filter {
    one(key, .autocomplete, text)
  }
  /// Matches objects that have a value, or with `exists: false` those that have none.
  public static func exists(_ key: FilterKey<Scope, String>, exists: Bool = true) -> Filter {
    one(key, .exists, exists)
  }
  /// Matches objects without a value.
  public static func isNil(_ key: FilterKey<Scope, String>) -> Filter { one(key, .exists, false) }
  /// Matches lists that have the value, and of a key that is always a text, such as `.name`, texts that contain it.
  public static func contains(_ key: FilterKey<Scope, String>, value: String) -> Filter {
    one(key, .contains, value)
  }
}

extension Filter: CustomStringConvertible {
  /// The filter in words: `members $in {'bob'}`, and groups as `$and (…, …)`.
  public var description: String {
    switch form {
    case .group(let `operator`, let filters):
      `operator`.rawValue + " (" + filters.map(\.description).joined(separator: ", ") + ")"
    case .comparison(let key, let `operator`, let operand): "\(key.oneLine) \(`operator`.rawValue) \(operand)"
    case .tooDeep: "<a filter of too many levels>"
    }
  }
}

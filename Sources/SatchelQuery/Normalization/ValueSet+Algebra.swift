package import SatchelModel

extension ValueSet {
  /// Returns every value of a type, without the missing value.
  static func everything(of type: ValueType) -> ValueSet {
    switch type {
    case .number, .date, .boolean, .enumeration: .integers(domain(of: type), missing: false)
    case .text, .bytes, .custom, .participants, .metadata: .text(.ranges(.all), missing: false)
    }
  }

  /// Returns the integers that represent the values of a type.
  private static func domain(of type: ValueType) -> IntegerSet {
    switch type {
    case .boolean: booleans
    case .enumeration(let enumeration): IntegerSet(0...Int64(enumeration.names.count - 1))
    case .number, .date, .text, .bytes, .custom, .participants, .metadata: .all
    }
  }

  private static let booleans = IntegerSet(0...1)

  /// Returns the values that are not in the set. The missing value is among them if a value can be missing and the
  /// set does not contain it.
  /// - Parameter isElement: Whether the values are those of one element of a to-many property, where the element
  ///   itself is not missing.
  func complement(in property: ObjectProperty, isElement: Bool = false) -> ValueSet {
    let canBeMissing = isElement ? property.field.isOptional : property.isOptional
    switch self {
    case .integers(let set, let missing):
      let rest = set.complement.intersection(Self.domain(of: property.type))
      return .integers(rest, missing: canBeMissing && !missing)
    case .text(.ranges(let ranges), let missing):
      return .text(.ranges(ranges.complement), missing: canBeMissing && !missing)
    case .text(.pattern(let pattern, let complement), let missing):
      return .text(.pattern(pattern, complement: !complement), missing: canBeMissing && !missing)
    case .participants, .metadata, .related: return self
    }
  }

  /// Whether a list of metadata may be in the set by one of its texts, and another one not. A list is in a set if the key of
  /// lists is, or the key of one of its texts: so the complement of such a set has lists that are in the set too, and a list may
  /// be in two such sets by different texts.
  var dividesLists: Bool {
    switch self {
    case .text(.pattern, _): true
    case .text(.ranges(let set), _):
      set.contains([ValueKey.Tag.list]) ? !set.covers(.texts) : set.meets(.texts)
    case .integers, .participants, .metadata, .related: false
    }
  }

  /// Whether no value passes, not even a missing one.
  var isEmpty: Bool {
    switch self {
    case .integers(let set, let missing): set.isEmpty && !missing
    case .text(.ranges(let ranges), let missing): ranges.isEmpty && !missing
    case .text(.pattern, _), .participants, .metadata, .related: false
    }
  }

  /// Whether every value of a property passes, including a missing one if a value can be missing.
  func isEverything(of property: ObjectProperty) -> Bool {
    let canBeMissing = property.isToMany ? property.field.isOptional : property.isOptional
    switch self {
    case .integers(let set, let missing):
      return set == Self.domain(of: property.type) && (missing || !canBeMissing)
    case .text(.ranges(let ranges), let missing): return ranges.isAll && (missing || !canBeMissing)
    case .text(.pattern, _), .participants, .metadata, .related: return false
    }
  }
}

extension IntegerSet {
  /// Creates the set of the integers from `lower` through `upper`; it is empty if `lower` is greater than `upper`.
  init(from lower: Int64, through upper: Int64) {
    self = lower <= upper ? IntegerSet(lower...upper) : .empty
  }
}

extension Condition {
  /// Returns the condition that a scalar's value is in a set or, with `complemented`, is not.
  package static func test(_ property: ObjectProperty, _ values: ValueSet, complemented: Bool) -> Condition {
    let values = complemented ? values.complement(in: property) : values
    if values.isEmpty { return .never }
    if values.isEverything(of: property) { return .always }
    return .test(Test(property, values))
  }

  /// Returns the condition that some element's value is in a set or, with `isNegated`, that no element's value is.
  static func test(_ property: ObjectProperty, _ values: ValueSet, isNegated: Bool) -> Condition {
    if values.isEmpty { return isNegated ? .always : .never }
    return .test(Test(property, values, isNegated: isNegated))
  }
}

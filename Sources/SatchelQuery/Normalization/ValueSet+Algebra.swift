import SatchelModel

extension ValueSet {
  /// Every value of a type, a missing one not among them.
  static func everything(of type: ValueType) -> ValueSet {
    switch type {
    case .number, .date, .boolean, .recipientStatus: .integers(domain(of: type), missing: false)
    case .text, .bytes, .participants, .metadata: .text(.ranges(.all), missing: false)
    }
  }

  /// The integers that stand for values of a type.
  private static func domain(of type: ValueType) -> IntegerSet {
    switch type {
    case .boolean: booleans
    case .recipientStatus: statuses
    case .number, .date, .text, .bytes, .participants, .metadata: .all
    }
  }

  private static let booleans = IntegerSet(0...1)
  private static let statuses = IntegerSet(0...Int64(RecipientStatus.allCases.count - 1))

  /// The values that are not in the set, a missing one among them if it can be and is not.
  /// - Parameter isElement: true for the values of one element of a to-many property, where the element is not missing.
  func complement(in property: Property, isElement: Bool = false) -> ValueSet {
    let canBeMissing = isElement ? property.field.isOptional : property.isOptional
    switch self {
    case .integers(let set, let missing):
      let rest = set.complement.intersection(Self.domain(of: property.type))
      return .integers(rest, missing: canBeMissing && !missing)
    case .text(.ranges(let ranges), let missing):
      return .text(.ranges(ranges.complement), missing: canBeMissing && !missing)
    case .text(.pattern(let pattern, let complement), let missing):
      return .text(.pattern(pattern, complement: !complement), missing: canBeMissing && !missing)
    case .participants, .metadata: return self
    }
  }

  /// True when no value passes, a missing one included.
  var isEmpty: Bool {
    switch self {
    case .integers(let set, let missing): set.isEmpty && !missing
    case .text(.ranges(let ranges), let missing): ranges.isEmpty && !missing
    case .text(.pattern, _), .participants, .metadata: false
    }
  }

  /// True when every value of a property passes, a missing one included where it can be.
  func isEverything(of property: Property) -> Bool {
    let canBeMissing = property.isToMany ? property.field.isOptional : property.isOptional
    switch self {
    case .integers(let set, let missing):
      return set == Self.domain(of: property.type) && (missing || !canBeMissing)
    case .text(.ranges(let ranges), let missing): return ranges.isAll && (missing || !canBeMissing)
    case .text(.pattern, _), .participants, .metadata: return false
    }
  }
}

extension IntegerSet {
  /// The integers from one through another; none when they are the wrong way round.
  init(from lower: Int64, through upper: Int64) {
    self = lower <= upper ? IntegerSet(lower...upper) : .empty
  }
}

extension Condition {
  /// The condition that a scalar's value is in a set, or is not.
  static func test(_ property: Property, _ values: ValueSet, complemented: Bool) -> Condition {
    let values = complemented ? values.complement(in: property) : values
    if values.isEmpty { return .never }
    if values.isEverything(of: property) { return .always }
    return .test(Test(property, values))
  }

  /// The condition that some element's value is in a set, or that none is.
  static func test(_ property: Property, _ values: ValueSet, isNegated: Bool) -> Condition {
    if values.isEmpty { return isNegated ? .always : .never }
    return .test(Test(property, values, isNegated: isNegated))
  }
}

import SatchelModel
import SatchelText

// Values of metadata and of fields. The literal's type decides: a value of another type passes no comparison, and every complement.
extension ResolvedComparison {
  /// The types of values that compare with each other.
  private enum CustomType {
    case boolean, number, date, text, reference

    init?(_ constant: QueryPredicate.Constant) {
      switch constant {
      case .null: return nil
      case .boolean: self = .boolean
      case .integer, .number: self = .number
      case .date: self = .date
      case .text: self = .text
      case .reference: self = .reference
      }
    }

    /// The keys of the type's values: from the lower one on, up to the upper one.
    var bounds: (lower: [UInt8], upper: [UInt8]) {
      switch self {
      case .boolean: ([ValueKey.Tag.false], [ValueKey.Tag.true + 1])
      case .number: ([ValueKey.Tag.number], [ValueKey.Tag.number + 1])
      case .date: ([ValueKey.Tag.date], [ValueKey.Tag.date + 1])
      case .text: ([ValueKey.Tag.text], [ValueKey.Tag.text + 1])
      case .reference: ([ValueKey.Tag.reference], [ValueKey.Tag.reference + 1])
      }
    }
  }

  /// Returns the condition that the value is a list of these texts, in whichever order; nil if the comparison is another one.
  func listCondition(isNegated: Bool) throws -> Condition? {
    guard property.type == .custom, comparison.quantifier == nil, case .list(let list) = comparison.operand,
      comparison.operator == .equal || comparison.operator == .notEqual
    else { return nil }
    let texts = try list.map { constant in
      guard case .text(let text) = constant else {
        throw invalidValue(expected: "a list of texts, or a single \(valueName)")
      }
      return [ValueKey.Tag.text] + NFC.bytes(text)
    }
    guard texts.count <= Self.mostListTexts else {
      throw invalidValue(expected: "a list of at most \(Self.mostListTexts) texts")
    }
    let points = ByteRanges(points: texts)
    // It is a list, has each of the texts, and no other one.
    let sets = [ByteRanges(point: [ValueKey.Tag.list])] + points.ranges.map { ByteRanges([$0]) }
    let isComplement = (comparison.operator == .notEqual) != isNegated
    var conditions = sets.map { set in
      Condition.test(Test(property, .text(.ranges(set), missing: false), isNegated: isComplement))
    }
    let others = ByteRanges([.texts]).intersection(points.complement)
    conditions.append(
      .test(Test(property, .text(.ranges(others), missing: false), isNegated: !isComplement)))
    return isComplement ? .disjunction(conditions) : .conjunction(conditions)
  }

  private static let mostListTexts = 1000

  /// Returns the condition of ANY, ALL or NONE; nil without one of them. The elements of a list are its texts, a value that is no list
  /// is the only element, and a missing one has none. No element fails ALL of none, but a missing value passes it only
  /// if it is one of a complement.
  /// - Parameters:
  ///   - passing: The values that pass `=` or IN if the operator is their complement, else those that pass the comparison.
  ///   - isComplement: Whether the operator is `!=` or NOT IN.
  ///   - isNegated: Whether to return the complement of the condition.
  func quantified(_ passing: ValueSet, isComplement: Bool, isNegated: Bool) -> Condition? {
    switch comparison.quantifier {
    case nil: return nil
    case .any?, .none?:
      let elements = isComplement ? passing.otherElements(of: property) : passing
      return .testOfElements(property, elements, isNegated: (comparison.quantifier == .any) == isNegated)
    case .all?:
      let failing = isComplement ? passing : passing.otherElements(of: property)
      let noneFails = Condition.testOfElements(property, failing, isNegated: !isNegated)
      if isComplement { return noneFails }
      let isThere = Condition.testOfElements(property, passing.withLists, isNegated: isNegated)
      return isNegated ? .disjunction([noneFails, isThere]) : .conjunction([noneFails, isThere])
    }
  }

  /// Returns the values that pass the comparison, as `ValueKey` orders them; for `!=` and NOT IN those that pass `=` and IN.
  func customValues() throws -> TextSet {
    switch comparison.operator {
    case .equal, .notEqual, .member: return .ranges(ByteRanges(points: try keys([single()])))
    case .in, .notIn: return .ranges(ByteRanges(points: try keys(list())))
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return .ranges(try values(beside: single()))
    case .between:
      let (lower, upper) = try bounds()
      let ends = try keys([lower, upper])
      try checkOrder(of: lower)
      // NaN is no bound.
      return .ranges(ends.count == 2 ? ByteRanges(from: ends[0], upTo: ends[1] + [0]) : .empty)
    case .like: return try textPattern(.like)
    case .beginsWith: return try textPattern(.beginsWith)
    case .endsWith: return try textPattern(.endsWith)
    case .contains, .related: return try textPattern(.contains)
    case .autocomplete: return try textPattern(.autocomplete)
    case .matchesText: return .pattern(.search(try searchPattern()), complement: false)
    }
  }

  private func values(beside constant: QueryPredicate.Constant) throws -> ByteRanges {
    let type = try type(of: constant)
    try checkOrder(of: constant)
    guard let key = try key(constant) else { return .empty }
    let bounds = type.bounds
    switch comparison.operator {
    case .less: return ByteRanges(from: bounds.lower, upTo: key)
    case .lessOrEqual: return ByteRanges(from: bounds.lower, upTo: key + [0])
    case .greater: return ByteRanges(from: key + [0], upTo: bounds.upper)
    default: return ByteRanges(from: key, upTo: bounds.upper)
    }
  }

  /// Throws if values of the constant's type have no order.
  private func checkOrder(of constant: QueryPredicate.Constant) throws {
    switch CustomType(constant) {
    case .boolean?:
      throw unsupported("Booleans are compared by =, !=, IN and NOT IN", accepted: "= != IN NOT IN")
    case .reference?:
      throw unsupported("References are compared by =, !=, IN and NOT IN", accepted: "= != IN NOT IN")
    case .number?, .date?, .text?, nil: return
    }
  }

  /// Returns the type of a constant, of which the property may have values.
  private func type(of constant: QueryPredicate.Constant) throws -> CustomType {
    guard let type = CustomType(constant), type != .reference || property.field.mayRefer else {
      throw wrongType
    }
    return type
  }

  /// Returns the keys of constants, which have to be of one type; without those of NaN, which equals nothing.
  private func keys(_ constants: [QueryPredicate.Constant]) throws -> [[UInt8]] {
    var type: CustomType?
    return try constants.compactMap { constant in
      let found = try self.type(of: constant)
      guard type == nil || type == found else {
        let types =
          property.field.mayRefer
          ? "texts, numbers, dates, Booleans or references" : "texts, numbers, dates or Booleans"
        throw invalidValue(expected: "values of one type: " + types)
      }
      type = found
      return try key(constant)
    }
  }

  /// Returns the key of a constant; nil for NaN.
  private func key(_ constant: QueryPredicate.Constant) throws -> [UInt8]? {
    switch constant {
    case .null: throw wrongType
    case .boolean(let value): ValueKey(value).bytes
    case .integer(let value): ValueKey(value).bytes
    case .number(let value): ValueKey(value)?.bytes
    case .date(let date): ValueKey(date: date.microseconds).bytes
    case .text(let text): [ValueKey.Tag.text] + NFC.bytes(text)
    case .reference(let reference): [ValueKey.Tag.reference] + (try checked(reference)).keyBytes
    }
  }

  /// Returns a reference that a field may have.
  private func checked(_ reference: Reference) throws -> Reference {
    guard let fault = reference.fault else { return reference }
    throw invalidValue(expected: "a reference that names a type, and an object of it", found: fault)
  }

  /// Returns the texts that match; all of them, or none, are ranges of keys, which an index can answer.
  private func textPattern(_ kind: TextPattern.Kind) throws -> TextSet {
    switch try pattern(kind) {
    case .ranges(let texts):
      guard let first = texts.ranges.first else { return .ranges(.empty) }
      return .ranges(ByteRanges(prefix: [ValueKey.Tag.text] + first.lower))
    case let set: return set
    }
  }
}

extension QueryPredicate.Operand {
  /// The text of the operand, or those of its list; nil if it is anything else, or has it in the list.
  var texts: [String]? {
    let constants: [QueryPredicate.Constant]
    switch self {
    case .constant(let constant): constants = [constant]
    case .list(let list): constants = list
    case .dictionary, .path: return nil
    }
    let texts = constants.compactMap { if case .text(let text) = $0 { text } else { nil } }
    return texts.count == constants.count ? texts : nil
  }

  /// Whether the operand is a reference, or has one among its values.
  var refers: Bool {
    switch self {
    case .constant(.reference): true
    case .list(let list): list.contains { if case .reference = $0 { true } else { false } }
    case .constant, .dictionary, .path: false
    }
  }
}

extension ObjectField {
  /// Whether its values may be references: those of a record's fields.
  var mayRefer: Bool {
    switch self {
    case .recordValue: true
    case .referenced(_, let property): property.field.mayRefer
    default: false
    }
  }
}

extension ByteRange {
  /// The keys of all texts among values of metadata.
  package static let texts = ByteRange(lower: [ValueKey.Tag.text], upper: [ValueKey.Tag.text + 1])
  /// The keys of all references among the fields of a record. They are behind those of all other values.
  package static let references = ByteRange(lower: [ValueKey.Tag.reference], upper: nil)
}

extension ValueSet {
  /// Of a set of a property's values: those that may be elements and are not in it, so that a list is in these by any such text.
  /// Behind the key of lists there are only references, which metadata have none of.
  fileprivate func otherElements(of property: ObjectProperty) -> ValueSet {
    switch self {
    case .text(.ranges(let set), _):
      let elements =
        property.field.mayRefer
        ? ByteRanges(point: [ValueKey.Tag.list]).complement : ByteRanges(upTo: [ValueKey.Tag.list])
      return .text(.ranges(set.complement.intersection(elements)), missing: false)
    case .text(.pattern(let pattern, let complement), _):
      return .text(.pattern(pattern, complement: !complement), missing: false)
    case .integers, .participants, .metadata, .related: return self
    }
  }

  /// Of a set of metadata's values: with every list, the empty one too. Of a pattern, all values: they are no set of their own.
  fileprivate var withLists: ValueSet {
    guard case .text(.ranges(let set), let missing) = self else { return .everything(of: .custom) }
    return .text(.ranges(set.union(ByteRanges(point: [ValueKey.Tag.list]))), missing: missing)
  }
}

extension Condition {
  /// Returns the condition that a value of metadata is in a set, a list by its key or by one of its texts; or with `isNegated`, that
  /// it is not.
  static func testOfElements(_ property: ObjectProperty, _ values: ValueSet, isNegated: Bool) -> Condition {
    values.dividesLists
      ? .test(property, values, isNegated: isNegated) : .test(property, values, complemented: isNegated)
  }
}

extension TextSet {
  /// Of a set of metadata's values: whether it has every list, whatever its texts.
  package var hasLists: Bool {
    switch self {
    case .ranges(let set): set.contains([ValueKey.Tag.list])
    case .pattern: false
    }
  }

  /// Of a set of metadata's values, which are ordered as `ValueKey` says: the set's texts, in NFC without their tag.
  package var texts: TextSet {
    guard case .ranges(let set) = self else { return self }
    let (start, end) = ([ValueKey.Tag.text], [ValueKey.Tag.text + 1])
    return .ranges(
      ByteRanges(
        set.ranges.compactMap { range in
          if let upper = range.upper, !ByteOrder.isLess(start, upper) { return nil }
          guard ByteOrder.isLess(range.lower, end) else { return nil }
          let isWithin = range.upper.map { ByteOrder.isLess($0, end) } ?? false
          return ByteRange(
            lower: range.lower.first == start[0] ? Array(range.lower.dropFirst()) : [],
            upper: isWithin ? range.upper.map { Array($0.dropFirst()) } : nil)
        }))
  }

  /// Of a set of metadata's values: the keys of those that are no texts.
  package var scalars: ByteRanges {
    let all = ByteRanges([
      ByteRange(lower: [], upper: [ValueKey.Tag.text]), ByteRange(lower: [ValueKey.Tag.text + 1], upper: nil),
    ])
    return switch self {
    case .ranges(let set): set.intersection(all)
    case .pattern(_, let complement): complement ? all : .empty
    }
  }
}

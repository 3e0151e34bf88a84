import SatchelModel
import SatchelSearch

/// A comparison whose property is known and supports the operator. It is an intermediate step to a ``Condition``.
struct ResolvedComparison {
  let comparison: QueryPredicate.Comparison
  let property: ObjectProperty
  let user: Identity.ID
  let queried: QueriedType
  /// The kind of the queried objects.
  var kind: ObjectKind { queried.kind }
  /// What is looked for, where a pattern that names fields has been divided.
  let fieldless: SearchPattern?
  /// The property that it is compared with; nil for a value.
  private let other: ObjectProperty?
  /// The path from the object to the element that the comparison is about; empty for the object itself.
  let relation: [String]

  /// - Parameter relation: The path from the object to the element whose property is compared; empty for one of the object.
  init(
    _ comparison: QueryPredicate.Comparison, of queried: QueriedType, user: Identity.ID,
    _ relation: [String] = [], searchingFor fieldless: SearchPattern? = nil
  ) throws {
    self.comparison = comparison
    self.user = user
    self.queried = queried
    self.relation = relation
    self.fieldless = fieldless
    let found = try Self.left(comparison, of: queried, relation)
    // An element has one value of each of its properties.
    property = relation.isEmpty ? found : ObjectProperty([], found.field)
    if case .path(let path) = comparison.operand {
      other = try Self.other(path, of: queried, relation)
    } else {
      other = nil
    }
    if other != nil, !relation.isEmpty {
      throw notAvailable(
        "Two properties of one and the same part do not compare, because its MIME type, size, text and transfer status are of four kinds: compare each with a value"
      )
    }
    if let other, [property, other].contains(where: \.isOfSeveralBehindReference) {
      throw notAvailable(
        "A property that a referenced object has several of, such as participants, is compared with a value")
    }
    if let other { try checkComparison(with: other) } else { try checkOperator() }
  }

  /// Returns the property on the left. What stands before IN and a property may be a text without quotes.
  private static func left(
    _ comparison: QueryPredicate.Comparison, of queried: QueriedType, _ relation: [String]
  ) throws -> ObjectProperty {
    if comparison.operator == .in, case .path(let path) = comparison.operand,
      (try? queried.property(relation + path)) != nil
    {
      return try other(comparison.path, of: queried, relation)
    }
    if comparison.operator == .related { return try user(comparison, of: queried, relation) }
    return try queried.property(relation + comparison.path)
  }

  /// Returns the property that a path leads to where a text could stand: if it leads to none, it may be a text without quotes.
  private static func other(
    _ path: [String], of queried: QueriedType, _ relation: [String]
  ) throws -> ObjectProperty {
    do {
      return try queried.property(relation + path)
    } catch let error as SatchelError {
      let text = QueryPredicate.Constant.text(path.joined(separator: "."))
      throw error.replacing(["expected": "a text needs quotes: \(text)"])
    }
  }

  func checkOperator() throws {
    guard property.supports(comparison.operator) else {
      guard comparison.operator == .member else {
        throw unsupported("The property does not support the operator")
      }
      throw unsupported(
        kind == .records
          ? "A value is IN a field: what every record has is a single value"
          : "A value is IN a property with several: participants, one of parts, or a value of metadata")
    }
    guard comparison.options.isEmpty || comparison.operator.takesOptions,
      property.type != .participants || comparison.options.isEmpty
    else {
      throw unsupported("Options go with LIKE, BEGINSWITH, ENDSWITH, CONTAINS and AUTOCOMPLETE of texts only")
    }
    if comparison.quantifier != nil, !relation.isEmpty {
      throw unsupported("The conditions of one element have no ANY, ALL or NONE in them: groups do not nest")
    }
    if comparison.quantifier != nil, !property.isToMany, property.type != .custom {
      throw unsupported(
        kind == .records
          ? "ANY, ALL and NONE go with fields: what every record has is a single value"
          : "ANY, ALL and NONE go with properties that a message has several of, such as parts.mimeType, and with values of metadata"
      )
    }
  }

  /// Returns the comparison or its complement, as a condition without negations.
  func condition(isNegated: Bool) throws -> Condition {
    if let other { return condition(comparedWith: other, isNegated: isNegated) }
    if let condition = try fieldsCondition(isNegated: isNegated) { return condition }
    if comparison.operator == .related { return try related(isNegated: isNegated) }
    if case .constant(.null) = comparison.operand { return try presence(isNegated: isNegated) }
    switch property.type {
    case .participants: return try participants(isNegated: isNegated)
    case .metadata: return try metadata(isNegated: isNegated)
    case .custom where isOfDictionary: return try metadata(isNegated: isNegated)
    case .custom: if let condition = try listCondition(isNegated: isNegated) { return condition }
    default: break
    }
    // The values that pass the comparison. For `!=` and NOT IN these are the values that pass `=` and IN, and are
    // complemented below.
    let isComplement = comparison.operator == .notEqual || comparison.operator == .notIn
    let passing = try values()
    guard property.isToMany else {
      let complemented = isComplement != isNegated
      guard property.type == .custom else { return .test(property, passing, complemented: complemented) }
      return quantified(passing, isComplement: isComplement, isNegated: isNegated)
        ?? .testOfElements(property, passing, isNegated: complemented)
    }
    switch comparison.quantifier {
    case nil:
      return .test(property, passing, isNegated: isComplement != isNegated)
    case .any?, .none?:
      // At least one element's value, or no element's value, passes the comparison as it is written.
      let elementPasses = isComplement ? passing.complement(in: property, isElement: true) : passing
      return .test(property, elementPasses, isNegated: (comparison.quantifier == .any) == isNegated)
    case .all?:
      // Every element's value passes: no element's value fails.
      let elementFails = isComplement ? passing : passing.complement(in: property, isElement: true)
      return .test(property, elementFails, isNegated: !isNegated)
    }
  }

  /// Returns the condition of `= nil` or `!= nil`.
  private func presence(isNegated: Bool) throws -> Condition {
    guard comparison.operator == .equal || comparison.operator == .notEqual else {
      throw invalidValue(expected: "a value: only = and != take nil")
    }
    guard property.isOptional(of: kind) else {
      throw invalidValue(
        expected:
          "a value, because this property is never missing: leave the comparison with nil out, which holds "
          + (comparison.operator == .notEqual ? "for every object" : "for no object"))
    }
    guard comparison.quantifier == nil else {
      guard property.isToMany else {
        throw invalidValue(
          expected:
            "a value, because elements are never missing: leave \(comparison.quantifier?.rawValue ?? "") out")
      }
      throw notAvailable(
        "ANY, ALL and NONE of nil ask for one and the same part, in parentheses: ANY parts (size = nil)")
    }
    let asksForPresence = (comparison.operator == .notEqual) != isNegated
    let property = property.askedForPresence
    let present = ValueSet.everything(of: property.type)
    return property.isToMany
      ? .test(property, present, isNegated: !asksForPresence)
      : .test(property, present, complemented: !asksForPresence)
  }

  private func participants(isNegated: Bool) throws -> Condition {
    let users = try userIDs()
    let test: ParticipantTest
    var isComplement = false
    switch comparison.operator {
    case .equal, .notEqual:
      test = .equals(Self.distinct(users + [user]))
      isComplement = comparison.operator == .notEqual
    case .in, .notIn:
      isComplement = comparison.operator == .notIn
      guard !users.isEmpty else { return isComplement != isNegated ? .always : .never }
      test = .overlaps(users)
    default:
      guard !users.isEmpty else { return isNegated ? .never : .always }
      test = .containsAll(users)
    }
    return .test(Test(property, .participants(test), isNegated: isComplement != isNegated))
  }

  private static func distinct(_ users: [Identity.ID]) -> [Identity.ID] { Set(users).sorted() }

  /// Returns the operand as user ids, sorted and distinct.
  private func userIDs() throws -> [Identity.ID] {
    guard let users = comparison.operand.texts else { throw invalidValue(expected: "a set of user ids") }
    return Self.distinct(users.map { Identity.ID($0) })
  }

  /// Whether a value of metadata is compared with a dictionary, which is equal to it as a whole.
  private var isOfDictionary: Bool {
    guard case .dictionary = comparison.operand, comparison.quantifier == nil else { return false }
    return comparison.operator == .equal || comparison.operator == .notEqual
  }

  private func metadata(isNegated: Bool) throws -> Condition {
    let metadata: Metadata
    switch comparison.operand {
    case .dictionary(let dictionary): metadata = dictionary
    case .list(let list) where list.isEmpty: metadata = Metadata()
    default: throw invalidValue(expected: "a dictionary of values of metadata")
    }
    do {
      try metadata.validate(property.field.mayRefer ? .fields : .stored)
    } catch let error as SatchelError {
      throw invalidValue(expected: error.description)
    }
    return .test(
      Test(property, .metadata(metadata), isNegated: (comparison.operator == .notEqual) != isNegated))
  }
}

// MARK: - Errors

extension ResolvedComparison {
  var names: [String: String] {
    ["property": (relation + comparison.path).spelledPath, "operator": comparison.operator.spelling]
  }

  /// - Parameter accepted: The operators that would be accepted; nil for all that the property supports.
  func unsupported(_ message: StaticString, accepted: String? = nil) -> SatchelError {
    var context = names
    context["accepted"] = accepted ?? property.spelledOperators.joined(separator: " ")
    if let quantifier = comparison.quantifier { context["quantifier"] = quantifier.rawValue }
    return SatchelError(.unsupportedPredicate, message, context)
  }

  private func notAvailable(_ message: StaticString) -> SatchelError {
    SatchelError(.notAvailable, message, names)
  }

  /// - Parameter found: What is wrong with the value, where it is of the right type.
  func invalidValue(expected: String, found: String? = nil) -> SatchelError {
    var context = names
    context["value"] = comparison.operand.description
    context["found"] = found
    // What the parser and a closure make of a path alone.
    let isPathAlone = comparison.operator == .equal && comparison.operand == .boolean(true)
    context["expected"] =
      expected + (isPathAlone ? "; a property alone means = TRUE" : "")
      + (comparison.operand.refers && !property.field.mayRefer
        ? "; a reference compares with a field of a record" : "")
    return SatchelError(.invalidValue, "The property and the operator do not take the value", context)
  }
}

extension ObjectProperty {
  /// The operators that the property supports.
  package var operators: [QueryPredicate.Operator] { QueryPredicate.Operator.allCases.filter(supports) }

  /// The operators that may stand behind the property, as the predicate language spells them.
  package var spelledOperators: [String] { operators.filter { $0 != .member }.map(\.rawValue) }

  /// Whether the property supports an operator.
  func supports(_ operator: QueryPredicate.Operator) -> Bool {
    switch `operator` {
    case .equal, .notEqual: true
    case .in, .notIn: type != .metadata
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: type.isOrdered
    case .like, .beginsWith, .endsWith, .autocomplete, .matchesText: type.isText
    case .contains: type.isText || type == .participants
    case .member: type == .participants || type == .custom || isToMany
    case .related: namesUsers
    }
  }
}

extension QueryPredicate.Operator {
  /// The operator as the predicate language spells it.
  fileprivate var spelling: String { self == .member ? Self.in.rawValue : rawValue }
}

extension ValueType {
  fileprivate var isText: Bool { self == .text || self == .bytes || self == .custom }
  fileprivate var isOrdered: Bool { isText || self == .number || self == .date }
}

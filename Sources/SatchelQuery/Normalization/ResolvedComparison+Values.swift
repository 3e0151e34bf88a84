import SatchelModel
import SatchelText

extension ResolvedComparison {
  /// Returns the values that pass the comparison; for `!=` the values that pass `=`, and for NOT IN the values that
  /// pass IN.
  func values() throws -> ValueSet {
    switch property.type {
    case .number: .integers(try numbers(), missing: false)
    case .date: .integers(try integers { try timestamp($0) }, missing: false)
    case .boolean: .integers(try integers { try boolean($0) }, missing: false)
    case .enumeration(let enumeration):
      .integers(try integers { try choice($0, of: enumeration) }, missing: false)
    case .text, .bytes, .participants, .metadata: .text(try texts(), missing: false)
    case .custom: .text(try customValues(), missing: false)
    }
  }

  // MARK: The shape of the operand

  func single() throws -> QueryPredicate.Constant {
    guard case .constant(let constant) = comparison.operand else {
      throw invalidValue(expected: "a single \(valueName)")
    }
    return constant
  }

  func list() throws -> [QueryPredicate.Constant] {
    guard case .list(let list) = comparison.operand else {
      throw invalidValue(expected: "a list whose values are each a \(valueName)")
    }
    return list
  }

  func bounds() throws -> (QueryPredicate.Constant, QueryPredicate.Constant) {
    guard case .list(let list) = comparison.operand, list.count == 2 else {
      throw invalidValue(expected: "a list of two bounds, each a \(valueName)")
    }
    return (list[0], list[1])
  }

  var valueName: String {
    switch property.type {
    case .text, .bytes, .participants, .metadata: "text"
    case .custom where takesPattern: "text"
    case .custom:
      property.field.mayRefer ? "text, number, date, Boolean or reference" : "text, number, date or Boolean"
    case .number: "number"
    case .date: "date, or a text in RFC 3339 such as 2026-01-31T09:30:00Z"
    case .boolean: "Boolean: TRUE or FALSE"
    case .enumeration(let enumeration): "text: " + enumeration.choices(inQuotes: "'")
    }
  }

  /// Whether the operator is one of texts only.
  private var takesPattern: Bool {
    switch comparison.operator {
    case .like, .beginsWith, .endsWith, .contains, .autocomplete, .matchesText: true
    default: false
    }
  }

  var wrongType: SatchelError { invalidValue(expected: "a \(valueName)") }

  // MARK: Integers

  /// Returns the set for a property whose operands are integers.
  private func integers(_ value: (QueryPredicate.Constant) throws -> Int64) throws -> IntegerSet {
    switch comparison.operator {
    case .equal, .notEqual, .member: return IntegerSet(try value(single()))
    case .in, .notIn: return IntegerSet(values: try list().map(value))
    case .between:
      let (lower, upper) = try bounds()
      return IntegerSet(from: try value(lower), through: try value(upper))
    default: return NumberBound.integer(try value(single())).values(comparison.operator)
    }
  }

  private func numbers() throws -> IntegerSet {
    switch comparison.operator {
    case .in, .notIn: return .union(try list().map { try number($0).values(.equal) })
    case .between:
      let (lower, upper) = try bounds()
      return .intersection([
        try number(lower).values(.greaterOrEqual), try number(upper).values(.lessOrEqual),
      ])
    default: return try number(single()).values(comparison.operator)
    }
  }

  private func number(_ constant: QueryPredicate.Constant) throws -> NumberBound {
    switch constant {
    case .integer(let value): .integer(value)
    case .number(let value): NumberBound(value)
    case .null, .boolean, .text, .date, .reference: throw wrongType
    }
  }

  private func timestamp(_ constant: QueryPredicate.Constant) throws -> Int64 {
    switch constant {
    case .date(let date): return date.microseconds
    case .text(let text):
      guard let date = try? RFC3339.parse(text) else { throw wrongType }
      return date
    case .null, .boolean, .integer, .number, .reference: throw wrongType
    }
  }

  private func boolean(_ constant: QueryPredicate.Constant) throws -> Int64 {
    guard case .boolean(let value) = constant else { throw wrongType }
    return value ? 1 : 0
  }

  private func choice(_ constant: QueryPredicate.Constant, of enumeration: Enumeration) throws -> Int64 {
    guard case .text(let text) = constant, let number = enumeration.number(of: text) else { throw wrongType }
    return Int64(number)
  }

  // MARK: Texts

  private func texts() throws -> TextSet {
    switch comparison.operator {
    case .equal, .notEqual, .member: return .ranges(ByteRanges(point: try bytes(single())))
    case .in, .notIn: return .ranges(ByteRanges(points: try list().map(bytes)))
    case .less: return .ranges(ByteRanges(upTo: try bytes(single())))
    case .lessOrEqual: return .ranges(ByteRanges(upTo: try bytes(single()) + [0]))
    case .greater: return .ranges(ByteRanges(from: try bytes(single()) + [0]))
    case .greaterOrEqual: return .ranges(ByteRanges(from: try bytes(single())))
    case .between:
      let (lower, upper) = try bounds()
      return .ranges(ByteRanges(from: try bytes(lower), upTo: try bytes(upper) + [0]))
    case .like: return try pattern(.like)
    case .beginsWith: return try pattern(.beginsWith)
    case .endsWith: return try pattern(.endsWith)
    case .contains, .related: return try pattern(.contains)
    case .autocomplete: return try pattern(.autocomplete)
    case .matchesText: return .pattern(.search(try searchPattern()), complement: false)
    }
  }

  private func string(_ constant: QueryPredicate.Constant) throws -> String {
    guard case .text(let text) = constant else { throw wrongType }
    return property.type == .bytes ? text : NFC.normalized(text)
  }

  private func bytes(_ constant: QueryPredicate.Constant) throws -> [UInt8] {
    Array(try string(constant).utf8)
  }

  func pattern(_ kind: TextPattern.Kind) throws -> TextSet {
    let text = try string(single())
    guard text.utf8.count <= TextPattern.maximumBytes else {
      throw invalidValue(expected: "a text of at most \(TextPattern.maximumBytes) UTF-8 bytes")
    }
    var options: TextPattern.Options = []
    if comparison.options.contains(.caseInsensitive) { options.insert(.caseInsensitive) }
    if comparison.options.contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
    // A range is used instead of a pattern wherever possible, because an index can answer a range.
    switch kind {
    case .like where !text.isEmpty && text.utf8.allSatisfy({ $0 == UInt8(ascii: "%") }): return .ranges(.all)
    case .beginsWith where options.isEmpty: return .ranges(ByteRanges(prefix: Array(text.utf8)))
    case .beginsWith, .endsWith, .contains:
      if text.isEmpty { return .ranges(.all) }
    case .like, .autocomplete: break
    }
    let pattern = TextPattern(kind, text, options: options)
    return pattern.isOfNoText ? .ranges(.empty) : .pattern(.pattern(pattern), complement: false)
  }
}

import SatchelModel
import SatchelQuery

// Stream's JSON. A comparison is `{"priority": {"$gt": 5}}`, and `{"priority": 5}` for `$eq`; a group is `{"$and": [ … ]}`. All keys of an
// object, and all operators of a key, have to hold: the SDK reads the first ones alone.
extension Filter: Codable {
  /// Decodes Stream's JSON. A date is a text there: see ``predicate()`` for what it then compares with.
  /// - Throws: ``SatchelModel/SatchelError`` `syntaxError` with the path to what is not a filter, what was found and what could stand there.
  /// - Complexity: O(n log n) for n values.
  public init(from decoder: any Decoder) throws {
    // A group is two steps of the path: its key, and the place in its list.
    guard decoder.codingPath.count <= 2 * QueryPredicate.maximumDepth + 16 else {
      throw FilterJSON.tooDeep(decoder.codingPath)
    }
    guard let container = try? decoder.container(keyedBy: TextCodingKey.self) else {
      throw FilterJSON.error(
        decoder.codingPath, expected: "an object, such as {\"members\": {\"$in\": [\"bob\"]}}")
    }
    let filters = try container.allKeys.sorted { $0.stringValue < $1.stringValue }
      .map { try Filter(key: $0, in: container) }
    self = filters.count == 1 ? filters[0] : .and(filters)
    if case .tooDeep = form { throw FilterJSON.tooDeep(decoder.codingPath) }
  }

  private init(key: TextCodingKey, in container: KeyedDecodingContainer<TextCodingKey>) throws {
    let path = container.codingPath + [key]
    guard key.stringValue.utf8.first == UInt8(ascii: "$") else {
      let comparisons = try Self.comparisons(of: key, in: container)
      self = comparisons.count == 1 ? comparisons[0] : .and(comparisons)
      return
    }
    guard let joining = FilterOperator(rawValue: key.stringValue), joining.isGroupOperator else {
      throw FilterJSON.error(
        path, found: key.stringValue, expected: "a key, or one of " + FilterOperator.groups.spelled)
    }
    guard let list = try? container.nestedUnkeyedContainer(forKey: key) else {
      throw FilterJSON.error(path, expected: "a list of filters")
    }
    var filters: [Filter] = []
    var rest = list
    while !rest.isAtEnd { filters.append(try rest.decode(Filter.self)) }
    self.init(joining, filters)
  }

  /// Returns what is asked of one key.
  private static func comparisons(
    of key: TextCodingKey, in container: KeyedDecodingContainer<TextCodingKey>
  ) throws -> [Filter] {
    guard let operators = try? container.nestedContainer(keyedBy: TextCodingKey.self, forKey: key) else {
      let value = try container.decode(FilterJSON.Value.self, forKey: key)
      return [Filter(key: key.stringValue, .equal, value.operand)]
    }
    let names = operators.allKeys.sorted { $0.stringValue < $1.stringValue }
    let expected = "one or more of " + FilterOperator.comparisons.spelled
    guard !names.isEmpty else {
      throw FilterJSON.error(operators.codingPath, found: "{}", expected: expected)
    }
    return try names.map { name in
      guard let comparing = FilterOperator(rawValue: name.stringValue), !comparing.isGroupOperator else {
        throw FilterJSON.error(operators.codingPath, found: name.stringValue, expected: expected)
      }
      return Filter(
        key: key.stringValue, comparing, try operators.decode(FilterJSON.Value.self, forKey: name).operand)
    }
  }

  /// Encodes Stream's JSON. Dates are texts in RFC 3339, whatever the encoder does with dates.
  /// - Throws: `EncodingError` for a filter of too many levels, and for a value that JSON has not.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TextCodingKey.self)
    switch form {
    case .group(let joining, let filters):
      try container.encode(filters, forKey: TextCodingKey(joining.rawValue))
    case .comparison(let key, let comparing, let operand):
      var operators = container.nestedContainer(keyedBy: TextCodingKey.self, forKey: TextCodingKey(key))
      try operators.encode(FilterJSON.Value(operand), forKey: TextCodingKey(comparing.rawValue))
    case .tooDeep:
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "The filter has too many levels"))
    }
  }
}

/// The values of filters in JSON, and the errors of what is none.
enum FilterJSON {
  static func error(_ path: [any CodingKey], found: String? = nil, expected: String) -> SatchelError {
    var context = ["path": spelled(path), "expected": expected]
    context["found"] = found
    return SatchelError(.syntaxError, "This is not a filter in Stream's JSON", context)
  }

  static func tooDeep(_ path: [any CodingKey]) -> SatchelError {
    error(
      Array(path.prefix(4)), found: "more levels",
      expected: "at most \(QueryPredicate.maximumDepth) groups in one another")
  }

  private static func spelled(_ path: [any CodingKey]) -> String {
    let keys = path.map { key in key.intValue.map { "[\($0)]" } ?? "." + key.stringValue }
    let text = keys.joined()
    return text.isEmpty ? "the whole text" : String(text.drop { $0 == "." })
  }

  /// A value, or a list of values.
  struct Value: Codable {
    let operand: QueryPredicate.Operand

    init(_ operand: QueryPredicate.Operand) { self.operand = operand }

    init(from decoder: any Decoder) throws {
      // The most frequent values first, because an attempt that fails is slow.
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        operand = .text(text)
      } else if let number = try? value.decode(Int64.self) {
        operand = .integer(number)
      } else if let number = try? value.decode(Double.self) {
        operand = .number(number)
      } else if let truth = try? value.decode(Bool.self) {
        operand = .boolean(truth)
      } else if value.decodeNil() {
        operand = .null
      } else {
        operand = .list(try Self.list(decoder))
      }
    }

    private static func list(_ decoder: any Decoder) throws -> [QueryPredicate.Constant] {
      let expected = "a text, a number, a Boolean, null, or a list of these"
      // A list in a list is refused before what is in it is looked at.
      guard decoder.codingPath.last?.intValue == nil, var list = try? decoder.unkeyedContainer() else {
        throw FilterJSON.error(decoder.codingPath, expected: expected)
      }
      var values: [QueryPredicate.Constant] = []
      while !list.isAtEnd {
        guard case .constant(let value) = try list.decode(Value.self).operand else {
          throw FilterJSON.error(list.codingPath, expected: expected)
        }
        values.append(value)
      }
      return values
    }

    func encode(to encoder: any Encoder) throws {
      switch operand {
      case .list(let constants):
        var list = encoder.unkeyedContainer()
        for constant in constants { try list.encode(Value(.constant(constant))) }
      case .constant(.null): try String?.none.encode(to: encoder)
      case .constant(.boolean(let value)): try value.encode(to: encoder)
      case .constant(.integer(let value)): try value.encode(to: encoder)
      case .constant(.number(let value)): try value.encode(to: encoder)
      case .constant(.text(let value)): try value.encode(to: encoder)
      case .constant(.date(let value)): try value.encode(to: encoder)
      case .constant(.reference), .dictionary, .path:
        throw EncodingError.invalidValue(
          operand,
          .init(
            codingPath: encoder.codingPath, debugDescription: "Filters compare with values and lists of them")
        )
      }
    }
  }
}

import SatchelModel
import SatchelText

extension MetadataValue {
  /// The value of a constant; nil for `nil`.
  fileprivate init?(_ constant: QueryPredicate.Constant) {
    switch constant {
    case .null: return nil
    case .boolean(let value): self = .boolean(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let text): self = .text(text)
    case .date(let date): self = .date(date)
    case .reference(let reference): self = .reference(reference)
    }
  }
}

extension PredicateParser {
  /// Whether a path begins at the current token.
  var atPath: Bool {
    switch scanner.token {
    case .name(let name): Keyword(name) == nil
    case .placeholder("K"), .symbol("#"): true
    default: false
    }
  }

  /// Whether a value begins at the current token.
  var atOperand: Bool {
    switch scanner.token {
    case .name(let name):
      switch Keyword(name) {
      case .true, .yes, .false, .no, .nil, .null, .nan, .reference: true
      default: false
      }
    case .text, .integer, .number, .date, .placeholder, .symbol("{"): true
    default: false
    }
  }

  /// Parses a path: names joined by dots. A `#` before the first name lets it be a keyword, a number or a quoted
  /// text.
  mutating func parsePath() throws -> [String] {
    var names: [String] = []
    switch scanner.token {
    case .symbol("#"):
      try scanner.advance(afterDot: true)
      try parseName(into: &names)
    default: try parseName(into: &names)
    }
    while at(".") {
      try scanner.advance(afterDot: true)
      try parseName(into: &names)
    }
    return names
  }

  private mutating func parseName(into names: inout [String]) throws {
    switch scanner.token {
    case .name(let name), .text(let name): names.append(name)
    case .placeholder("K"):
      guard let path = try arguments.nextPath() else {
        throw scanner.error(expected: "an argument for each %K")
      }
      names += path
    default: throw scanner.error(expected: "a name")
    }
    try scanner.advance()
  }

  /// Parses a value, a list, a dictionary or a path.
  /// - Parameter operator: The operator before it; nil if it is the left operand.
  mutating func parseOperand(of operator: QueryPredicate.Operator? = nil) throws -> QueryPredicate.Operand {
    endsWithPath = atPath
    if atPath { return .path(try parseOperandPath()) }
    guard atOperand else { throw errorInsteadOfOperand(of: `operator`) }
    if case .placeholder("@") = scanner.token {
      guard let operand = try arguments.nextOperand() else {
        throw scanner.error(expected: "an argument for each %@")
      }
      try scanner.advance()
      return operand
    }
    guard at("{") else { return .constant(try parseConstant()) }
    try scanner.advance()
    if try take("}") { return .list([]) }
    return try parseBraces()
  }

  /// Parses a path where a value may stand. What is wrong behind its names may be the rest of a text without quotes, such
  /// as `alice@example.org`.
  private mutating func parseOperandPath() throws -> [String] {
    do {
      return try parsePath()
    } catch let error as SatchelError where error.code == .syntaxError {
      var context = error.context
      context["expected", default: ""] += Self.textHint
      throw SatchelError(.syntaxError, PredicateParser.message, context)
    }
  }

  /// Parses the content of braces; the opening brace has been read.
  private mutating func parseBraces() throws -> QueryPredicate.Operand {
    var values: [QueryPredicate.Constant] = []
    repeat {
      if case .placeholder("@") = scanner.token {
        switch try arguments.nextOperand() {
        case .constant(let value)?: values.append(value)
        case .list(let list)?: values += list
        case .dictionary?, .path?: throw scanner.error(expected: "a single value for %@ within a list")
        case nil: throw scanner.error(expected: "an argument for each %@")
        }
        try scanner.advance()
      } else {
        guard atOperand, !at("{") else {
          throw scanner.error(expected: "a single value" + (atPath ? Self.textHint : ""))
        }
        let value = try parseConstant()
        if values.isEmpty, case .text(let key) = value, at(":") {
          return .dictionary(try parseDictionary(firstKey: key, depth: 1))
        }
        values.append(value)
      }
    } while try take(",")
    guard try take("}") else { throw scanner.error(expected: ", or }") }
    return .list(values)
  }

  /// Parses the entries of a dictionary and its closing brace; the first key has been read.
  private mutating func parseDictionary(firstKey: String, depth: Int) throws -> Metadata {
    guard depth <= Metadata.maximumDepth else {
      throw scanner.error(expected: "at most \(Metadata.maximumDepth) dictionaries in one another")
    }
    var pairs: [(String, MetadataValue)] = []
    var keys: Set<ByteString> = []
    var key = firstKey
    while true {
      guard keys.insert(ByteString(key)).inserted else { throw scanner.error(expected: "each key once") }
      guard try take(":") else { throw scanner.error(expected: ":") }
      pairs.append((key, try parseEntry(depth: depth)))
      guard try take(",") else { break }
      guard case .text(let next) = scanner.token else { throw scanner.error(expected: "a quoted key") }
      key = next
      try scanner.advance()
    }
    guard try take("}") else { throw scanner.error(expected: ", or }") }
    return Metadata(pairs)
  }

  private mutating func parseEntry(depth: Int) throws -> MetadataValue {
    if case .placeholder("@") = scanner.token {
      switch try arguments.nextOperand() {
      case .constant(let constant)?:
        guard let value = MetadataValue(constant) else { throw scanner.error(expected: "a value for %@") }
        try scanner.advance()
        return value
      case .dictionary(let metadata)?:
        try scanner.advance()
        return .dictionary(metadata)
      case .list(let list)?:
        let texts = list.compactMap { if case .text(let text) = $0 { text } else { nil } }
        guard texts.count == list.count else {
          throw scanner.error(expected: "a list of texts for %@ within a dictionary")
        }
        try scanner.advance()
        return .list(texts)
      default:
        throw scanner.error(
          expected: "a single value, a list of texts or a dictionary for %@ within a dictionary")
      }
    }
    if atOperand, !at("{") {
      let column = scanner
      guard let value = MetadataValue(try parseConstant()) else {
        throw column.error(expected: Self.entries)
      }
      return value
    }
    guard try take("{") else {
      throw scanner.error(expected: Self.entries)
    }
    if try take("}") { return .dictionary(Metadata()) }
    guard case .text(let first) = scanner.token else {
      throw scanner.error(expected: "a quoted key, a quoted text or }")
    }
    try scanner.advance()
    guard !at(":") else { return .dictionary(try parseDictionary(firstKey: first, depth: depth + 1)) }
    var texts = [first]
    while try take(",") {
      guard case .text(let text) = scanner.token else { throw scanner.error(expected: "a quoted text") }
      texts.append(text)
      try scanner.advance()
    }
    guard try take("}") else { throw scanner.error(expected: ", or }") }
    return .list(texts)
  }

  /// What may stand behind a key, for the text of an error.
  private static let entries =
    "a text, a number, a date, a Boolean, a reference, a list of texts or a dictionary"

  private mutating func parseConstant() throws -> QueryPredicate.Constant {
    let value: QueryPredicate.Constant
    switch scanner.token {
    case .text(let text): value = .text(text)
    case .integer(let integer): value = .integer(integer)
    case .number(let number): value = .number(number)
    case .date(let date): value = .date(date)
    case .name(let name):
      switch Keyword(name) {
      case .true, .yes: value = .boolean(true)
      case .false, .no: value = .boolean(false)
      case .nil, .null: value = .null
      case .nan: value = .number(.nan)
      case .reference: return .reference(try parseReference())
      default: throw scanner.error(expected: "a value")
      }
    default: throw scanner.error(expected: "a value")
    }
    try scanner.advance()
    return value
  }

  /// Parses a reference; the current token is its keyword.
  private mutating func parseReference() throws -> Reference {
    try scanner.advance()
    guard try take("(") else {
      throw scanner.error(expected: "( behind REFERENCE; a property of this name is written #reference")
    }
    let type = try parseTextOfReference()
    guard try take(",") else {
      throw scanner.error(expected: ", and an identifier: " + Self.exampleReference)
    }
    let name = try parseTextOfReference()
    guard try take(")") else { throw scanner.error(expected: ")") }
    return Reference(type: type, name: name)
  }

  /// Parses the type or the identifier of a reference, which `%@` may give: an identifier of any object is a text.
  private mutating func parseTextOfReference() throws -> String {
    let text: String?
    switch scanner.token {
    case .text(let literal): text = literal
    case .placeholder("@"):
      switch try arguments.nextOperand() {
      case .constant(.text(let argument))?: text = argument
      case nil: throw scanner.error(expected: "an argument for each %@")
      default: text = nil
      }
    default: text = nil
    }
    guard let text else { throw scanner.error(expected: "a quoted text: " + Self.exampleReference) }
    try scanner.advance()
    return text
  }

  private static let exampleReference = "REFERENCE('list', 'work')"
}

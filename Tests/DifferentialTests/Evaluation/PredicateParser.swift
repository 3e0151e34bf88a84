/// Reads the predicate language, scalar by scalar, without the part a generated query never uses: arguments.
struct PredicateParser {
  private let scalars: [Unicode.Scalar]
  private var at = 0

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  static func parse(_ text: String) throws -> Predicate {
    var parser = PredicateParser(text)
    let predicate = try parser.disjunction()
    try parser.expectEnd()
    return predicate
  }

  static func parsePath(_ text: String) throws -> PropertyPath {
    var parser = PredicateParser(text)
    let path = try parser.path()
    try parser.expectEnd()
    return path
  }

  private mutating func expectEnd() throws {
    skipSpace()
    guard at == scalars.count else { throw unexpected("the end") }
  }

  private func unexpected(_ wanted: String) -> QueryError {
    QueryError("column \(at + 1): \(wanted) expected in \(String(String.UnicodeScalarView(scalars)))")
  }
}

/// Predicates.
extension PredicateParser {
  private mutating func disjunction() throws -> Predicate {
    var operands = [try conjunction()]
    while takeKeyword("OR") || takeSymbol("||") { operands.append(try conjunction()) }
    return operands.count == 1 ? operands[0] : .or(operands)
  }

  private mutating func conjunction() throws -> Predicate {
    var operands = [try negation()]
    while takeKeyword("AND") || takeSymbol("&&") { operands.append(try negation()) }
    return operands.count == 1 ? operands[0] : .and(operands)
  }

  private mutating func negation() throws -> Predicate {
    if takeKeyword("NOT") || takeSymbol("!") { return .not(try negation()) }
    if takeSymbol("(") {
      let predicate = try disjunction()
      guard takeSymbol(")") else { throw unexpected("')'") }
      return predicate
    }
    if takeKeyword("TRUEPREDICATE") { return .constant(true) }
    if takeKeyword("FALSEPREDICATE") { return .constant(false) }
    return try comparison()
  }

  private mutating func comparison() throws -> Predicate {
    let quantifier = Predicate.Quantifier.allCases.first { takeKeyword($0.rawValue) }
    skipSpace()
    if next == "'" || next == "\"" || startsReference {
      let element = try operand()
      guard takeKeyword("IN") else { throw unexpected("IN") }
      let path = try path()
      let isOfUsers = path.components.last == "participants" && !path.components.contains("metadata")
      return .comparison(
        .init(path: path, operation: isOfUsers ? .contains : .equal, operand: element, quantifier: quantifier)
      )
    }
    let path = try path()
    if let quantifier, takeSymbol("(") {
      let predicate = try disjunction()
      guard takeSymbol(")") else { throw unexpected("')'") }
      return .elements(quantifier, path, predicate)
    }
    guard let operation = try operation() else {
      return .comparison(
        .init(path: path, operation: .equal, operand: .boolean(true), quantifier: quantifier))
    }
    let form = try options()
    guard let operand = try operandUnlessPath() else {
      guard form.isEmpty else { throw unexpected("a value behind options") }
      return .pair(.init(left: path, operation: operation, right: try self.path(), quantifier: quantifier))
    }
    return .comparison(
      .init(path: path, operation: operation, form: form, operand: operand, quantifier: quantifier))
  }

  private mutating func operation() throws -> Predicate.Operation? {
    for (symbol, operation) in Self.symbols where takeSymbol(symbol) { return operation }
    for (word, operation) in Self.words where takeKeyword(word) { return operation }
    let start = at
    if takeKeyword("NOT") {
      if takeKeyword("IN") { return .notIn }
      at = start
    }
    return nil
  }

  private static let symbols: [(String, Predicate.Operation)] = [
    ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<=", .lessOrEqual), ("=<", .lessOrEqual),
    (">=", .greaterOrEqual), ("=>", .greaterOrEqual), ("=", .equal), ("<", .less), (">", .greater),
  ]

  private static let words: [(String, Predicate.Operation)] = [
    ("IN", .isIn), ("BETWEEN", .between), ("LIKE", .like), ("BEGINSWITH", .beginsWith),
    ("ENDSWITH", .endsWith),
    ("CONTAINS", .contains), ("AUTOCOMPLETE", .autocomplete), ("RELATED", .related),
    ("MATCHES-TEXT", .matchesText),
  ]

  private mutating func options() throws -> TextForm {
    guard takeSymbol("[") else { return [] }
    var form: TextForm = []
    while let letter = next, letter != "]" {
      switch letter {
      case "c", "C": form.insert(.caseless)
      case "d", "D": form.insert(.markless)
      default: throw unexpected("c or d")
      }
      at += 1
    }
    guard takeSymbol("]") else { throw unexpected("']'") }
    return form
  }
}

/// Operands.
extension PredicateParser {
  private mutating func operand() throws -> Predicate.Literal {
    guard let operand = try operandUnlessPath() else { throw unexpected("a value") }
    return operand
  }

  /// A value; nil if a path stands here.
  private mutating func operandUnlessPath() throws -> Predicate.Literal? {
    skipSpace()
    switch next {
    case "'", "\"": return .string(try quoted())
    case "{": return try collection()
    case let scalar? where scalar == "-" || ("0"..."9").contains(scalar): return try number()
    default: break
    }
    if takeKeyword("TRUE") || takeKeyword("YES") { return .boolean(true) }
    if takeKeyword("FALSE") || takeKeyword("NO") { return .boolean(false) }
    if startsReference { return .reference(try reference()) }
    if takeKeyword("nil") || takeKeyword("NULL") { return .null }
    guard let scalar = next, Self.isName(scalar) || scalar == "#" else { throw unexpected("an operand") }
    return nil
  }

  private mutating func number() throws -> Predicate.Literal {
    let start = at
    while let scalar = next, Self.isOfNumber(scalar) { at += 1 }
    let text = String(String.UnicodeScalarView(scalars[start..<at]))
    if text.hasSuffix("Z"), let date = Timestamp.parse(ByteString(text)) { return .date(date) }
    if let integer = Int64(text) { return .integer(integer) }
    if let double = Double(text) { return .double(double) }
    throw unexpected("a number")
  }

  /// Whether a scalar may stand in a number or in a date.
  private static func isOfNumber(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "-", "+", ".", ":", "e", "T", "Z": true
    default: false
    }
  }

  /// Whether a reference begins here, and not a path.
  private var startsReference: Bool {
    var copy = self
    return copy.takeKeyword("REFERENCE") && copy.takeSymbol("(")
  }

  private mutating func reference() throws -> ModelReference {
    guard takeKeyword("REFERENCE"), takeSymbol("(") else { throw unexpected("a reference") }
    guard case .string(let type) = try operand(), takeSymbol(","), case .string(let name) = try operand(),
      takeSymbol(")")
    else { throw unexpected("a type and an identifier") }
    return ModelReference(type: type, name: name)
  }

  private mutating func collection() throws -> Predicate.Literal {
    _ = takeSymbol("{")
    if takeSymbol("}") { return .list([]) }
    var elements: [Predicate.Literal] = []
    var members: [ByteString: Predicate.Literal] = [:]
    repeat {
      let element = try operand()
      guard takeSymbol(":") else {
        elements.append(element)
        continue
      }
      guard case .string(let key) = element else { throw unexpected("a key") }
      members[key] = try operand()
    } while takeSymbol(",")
    guard takeSymbol("}"), elements.isEmpty || members.isEmpty else { throw unexpected("'}'") }
    return members.isEmpty ? .list(elements) : .dictionary(members)
  }

  private mutating func path() throws -> PropertyPath {
    skipSpace()
    var components: [ByteString] = []
    // Behind a number sign, a first name may be whatever a later one may be.
    if takeSymbol("#"), next == "'" || next == "\"" {
      components.append(try quoted())
    } else {
      guard let first = name() else { throw unexpected("a property") }
      components.append(first)
    }
    while next == "." {
      at += 1
      if next == "'" || next == "\"" {
        components.append(try quoted())
      } else if let name = name() {
        components.append(name)
      } else {
        throw unexpected("a name")
      }
    }
    return PropertyPath(components)
  }

  private mutating func name() -> ByteString? {
    let start = at
    while let scalar = next, Self.isName(scalar), at > start || scalar != "-" { at += 1 }
    return at == start ? nil : ByteString(scalars: Array(scalars[start..<at]))
  }

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "-" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  private mutating func quoted() throws -> ByteString {
    let quote = scalars[at]
    at += 1
    var text: [Unicode.Scalar] = []
    while let scalar = next {
      at += 1
      if scalar == quote { return ByteString(scalars: text) }
      text.append(scalar == "\\" ? try escape() : scalar)
    }
    throw unexpected("the end of the string")
  }

  private mutating func escape() throws -> Unicode.Scalar {
    guard let kind = next else { throw unexpected("an escape") }
    at += 1
    switch kind {
    case "\"", "'", "\\": return kind
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      guard next == "{", let end = scalars[at...].firstIndex(of: "}"),
        let value = UInt32(String(String.UnicodeScalarView(scalars[(at + 1)..<end])), radix: 16),
        let scalar = Unicode.Scalar(value)
      else { throw unexpected("a scalar value in braces") }
      at = end + 1
      return scalar
    default: throw unexpected("a known escape")
    }
  }
}

/// Tokens.
extension PredicateParser {
  private var next: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

  private mutating func skipSpace() {
    while let scalar = next, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" { at += 1 }
  }

  private mutating func takeSymbol(_ symbol: String) -> Bool {
    skipSpace()
    let wanted = Array(symbol.unicodeScalars)
    guard scalars[at...].starts(with: wanted) else { return false }
    at += wanted.count
    return true
  }

  /// Takes a word in any case, if it stands here as a whole word.
  private mutating func takeKeyword(_ word: String) -> Bool {
    skipSpace()
    let wanted = word.lowercased().unicodeScalars
    let end = at + wanted.count
    guard end <= scalars.count,
      zip(scalars[at..<end], wanted).allSatisfy({ CaseFolding.fold($0) == $1 && $0.isASCII }),
      end == scalars.count || !Self.isName(scalars[end])
    else { return false }
    if end < scalars.count, scalars[end] == "." { return false }
    at = end
    return true
  }
}

import SatchelModel

/// Parses the predicate language by recursive descent, with one function per rule of its grammar.
struct PredicateParser {
  var scanner: Scanner
  var arguments: FormatArguments
  /// The number of NOTs and parentheses that are open.
  private var depth = 0
  private var nodes = 0
  /// Whether the comparison that was parsed last ends with a path: that may have been meant as a text.
  var endsWithPath = false
  /// Where the single value begins that the last comparison has behind BETWEEN; nil if that comparison is another one.
  private(set) var lonelyBound: Scanner?
  /// What may stand at the current token, as far as whoever completes a beginning of a predicate wants to know.
  private(set) var place = PredicateBeginning.Place.comparison
  /// The path from the object to the elements whose conditions are parsed; empty outside a group of such conditions.
  private(set) var relation: [String] = []

  /// What an error of the language says first.
  static let message: StaticString = "The text does not follow the predicate language"

  init(_ text: String, _ arguments: [(any Sendable)?]) throws {
    scanner = try Scanner(text)
    self.arguments = FormatArguments(arguments)
  }

  /// Parses a predicate, which must be the whole text and use every argument.
  mutating func parse() throws -> QueryPredicate {
    let predicate = try parseOr()
    guard scanner.token == .end else { throw error(behindComparison: "AND, OR or the end") }
    guard arguments.isEmpty else { throw scanner.error(expected: "a %@ or %K for each argument") }
    if predicate.defect != nil { throw tooLarge }
    return predicate
  }

  private var tooLarge: SatchelError {
    scanner.error(
      expected: "at most \(QueryPredicate.maximumDepth) levels and \(QueryPredicate.maximumNodes) nodes")
  }

  private mutating func parseOr() throws -> QueryPredicate {
    var predicates = [try parseAnd()]
    while try take(.or) || take("||") { predicates.append(try parseAnd()) }
    return .or(predicates)
  }

  private mutating func parseAnd() throws -> QueryPredicate {
    var predicates = [try parseNot()]
    while try take(.and) || take("&&") { predicates.append(try parseNot()) }
    return .and(predicates)
  }

  private mutating func parseNot() throws -> QueryPredicate {
    nodes += 1
    guard nodes <= QueryPredicate.maximumNodes else { throw tooLarge }
    place = .comparison
    if at(.not) || at("!") {
      try enter()
      try scanner.advance()
      let predicate = try parseNot()
      depth -= 1
      return .not(predicate)
    }
    if at("(") {
      try enter()
      try scanner.advance()
      let predicate = try parseOr()
      guard try take(")") else { throw error(behindComparison: "AND, OR or )") }
      depth -= 1
      endsWithPath = false
      return completing(predicate)
    }
    if try take(.truepredicate) { return completing(.true) }
    if try take(.falsepredicate) { return completing(.false) }
    return try parseComparison()
  }

  /// Notes that what was parsed is complete: behind it stand AND, OR or the end.
  private mutating func completing<Parsed>(_ parsed: Parsed) -> Parsed {
    place = .conjunction
    return parsed
  }

  /// Enters a level. Called before the parser moves past the token that opens the level, so that an error gives its
  /// column.
  private mutating func enter() throws {
    guard depth < QueryPredicate.maximumDepth else { throw tooLarge }
    depth += 1
  }

  /// Parses a comparison, or conditions in parentheses that one element has to meet.
  private mutating func parseComparison() throws -> QueryPredicate {
    endsWithPath = false
    let quantifier: QueryPredicate.Quantifier? =
      try take(.any) ? .any : take(.all) ? .all : take(.none) ? QueryPredicate.Quantifier.none : nil
    if atPath {
      let path = try parsePath()
      if let quantifier, at("(") { return try parseElements(quantifier, of: path) }
      place = .operator(of: relation + path)
      guard let (`operator`, options) = try parseOperator(isQuantified: quantifier != nil) else {
        return .comparison(QueryPredicate.Comparison(path, .equal, .boolean(true)))
      }
      place = .operand(of: relation + path, `operator`)
      let beginning = scanner
      let operand = try parseOperand(of: `operator`)
      if `operator` == .between, case .constant = operand {
        lonelyBound = beginning
      } else {
        lonelyBound = nil
      }
      return completing(
        .comparison(
          QueryPredicate.Comparison(path, `operator`, operand, options: options, quantifier: quantifier)))
    }
    guard atOperand else {
      throw scanner.error(
        expected: quantifier == nil
          ? "a property, a value, NOT, (, TRUEPREDICATE or FALSEPREDICATE" : "a property or a value")
    }
    let operand = try parseOperand()
    place = .in
    guard try take(.in) else { throw errorBehindValue }
    place = .comparison
    guard atPath else { throw scanner.error(expected: "a property") }
    return completing(
      .comparison(QueryPredicate.Comparison(try parsePath(), .member, operand, quantifier: quantifier)))
  }

  /// Parses the conditions in parentheses that elements have to meet; the current token is the opening one.
  private mutating func parseElements(_ quantifier: QueryPredicate.Quantifier, of path: [String]) throws
    -> QueryPredicate
  {
    try enter()
    try scanner.advance()
    let outer = relation
    relation += path
    let predicate = try parseOr()
    guard try take(")") else { throw error(behindComparison: "AND, OR or )") }
    relation = outer
    depth -= 1
    endsWithPath = false
    return completing(.elements(quantifier, of: path, predicate))
  }

  /// Parses an operator; nil if the comparison is a path alone, which cannot have a quantifier.
  private mutating func parseOperator(isQuantified: Bool) throws -> (
    QueryPredicate.Operator, QueryPredicate.Options
  )? {
    let result: QueryPredicate.Operator
    switch scanner.token {
    case .symbol("="), .symbol("=="): result = .equal
    case .symbol("!="), .symbol("<>"): result = .notEqual
    case .symbol("<"): result = .less
    case .symbol("<="), .symbol("=<"): result = .lessOrEqual
    case .symbol(">"): result = .greater
    case .symbol(">="), .symbol("=>"): result = .greaterOrEqual
    case .name(let name):
      switch Keyword(name) {
      case .in: result = .in
      case .between: result = .between
      case .like: result = .like
      case .beginswith: result = .beginsWith
      case .endswith: result = .endsWith
      case .contains: result = .contains
      case .autocomplete: result = .autocomplete
      case .matchesText: result = .matchesText
      case .not:
        try scanner.advance()
        place = .in
        guard at(.in) else {
          throw scanner.error(expected: "IN; with another operator NOT stands before the property")
        }
        result = .notIn
      case .and where !isQuantified, .or where !isQuantified: return nil
      // No keyword elsewhere, so that a field may have this name.
      case nil where name.utf8.count == 7 && name.lowercased() == "related": result = .related
      default: throw errorInsteadOfOperator(isQuantified: isQuantified)
      }
    case .symbol(")") where !isQuantified, .symbol("&&") where !isQuantified,
      .symbol("||") where !isQuantified, .end where !isQuantified:
      return nil
    default: throw errorInsteadOfOperator(isQuantified: isQuantified)
    }
    try scanner.advance()
    return (result, try parseOptions(of: result))
  }

  private mutating func parseOptions(of operator: QueryPredicate.Operator) throws -> QueryPredicate.Options {
    guard at("[") else { return [] }
    guard `operator`.takesOptions else { throw errorInsteadOfOptions(of: `operator`) }
    try scanner.advance()
    var options: QueryPredicate.Options = []
    guard case .name(let letters) = scanner.token else { throw scanner.error(expected: "c, d or cd") }
    for letter in letters.unicodeScalars {
      switch letter {
      case "c", "C": options.insert(.caseInsensitive)
      case "d", "D": options.insert(.diacriticInsensitive)
      default: throw scanner.error(expected: "c, d or cd")
      }
    }
    try scanner.advance()
    guard try take("]") else { throw scanner.error(expected: "]") }
    return options
  }
}

// MARK: - Tokens

extension PredicateParser {
  func at(_ symbol: String) -> Bool {
    if case .symbol(symbol) = scanner.token { true } else { false }
  }

  func at(_ keyword: Keyword) -> Bool {
    if case .name(let name) = scanner.token { Keyword(name) == keyword } else { false }
  }

  /// Moves past the current token if it is this symbol, and returns whether it was.
  mutating func take(_ symbol: String) throws -> Bool {
    guard at(symbol) else { return false }
    try scanner.advance()
    return true
  }

  /// Moves past the current token if it is this keyword, and returns whether it was.
  mutating func take(_ keyword: Keyword) throws -> Bool {
    guard at(keyword) else { return false }
    try scanner.advance()
    return true
  }
}

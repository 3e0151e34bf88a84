internal import SatchelModel

extension SearchTree {
  /// Reads what somebody types. Every text is a pattern: what is not closed ends with the text; what is closed without having been opened, a
  /// keyword or a sign without its words, and what goes beyond a limit, is left out.
  package init(_ text: String, fields: SearchFields = .named([])) {
    var parser = SearchParser(text, fields: fields, isStrict: false)
    self = (try? parser.parse()) ?? .nothing
  }

  /// Reads what a program has written.
  /// - Throws: `syntaxError`, with the column in Unicode scalars from 1, what was found there and what is expected.
  package init(strictly text: String, fields: SearchFields = .named([])) throws {
    var parser = SearchParser(text, fields: fields, isStrict: true)
    self = try parser.parse()
  }
}

/// Parses patterns by recursive descent, scalar by scalar.
///
/// ```
/// pattern := and ( OR and )*
/// and     := not ( [ AND ] not )*
/// not     := ( "-" | NOT ) not | operand
/// operand := name ":" operand | "(" pattern ")" | [ "*" ] ( word | quoted ) [ "*" ]
/// ```
struct SearchParser {
  enum Keyword: String {
    case or = "OR"
    case and = "AND"
    case not = "NOT"
  }

  static let message: StaticString = "The text does not follow the search language"

  let scalars: [Unicode.Scalar]
  let fields: SearchFields
  private let isStrict: Bool
  var index = 0
  private var depth = 0
  private var texts = 0
  /// Whether there may be a name of a field.
  let hasColon: Bool

  init(_ text: String, fields: SearchFields, isStrict: Bool) {
    // A strict text that is too long is told by its length, so one byte more is read.
    let text =
      text.utf8.count <= SearchTree.maximumBytes ? text : Self.beginning(of: text, isStrict: isStrict)
    scalars = Array(text.unicodeScalars)
    hasColon = text.utf8.contains(UInt8(ascii: ":"))
    self.fields = fields
    self.isStrict = isStrict
    isTooLong = isStrict && text.utf8.count > SearchTree.maximumBytes
  }

  private let isTooLong: Bool

  private static func beginning(of text: String, isStrict: Bool) -> String {
    if isStrict { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: SearchTree.maximumBytes)
    while String.Index(end, within: text.unicodeScalars) == nil { text.utf8.formIndex(before: &end) }
    return String(text[..<end])
  }

  mutating func parse() throws -> SearchTree {
    if isTooLong { throw error("at most \(SearchTree.maximumBytes) bytes of UTF-8") }
    let pattern = try parsePattern()
    if isStrict, pattern == .nothing { throw error("a word") }
    return pattern
  }

  /// Parses up to the end, or up to the parenthesis that closes the one that is open.
  private mutating func parsePattern() throws -> SearchTree {
    var alternatives: [SearchTree] = []
    var parts: [SearchTree] = []
    var isOperandMissing = true
    while let scalar = nextVisible() {
      if scalar == ")" {
        if depth > 0 { break }
        if isStrict { throw error("a word; no parenthesis is open") }
        index += 1
        continue
      }
      let start = index
      switch takeKeyword() {
      case .or?:
        if isStrict, isOperandMissing { throw error("a word before OR", at: start) }
        alternatives.append(.and(parts))
        parts = []
        isOperandMissing = true
      case .and?:
        if isStrict, isOperandMissing { throw error("a word before AND", at: start) }
        isOperandMissing = true
      case .not?:
        index = start
        fallthrough
      case nil:
        parts.append(try parseNegation())
        isOperandMissing = false
      }
    }
    if isStrict, isOperandMissing { throw error("a word") }
    alternatives.append(.and(parts))
    return .or(alternatives.filter { $0 != .nothing })
  }

  private mutating func parseNegation() throws -> SearchTree {
    var isNegated = false
    while let scalar = nextVisible() {
      if scalar == "-" {
        index += 1
        guard let next = peek(), !next.isSpace, next != ")" else {
          if isStrict { throw error("a word directly behind -") }
          return .nothing
        }
        isNegated.toggle()
      } else if takeKeyword(.not) {
        isNegated.toggle()
        if isStrict, nextVisible() == nil { throw error("a word behind NOT") }
      } else {
        break
      }
    }
    let start = index
    if takeKeyword() != nil {
      index = start
      if isStrict { throw error("a word; one that is a keyword needs quotation marks") }
      return .nothing
    }
    let operand = try parseOperand()
    return isNegated ? .not(operand) : operand
  }

  private mutating func parseOperand() throws -> SearchTree {
    guard let first = peek() else { return .nothing }
    let start = index
    if first == ")" {
      if isStrict { throw error("a word") }
      return .nothing
    }
    if first == "(" { return try parseGroup() }
    var stars: SearchTree.Stars = []
    while peek() == "*" {
      stars = .before
      index += 1
    }
    guard let scalar = peek(), !Self.endsWord(scalar) || Self.isQuote(scalar) else {
      if isStrict { throw error("a word directly behind *") }
      return .nothing
    }
    var text: String
    if Self.isQuote(scalar) {
      text = try parseQuoted()
      if stars.isEmpty, let operand = try parseFieldBehind(text) { return operand }
    } else {
      if stars.isEmpty, let name = takeName() { return try parseField(name, at: start) }
      let wordStart = index
      text = takeWord()
      while text.unicodeScalars.last == "*" {
        text.unicodeScalars.removeLast()
        index -= 1
      }
      if isStrict, let star = scalars[wordStart..<index].firstIndex(of: "*") {
        throw error("a star before or behind a word, none within: pro* *buf; or quotation marks", at: star)
      }
    }
    while peek() == "*" {
      stars.insert(.after)
      index += 1
    }
    return try checked(.text(text, stars: stars), at: start)
  }

  private mutating func parseGroup() throws -> SearchTree {
    let start = index
    index += 1
    guard depth < SearchTree.maximumDepth else {
      if isStrict {
        throw error("at most \(SearchTree.maximumDepth) open parentheses and fields", at: start)
      }
      return .nothing
    }
    depth += 1
    let pattern = try parsePattern()
    depth -= 1
    if peek() == ")" {
      index += 1
    } else if isStrict {
      throw error("a word or )")
    }
    return pattern
  }

  private mutating func parseField(_ name: String, at start: Int) throws -> SearchTree {
    if isStrict, peek() == "-" { throw error("a word; a minus stands before the name, or in parentheses") }
    guard depth < SearchTree.maximumDepth else {
      if isStrict {
        throw error("at most \(SearchTree.maximumDepth) open parentheses and fields", at: start)
      }
      return .nothing
    }
    depth += 1
    let operand = try parseOperand()
    depth -= 1
    return .field(name, operand)
  }

  /// Parses what stands behind a name in quotation marks; nil if it is no name.
  private mutating func parseFieldBehind(_ name: String) throws -> SearchTree? {
    guard isField(name, colon: index) else { return nil }
    index += 1
    return try parseField(name, at: index)
  }

  private mutating func parseQuoted() throws -> String {
    let start = index
    // What this one begins only it ends, so that a text with other marks may be copied between two of it.
    let isPlain = peek() == "\""
    index += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek() {
      index += 1
      if isPlain ? scalar == "\"" : Self.isQuote(scalar) {
        if isStrict, text.isEmpty { throw error("a word between quotation marks", at: start) }
        return String(text)
      }
      if scalar == "\\", let next = peek(), next == "\\" || Self.isQuote(next) {
        text.append(next)
        index += 1
      } else {
        text.append(scalar)
      }
    }
    if isStrict { throw error("a closing quotation mark", at: start) }
    return String(text)
  }

  /// Counts a word or a phrase, which a strict pattern must have a reason for.
  private mutating func checked(_ pattern: SearchTree, at start: Int) throws -> SearchTree {
    guard pattern != .nothing else { return pattern }
    texts += 1
    guard texts <= SearchTree.maximumTexts else {
      if isStrict { throw error("at most \(SearchTree.maximumTexts) words and phrases", at: start) }
      return .nothing
    }
    if isStrict, case .words(let text, let stars) = pattern, SearchForm(text, stars) == nil {
      throw error(
        stars == .both
          ? "something between the stars that is compared: nothing is left of marks alone"
          : "a word with a letter or a number; anything else stands between stars: *…*", at: start)
    }
    return pattern
  }
}

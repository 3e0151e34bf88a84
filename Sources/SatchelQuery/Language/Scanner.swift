import SatchelModel
import SatchelText

/// Splits a text of the predicate language into tokens, one after another.
///
/// The text is read scalar by scalar: otherwise a combining mark after a quotation mark would be part of that mark.
struct Scanner {
  /// A token of the language.
  enum Token: Equatable {
    case name(String)
    case text(String)
    case integer(Int64)
    case number(Double)
    case date(Timestamp)
    /// One of `( ) { } [ ] , . : #` and the operators of sign characters.
    case symbol(String)
    /// `%@` or `%K`.
    case placeholder(Unicode.Scalar)
    case end
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  /// The current token.
  private(set) var token: Token = .end
  /// The index of the current token's first scalar, from 0.
  private(set) var start = 0

  init(_ text: String) throws {
    scalars = Array(text.unicodeScalars)
    try advance()
  }

  /// The column of the current token, in scalars from 1.
  var column: Int { start + 1 }

  /// The current token as it is written in the text.
  var found: String {
    guard token != .end else { return "the end" }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<index].prefix(60))
    return String(text)
  }

  /// Returns the error that something else is expected instead of the current token.
  func error(expected: String) -> SatchelError { error(expected: expected, found: found, at: start) }

  private func error(expected: String, found: String, at index: Int) -> SatchelError {
    SatchelError(
      .syntaxError, PredicateParser.message,
      ["column": String(index + 1), "found": found, "expected": expected])
  }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  /// Moves to the next token. After a dot, the next token is a name or a quoted text, and keywords and digits are
  /// names.
  mutating func advance(afterDot: Bool = false) throws {
    while let scalar = peek(), scalar.properties.isWhitespace { index += 1 }
    start = index
    guard let scalar = peek() else {
      token = .end
      return
    }
    switch scalar {
    case "'", "\"": token = .text(try scanText(quote: scalar))
    case "%":
      guard let kind = peek(1), kind == "@" || kind == "K" else {
        throw error(expected: "%@ or %K", found: "%", at: start)
      }
      index += 2
      token = .placeholder(kind)
    case "-", "+", "0"..."9":
      if afterDot, scalar != "-", scalar != "+" {
        token = .name(scanName())
      } else {
        token = try scanNumber()
      }
    case _ where Names.continues(scalar): token = .name(scanName())
    default: token = try scanSymbol(scalar)
    }
  }

  private mutating func scanName() -> String {
    var name = String.UnicodeScalarView()
    while let scalar = peek(), Names.continues(scalar) {
      name.append(scalar)
      index += 1
    }
    return String(name)
  }

  private mutating func scanSymbol(_ scalar: Unicode.Scalar) throws -> Token {
    if let next = peek(1) {
      var pair = String.UnicodeScalarView()
      pair.append(scalar)
      pair.append(next)
      let symbol = String(pair)
      if ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||"].contains(where: {
        UTF8Order.areEqual($0, symbol)
      }) {
        index += 2
        return .symbol(symbol)
      }
    }
    switch scalar {
    case "(", ")", "{", "}", "[", "]", ",", ".", ":", "#", "=", "<", ">", "!":
      index += 1
      return .symbol(String(Character(scalar)))
    case "\u{2018}", "\u{2019}", "\u{201A}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}", "`",
      "\u{B4}":
      index += 1
      throw error(expected: "a straight quotation mark: ' or \"", found: found(from: start), at: start)
    default:
      index += 1
      throw error(
        expected: "a name, a value, an operator or a parenthesis", found: found(from: start), at: start)
    }
  }

  private func found(from index: Int) -> String { String(String.UnicodeScalarView(scalars[index...index])) }

  /// Reads a number or a date. It begins with a digit or a sign, and ends before the first scalar that cannot be part
  /// of it.
  private mutating func scanNumber() throws -> Token {
    if let date = scanDate() { return .date(date) }
    if let text = scanLikeDate() {
      throw error(expected: "a date that exists, such as 2026-01-31T09:30:00Z", found: text, at: start)
    }
    var digits = ""
    func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { ("0"..."9").contains($0) } ?? false }
    func takeDigits(_ scanner: inout Scanner) {
      while let scalar = scanner.peek(), isDigit(scalar) {
        digits.unicodeScalars.append(scalar)
        scanner.index += 1
      }
    }
    func take(_ count: Int, _ scanner: inout Scanner) {
      for _ in 0..<count {
        digits.unicodeScalars.append(scanner.scalars[scanner.index])
        scanner.index += 1
      }
    }
    if let scalar = peek(), scalar == "-" || scalar == "+" { take(1, &self) }
    guard isDigit(peek()) else {
      throw error(
        expected: "digits behind the sign: the language does not calculate", found: digits, at: start)
    }
    takeDigits(&self)
    var isWhole = true
    if peek() == ".", isDigit(peek(1)) {
      isWhole = false
      take(1, &self)
      takeDigits(&self)
    }
    if peek() == "e" || peek() == "E" {
      let hasSign = peek(1) == "-" || peek(1) == "+"
      if isDigit(peek(hasSign ? 2 : 1)) {
        isWhole = false
        take(hasSign ? 2 : 1, &self)
        takeDigits(&self)
      }
    }
    if let next = peek(), Names.continues(next) {
      throw error(expected: "a number", found: digits + scanName(), at: start)
    }
    if isWhole, let integer = Int64(digits) { return .integer(integer) }
    // Every text of digits, a point and an exponent is a Double; if it is too large, the Double is infinite.
    guard let number = Double(digits) else { throw error(expected: "a number", found: digits, at: start) }
    return .number(number)
  }

  /// Returns what begins as a date does, with a year, a month and a day; nil if a number begins here.
  private mutating func scanLikeDate() -> String? {
    let shape = "0000-00-00".unicodeScalars
    for (offset, scalar) in shape.enumerated() {
      guard let next = peek(offset), scalar == "-" ? next == "-" : ("0"..."9").contains(next) else {
        return nil
      }
    }
    var text = String.UnicodeScalarView()
    while let scalar = peek(), Names.continues(scalar) || scalar == "+" || scalar == ":" || scalar == "." {
      text.append(scalar)
      index += 1
    }
    return String(text)
  }

  /// Reads a date without quotation marks, as dates are printed.
  private mutating func scanDate() -> Timestamp? {
    var bytes: [UInt8] = []
    var end = index
    while end < scalars.count, bytes.count < 48 {
      let scalar = scalars[end]
      guard scalar.isASCII, Names.continues(scalar) || scalar == "+" || scalar == ":" || scalar == "." else {
        break
      }
      bytes.append(UInt8(scalar.value))
      end += 1
    }
    guard bytes.count >= 20, let date = try? RFC3339.parse(bytes.span, anyYear: true) else {
      return nil
    }
    index = end
    return Timestamp(microseconds: date)
  }

  private mutating func scanText(quote: Unicode.Scalar) throws -> String {
    index += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek() {
      index += 1
      if scalar == quote { return String(text) }
      text.append(scalar == "\\" ? try scanEscape() : scalar)
    }
    throw error(expected: "a closing quotation mark", found: "the end", at: index)
  }

  /// Reads an escape and returns the scalar that it represents; the backslash has been read.
  private mutating func scanEscape() throws -> Unicode.Scalar {
    let backslash = index - 1
    let expected = #"one of the escapes \" \' \\ \n \r \t \u{…}"#
    guard let scalar = peek() else { throw error(expected: expected, found: "the end", at: backslash) }
    index += 1
    switch scalar {
    case "\"", "'", "\\": return scalar
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      var value: UInt32 = 0
      var digits = 0
      guard peek() == "{" else { break }
      index += 1
      while let digit = peek(), digits < 8, let number = Character(digit).hexDigitValue, digit.isASCII {
        value = value * 16 + UInt32(number)
        digits += 1
        index += 1
      }
      guard digits > 0, peek() == "}", let result = Unicode.Scalar(value) else { break }
      index += 1
      return result
    default: break
    }
    throw error(
      expected: expected, found: String(String.UnicodeScalarView(scalars[backslash..<index])), at: backslash)
  }
}

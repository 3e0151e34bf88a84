internal import SatchelModel

// What patterns are made of, scalar by scalar.
extension SearchParser {
  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  /// Moves to the next scalar that is no white space.
  mutating func nextVisible() -> Unicode.Scalar? {
    while let scalar = peek(), scalar.isSpace { index += 1 }
    return peek()
  }

  mutating func takeKeyword(_ wanted: Keyword? = nil) -> Keyword? {
    guard let first = peek(), first == "O" || first == "A" || first == "N" else { return nil }
    let start = index
    let word = takeWord(upTo: 4)
    if let keyword = Keyword(rawValue: word), wanted == nil || keyword == wanted { return keyword }
    index = start
    return nil
  }

  mutating func takeKeyword(_ wanted: Keyword) -> Bool { takeKeyword(Optional(wanted)) != nil }

  /// Takes what stands before the next space, parenthesis or quotation mark.
  mutating func takeWord(upTo count: Int = .max) -> String {
    var text = String.UnicodeScalarView()
    let limit = min(count, scalars.count - index) + index
    while index < limit, !Self.endsWord(scalars[index]) {
      text.append(scalars[index])
      index += 1
    }
    return String(text)
  }

  /// Takes the name of a field and the colon behind it; nil if none stands here.
  mutating func takeName() -> String? {
    guard hasColon else { return nil }
    var name = String.UnicodeScalarView()
    var end = index
    while end < scalars.count, Self.isInName(scalars[end]) {
      name.append(scalars[end])
      end += 1
    }
    guard Self.isName(name), isField(String(name), colon: end) else { return nil }
    index = end + 1
    return String(name)
  }

  /// Whether a name is that of a field: a colon stands behind it, and what is looked for directly behind that. `https://…` is none.
  func isField(_ name: String, colon: Int) -> Bool {
    guard colon + 1 < scalars.count, scalars[colon] == ":" else { return false }
    let next = scalars[colon + 1]
    if next == "/", colon + 2 < scalars.count, scalars[colon + 2] == "/" { return false }
    return next != ")" && !next.isSpace && fields.contains(name)
  }

  /// Whether a name needs no quotation marks: it begins with a letter, so that `12:30` names none, and does not make an address of what
  /// follows its colon.
  static func isName(_ name: String.UnicodeScalarView) -> Bool {
    guard let first = name.first, first == "_" || first.isAlphabetic else { return false }
    return name.allSatisfy(isInName) && !addresses.contains(String(name))
  }

  /// What addresses without slashes begin with.
  private static let addresses: Set<String> = ["mailto", "tel", "urn"]

  static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar == "\u{201C}" || scalar == "\u{201D}" || scalar == "\u{201E}"
  }

  /// Whether a word that is not in quotation marks ends before a scalar.
  static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "(" || scalar == ")" || isQuote(scalar) || scalar.isSpace
  }

  static func isInName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "-" || scalar == "." || scalar.isAlphabetic
      || scalar.properties.numericType == .decimal
  }

  func error(_ expected: String, at place: Int? = nil) -> SatchelError {
    let place = min(place ?? index, scalars.count)
    let rest = scalars[place...].prefix(60)
    var found = String.UnicodeScalarView()
    found.append(contentsOf: rest.prefix(1))
    if let first = rest.first, !first.isSpace {
      found.append(contentsOf: rest.dropFirst().prefix { !Self.endsWord($0) })
    }
    return SatchelError(
      .syntaxError, Self.message,
      [
        "column": String(place + 1), "found": rest.isEmpty ? "the end" : String(found), "expected": expected,
      ])
  }
}

// Of ASCII, which patterns are mostly of, without asking for properties.
extension Unicode.Scalar {
  /// Whether it is white space.
  var isSpace: Bool {
    isASCII ? value == 0x20 || value &- 0x09 < 5 : properties.isWhitespace
  }

  fileprivate var isAlphabetic: Bool {
    isASCII ? (value | 0x20) &- 0x61 < 26 : properties.isAlphabetic
  }
}

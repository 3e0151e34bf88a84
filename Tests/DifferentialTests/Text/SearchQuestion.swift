/// A pattern of full-text search, as Documentation/Search.md has the language: read scalar by scalar, and tried at every place of a text.
indirect enum SearchQuestion {
  case leaf(Leaf)
  case all([SearchQuestion])
  case any([SearchQuestion])
  case none(SearchQuestion)
  /// What the text of another property has to match, by the property's name in the pattern.
  case field(String, SearchQuestion)

  /// What a word or a text in quotation marks looks for.
  enum Leaf {
    /// A word or a compound that is this, or begins or ends with it.
    case word([Unicode.Scalar], isBeginning: Bool, isEnding: Bool)
    /// Anywhere in the text.
    case part([Unicode.Scalar])
    /// Words and characters that follow one another.
    case phrase([Element], isBeginning: Bool, isEnding: Bool)
  }

  struct Element {
    let scalars: [Unicode.Scalar]
    let isWord: Bool
    /// Whether it stands directly behind the character before it.
    let isNext: Bool
  }

  /// - Returns: nil if the text is white space, which asks for nothing.
  /// - Throws: ``QueryError`` for what is no pattern.
  init?(_ text: ByteString) throws {
    var reader = SearchReader(text)
    guard let question = try reader.read() else { return nil }
    self = question
  }

  func holds(for text: SearchText) -> Bool {
    switch self {
    case .leaf(let leaf): leaf.isFound(in: text)
    case .all(let questions): questions.allSatisfy { $0.holds(for: text) }
    case .any(let questions): questions.contains { $0.holds(for: text) }
    case .none(let question): !question.holds(for: text)
    case .field(let name, _): preconditionFailure("\(name) is another text")
    }
  }

  var namesFields: Bool {
    switch self {
    case .leaf: false
    case .all(let questions), .any(let questions): questions.contains(where: \.namesFields)
    case .none(let question): question.namesFields
    case .field: true
    }
  }
}

extension SearchQuestion.Leaf {
  /// - Returns: nil for a text without a letter or a number, if not between two stars.
  init?(_ text: ByteString, starBefore: Bool, starBehind: Bool) {
    let wanted = SearchText(text)
    if starBefore, starBehind {
      if wanted.scalars.isEmpty { return nil }
      self = .part(wanted.scalars)
      return
    }
    guard let first = wanted.tokens.first else { return nil }
    let places = wanted.places
    let end = wanted.tokens.map(\.range.upperBound).max() ?? 0
    // A star counts if it stands beside a word.
    let isEnding = starBefore && first.range.lowerBound == 0
    let isBeginning = starBehind && end == wanted.scalars.count
    if first.kind != .character, first.range.upperBound == end {
      self = .word(wanted[first], isBeginning: isBeginning, isEnding: isEnding)
    } else if places.allSatisfy({ $0.kind == .character }), places.dropFirst().allSatisfy(\.isNext) {
      self = .part(Array(wanted.scalars[first.range.lowerBound..<end]))
    } else {
      self = .phrase(
        places.map {
          SearchQuestion.Element(scalars: wanted[$0], isWord: $0.kind == .word, isNext: $0.isNext)
        }, isBeginning: starBehind && places.last?.range.upperBound == wanted.scalars.count,
        isEnding: isEnding)
    }
  }

  func isFound(in text: SearchText) -> Bool {
    switch self {
    case .word(let wanted, let isBeginning, let isEnding):
      return text.words.contains { Self.isWord($0, wanted, isBeginning: isBeginning, isEnding: isEnding) }
    case .part(let wanted):
      return text.scalars.indices.contains { text.scalars[$0...].starts(with: wanted) }
    case .phrase(let elements, let isBeginning, let isEnding):
      let places = text.places
      guard places.count >= elements.count else { return false }
      return (0...places.count - elements.count).contains { start in
        zip(elements.indices, elements).allSatisfy { index, element in
          let place = places[start + index]
          guard element.isWord == (place.kind == .word), !element.isNext || place.isNext else { return false }
          return Self.isWord(
            text[place], element.scalars,
            isBeginning: isBeginning && element.isWord && index == elements.count - 1,
            isEnding: isEnding && element.isWord && index == 0)
        }
      }
    }
  }

  private static func isWord(
    _ word: [Unicode.Scalar], _ wanted: [Unicode.Scalar], isBeginning: Bool, isEnding: Bool
  ) -> Bool {
    if isBeginning { return word.starts(with: wanted) }
    if isEnding { return word.reversed().starts(with: wanted.reversed()) }
    return word == wanted
  }
}

/// Reads patterns.
private struct SearchReader {
  private let scalars: [Unicode.Scalar]
  private var at = 0

  init(_ text: ByteString) { scalars = text.scalars }

  mutating func read() throws -> SearchQuestion? {
    skipSpace()
    if at == scalars.count { return nil }
    let question = try alternatives()
    guard at == scalars.count else { throw unexpected("the end") }
    return question
  }

  private mutating func alternatives() throws -> SearchQuestion {
    var parts = [try together()]
    while take("OR") { parts.append(try together()) }
    return .any(parts)
  }

  private mutating func together() throws -> SearchQuestion {
    var parts = [try negation()]
    while true {
      skipSpace()
      if take("AND") {
        parts.append(try negation())
        continue
      }
      if at == scalars.count || next == ")" || isAt("OR") { return .all(parts) }
      parts.append(try negation())
    }
  }

  private mutating func negation() throws -> SearchQuestion {
    skipSpace()
    if take("NOT") { return .none(try negation()) }
    if next == "-" {
      at += 1
      guard let next, !next.properties.isWhitespace else { throw unexpected("a word") }
      return .none(try negation())
    }
    return try operand()
  }

  private mutating func operand() throws -> SearchQuestion {
    if let name = takeName() { return .field(name, try operand()) }
    if next == "(" {
      at += 1
      let inner = try alternatives()
      guard next == ")" else { throw unexpected(")") }
      at += 1
      return inner
    }
    return .leaf(try leaf())
  }

  /// Takes a name and its colon: it begins with a letter, has letters, digits, low lines, hyphens and dots, and something that is no address follows.
  private mutating func takeName() -> String? {
    let rest = scalars[at...]
    guard let first = rest.first, first.properties.isAlphabetic || first == "_" else { return nil }
    let name = rest.prefix {
      $0.properties.isAlphabetic || $0.properties.numericType == .decimal || "_-.".unicodeScalars.contains($0)
    }
    let behind = rest.dropFirst(name.count)
    guard behind.first == ":", let next = behind.dropFirst().first, next != ")",
      !next.properties.isWhitespace,
      !behind.dropFirst().starts(with: "//".unicodeScalars)
    else { return nil }
    let text = String(String.UnicodeScalarView(name))
    guard !["mailto", "tel", "urn"].contains(text) else { return nil }
    at += name.count + 1
    return text
  }

  private mutating func leaf() throws -> SearchQuestion.Leaf {
    let starBefore = takeStars()
    var text: [Unicode.Scalar] = []
    let isQuoted = next.map(Self.isQuote) ?? false
    let isPlain = next == "\""
    if isQuoted {
      at += 1
      while let scalar = next, isPlain ? scalar != "\"" : !Self.isQuote(scalar) {
        at += 1
        if scalar == "\\", let escaped = next, escaped == "\\" || Self.isQuote(escaped) {
          text.append(escaped)
          at += 1
        } else {
          text.append(scalar)
        }
      }
      guard next != nil else { throw unexpected("a quotation mark") }
      at += 1
    } else {
      if isAt("OR") || isAt("AND") || isAt("NOT") { throw unexpected("a word") }
      while let scalar = next, !Self.endsWord(scalar) {
        text.append(scalar)
        at += 1
      }
      while text.last == "*" {
        text.removeLast()
        at -= 1
      }
    }
    let starBehind = takeStars()
    guard
      let leaf = SearchQuestion.Leaf(
        ByteString(scalars: text), starBefore: starBefore, starBehind: starBehind)
    else { throw unexpected("a letter or a number") }
    return leaf
  }

  // MARK: Scalars

  private var next: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

  private mutating func skipSpace() { while let next, next.properties.isWhitespace { at += 1 } }

  private mutating func takeStars() -> Bool {
    let start = at
    while next == "*" { at += 1 }
    return at > start
  }

  /// Whether a keyword stands here: a word in capitals.
  private func isAt(_ word: String) -> Bool {
    let end = at + word.unicodeScalars.count
    guard end <= scalars.count, scalars[at..<end].elementsEqual(word.unicodeScalars) else { return false }
    return end == scalars.count || Self.endsWord(scalars[end])
  }

  private mutating func take(_ word: String) -> Bool {
    skipSpace()
    guard isAt(word) else { return false }
    at += word.unicodeScalars.count
    return true
  }

  private static func isQuote(_ scalar: Unicode.Scalar) -> Bool { ["\"", "“", "”", "„"].contains(scalar) }

  private static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "(" || scalar == ")" || isQuote(scalar) || scalar.properties.isWhitespace
  }

  private func unexpected(_ wanted: String) -> QueryError {
    QueryError("scalar \(at + 1) of the pattern: \(wanted) expected")
  }
}

import SatchelModel

extension Predicate {
  /// Reads the predicate language: `Predicate(format: "parts.mimeType BEGINSWITH %@ AND isUnread = TRUE", "image/")`.
  ///
  /// `%@` takes the next argument as a value (a string, number, Boolean, date, identifier, metadata, an array or set
  /// of such, or nil), `%K` as a key path.
  /// - Throws: ``SatchelError`` `syntaxError` with the column in Unicode scalars from 1, what was found and what could
  ///   stand there; `invalidValue` for an argument that is no value.
  public init(format: String, _ arguments: (any Sendable)?...) throws {
    try self.init(format: format, arguments: arguments)
  }

  /// Reads the predicate language.
  public init(format: String, arguments: [(any Sendable)?]) throws {
    var parser = try PredicateParser(format, arguments)
    self = try parser.parse()
  }
}

extension SortKey {
  /// Reads a key such as `position` or `-sentAt`.
  /// - Throws: ``SatchelError`` `syntaxError`.
  public init(_ text: String) throws {
    let keys = try SortKey.keys(text)
    guard keys.count == 1 else { throw SortKey.error(text, expected: "one sort key") }
    self = keys[0]
  }

  /// Reads keys joined by commas: `lastMessage.receivedAt,-position`.
  /// - Throws: ``SatchelError`` `syntaxError`.
  public static func keys(_ text: String) throws -> [SortKey] {
    // A minus belongs to the key, whereas the scanner would take it for that of a number.
    var keys: [SortKey] = []
    for key in split(text) {
      let scalars = key.unicodeScalars.drop { $0.properties.isWhitespace }
      let descending = scalars.first == "-"
      let name = String(descending ? scalars.dropFirst() : scalars)
      guard let path = try? PredicateParser.path(name) else {
        throw error(text, expected: "a property or, to sort descending, - and a property")
      }
      keys.append(SortKey(path, descending: descending))
    }
    return keys
  }

  private static func error(_ text: String, expected: String) -> SatchelError {
    SatchelError(.syntaxError, "The text is not a sort key", ["found": text, "expected": expected])
  }

  /// The text between the commas that are not within quotation marks.
  private static func split(_ text: String) -> [String] {
    var result: [String.UnicodeScalarView] = [String.UnicodeScalarView()]
    var quote: Unicode.Scalar?
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if quote == nil, scalar == "," {
        result.append(String.UnicodeScalarView())
        continue
      }
      if isEscaped {
        isEscaped = false
      } else if let open = quote {
        if scalar == open { quote = nil } else if scalar == "\\" { isEscaped = true }
      } else if scalar == "'" || scalar == "\"" {
        quote = scalar
      }
      result[result.count - 1].append(scalar)
    }
    return result.map { String($0) }
  }
}

extension PredicateParser {
  /// A text that is a path and nothing else.
  static func path(_ text: String) throws -> [String] {
    var parser = try PredicateParser(text, [])
    guard parser.atPath else { throw parser.scanner.error(expected: "a property") }
    let path = try parser.parsePath()
    guard parser.scanner.token == .end else { throw parser.scanner.error(expected: ". or the end") }
    return path
  }
}

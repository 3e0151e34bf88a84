import SatchelModel

extension QueryPredicate {
  /// Parses a text of the predicate language, such as
  /// `QueryPredicate(format: "parts.mimeType BEGINSWITH %@ AND isUnread = TRUE", "image/")`.
  ///
  /// `%@` takes the next argument as a value: a string, number, Boolean, date, identifier, reference or metadata, an array or
  /// set of such values, or nil. `%K` takes the next argument as a key path.
  /// - Throws: ``SatchelError`` `syntaxError` with the column in Unicode scalars from 1, what was found and what was
  ///   expected; `invalidValue` if an argument is not a value.
  public init(format: String, _ arguments: (any Sendable)?...) throws {
    try self.init(format: format, arguments: arguments)
  }

  /// Parses a text of the predicate language, like ``init(format:_:)``.
  /// - Throws: ``SatchelError`` `syntaxError` or `invalidValue`.
  public init(format: String, arguments: [(any Sendable)?]) throws {
    var parser = try PredicateParser(format, arguments)
    self = try parser.parse()
  }
}

extension SortKey {
  /// Parses a key such as `position` or `-sentAt`.
  /// - Throws: ``SatchelError`` `syntaxError` if the text is not one sort key.
  public init(_ text: String) throws {
    let keys = try SortKey.keys(text)
    guard keys.count == 1 else { throw SortKey.error(text, expected: "one sort key") }
    self = keys[0]
  }

  /// Parses keys joined by commas: `lastMessage.receivedAt,-position`.
  /// - Throws: ``SatchelError`` `syntaxError` if the text is not a list of sort keys.
  public static func keys(_ text: String) throws -> [SortKey] {
    // The minus belongs to the key. The scanner would read it as the sign of a number.
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

  /// Splits a text at the commas that are not within quotation marks.
  fileprivate static func split(_ text: String) -> [String] {
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

extension [String] {
  /// Reads the names of a key path as `spelledPath` writes them, `readAt.'alice@example.org'`, or as a predicate does,
  /// `#'a.b'`. A name may begin with `-`, as it could before there were quotation marks in paths.
  /// - Throws: ``SatchelError`` `syntaxError` for a text that is no path.
  package init(spelledPath text: String) throws {
    if text.utf8.allSatisfy({ Metadata.isNameByte($0) || $0 == UInt8(ascii: ".") }) {
      self = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        .map { String(Substring($0)) }
    } else {
      self = try PredicateParser.path(text.utf8.first == UInt8(ascii: "#") ? text : "#" + text)
    }
  }
}

extension PredicateParser {
  /// Parses a text that consists of one path.
  static func path(_ text: String) throws -> [String] {
    var parser = try PredicateParser(text, [])
    guard parser.atPath else { throw parser.scanner.error(expected: "a property") }
    let path = try parser.parsePath()
    guard parser.scanner.token == .end else { throw parser.scanner.error(expected: ". or the end") }
    return path
  }
}

extension IndexColumn {
  /// Parses columns joined by commas: `-metadata.priority, sentAt, each metadata.tags`.
  /// - Throws: ``SatchelError`` `syntaxError` if the text is not a list of columns.
  package static func columns(_ text: String) throws -> [IndexColumn] {
    try SortKey.split(text).map { column in
      try IndexColumn(String(column.unicodeScalars.drop { $0.properties.isWhitespace }))
    }
  }
}

import SatchelModel

extension QueryPredicate: CustomStringConvertible {
  /// The predicate in the predicate language. The text parses back to an equal predicate.
  public var description: String {
    var printer = Printer()
    printer.append(self)
    return printer.text
  }
}

extension QueryPredicate.Constant: CustomStringConvertible {
  /// The text that the predicate language has for it.
  public var description: String {
    var printer = Printer()
    printer.append(self)
    return printer.text
  }
}

extension QueryPredicate.Operand: CustomStringConvertible {
  /// The text that the predicate language has for it.
  public var description: String {
    var printer = Printer()
    printer.append(self)
    return printer.text
  }
}

/// Writes the predicate language.
struct Printer {
  private(set) var text = ""

  mutating func append(_ predicate: QueryPredicate) {
    switch predicate.form {
    case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let predicates): append(predicates, joinedBy: " AND ") { $0.isAnd || $0.isOr }
    case .or(let predicates): append(predicates, joinedBy: " OR ") { $0.isOr }
    case .not(let predicate):
      text += "NOT "
      append(predicate, parenthesized: predicate.isAnd || predicate.isOr)
    case .comparison(let comparison): append(comparison)
    case .elements(let group):
      text += group.quantifier.rawValue + " "
      append(path: group.relation)
      text += " "
      append(group.predicate, parenthesized: true)
    case .invalid(.tooLarge): text += "<a predicate of too many nodes or levels>"
    case .invalid(.combinedQuantifier): text += "<several conditions on one element>"
    case .invalid(.beyondElement(let path)):
      text += "<a condition of a part on another property: \(path.spelledPath)>"
    }
  }

  private mutating func append(
    _ predicates: [QueryPredicate], joinedBy separator: String, parenthesized: (QueryPredicate) -> Bool
  ) {
    for (index, predicate) in predicates.enumerated() {
      if index > 0 { text += separator }
      append(predicate, parenthesized: parenthesized(predicate))
    }
  }

  private mutating func append(_ predicate: QueryPredicate, parenthesized: Bool) {
    if parenthesized { text += "(" }
    append(predicate)
    if parenthesized { text += ")" }
  }

  private mutating func append(_ comparison: QueryPredicate.Comparison) {
    if let quantifier = comparison.quantifier { text += quantifier.rawValue + " " }
    if comparison.operator == .member {
      append(comparison.operand)
      text += " IN"
      append(comparison.options)
      text += " "
      append(path: comparison.path)
      return
    }
    append(path: comparison.path)
    text += " " + comparison.operator.rawValue
    append(comparison.options)
    text += " "
    append(comparison.operand)
  }

  private mutating func append(_ options: QueryPredicate.Options) {
    guard !options.isEmpty else { return }
    text += "["
    if options.contains(.caseInsensitive) { text += "c" }
    if options.contains(.diacriticInsensitive) { text += "d" }
    text += "]"
  }

  mutating func append(_ operand: QueryPredicate.Operand) {
    switch operand {
    case .constant(let value): append(value)
    case .list(let values):
      text += values.isEmpty ? "{ " : "{"
      for (index, value) in values.enumerated() {
        if index > 0 { text += ", " }
        append(value)
      }
      text += "}"
    case .dictionary(let metadata): append(metadata)
    case .path(let names): append(path: names)
    }
  }

  private mutating func append(_ metadata: Metadata) {
    text += metadata.isEmpty ? "{ " : "{"
    for (index, entry) in metadata.entries.enumerated() {
      if index > 0 { text += ", " }
      text += entry.key.quoted
      text += ": "
      switch entry.value {
      case .text(let value): text += value.quoted
      case .dictionary(let inner): append(inner)
      case .integer(let value): append(QueryPredicate.Constant.integer(value))
      case .number(let value): append(QueryPredicate.Constant.number(value))
      case .boolean(let value): append(QueryPredicate.Constant.boolean(value))
      case .date(let date): append(QueryPredicate.Constant.date(date))
      case .list(let texts): append(QueryPredicate.Operand.list(texts.map { .text($0) }))
      case .reference(let reference): append(QueryPredicate.Constant.reference(reference))
      }
    }
    text += "}"
  }

  mutating func append(_ constant: QueryPredicate.Constant) {
    switch constant {
    case .null: text += "nil"
    case .boolean(let value): text += value ? "TRUE" : "FALSE"
    case .integer(let value): text += String(value)
    case .number(let value):
      // A number too large for a Double is read as infinite. This writes infinity without a keyword for it.
      text += value.isNaN ? "NAN" : value.isInfinite ? (value < 0 ? "-1e999" : "1e999") : value.description
    case .text(let value): text += value.quoted
    case .date(let value): text += RFC3339.text(of: value)
    case .reference(let value): text += "REFERENCE(\(value.type.quoted), \(value.name.quoted))"
    }
  }

  /// Appends a path. Its first name is marked by `#` if the parser would read it as something else.
  mutating func append(path: [String]) {
    if let first = path.first,
      !first.isPlainName || Names.isReserved(first) || first.utf8.first.map(Names.isDigit) ?? true
    {
      text += "#"
    }
    text += path.spelledPath
  }
}

extension SearchTree: CustomStringConvertible {
  /// The pattern as a text that parses to an equal pattern, if every name may be a field's.
  package var description: String {
    switch self {
    case .words(let text, let stars):
      (stars.contains(.before) ? "*" : "") + Self.printed(text) + (stars.contains(.after) ? "*" : "")
    case .conjunction(let parts): parts.map(\.inConjunction).joined(separator: " ")
    case .disjunction(let parts): parts.map(\.description).joined(separator: " OR ")
    case .negation(let part): "-" + part.operand
    case .inField(let name, let part): Self.printedName(name) + ":" + part.operandOfField
    }
  }

  private var inConjunction: String {
    if case .disjunction = self { "(\(self))" } else { description }
  }

  /// The pattern behind a minus or a colon.
  private var operand: String {
    switch self {
    case .words, .inField: description
    case .conjunction, .disjunction, .negation: "(\(self))"
    }
  }

  /// The pattern behind a colon: two slashes there would make an address of it.
  private var operandOfField: String {
    if case .words(let text, let stars) = self, !stars.contains(.before), text.hasPrefix("/") {
      Self.quoted(text) + (stars.contains(.after) ? "*" : "")
    } else {
      operand
    }
  }

  private static func printed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let isBare =
      scalars.allSatisfy { !SearchParser.endsWord($0) && $0 != ":" && $0 != "*" } && scalars.first != "-"
      && SearchParser.Keyword(rawValue: text) == nil
    return isBare ? text : quoted(text)
  }

  private static func printedName(_ name: String) -> String {
    SearchParser.isName(name.unicodeScalars) ? name : quoted(name)
  }

  private static func quoted(_ text: String) -> String {
    var result: String.UnicodeScalarView = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    result.append("\"")
    return String(result)
  }
}

import SatchelModel

// What an error says could stand at the current token, in words that help whoever is used to another language.
extension PredicateParser {
  /// What an error adds to what was expected, if a text without quotes may be the reason.
  static let textHint = "; a text needs quotes"

  /// The operators, as an error lists them.
  private static let operators =
    "an operator: =, !=, <, <=, >, >=, IN, NOT IN, BETWEEN, LIKE, BEGINSWITH, ENDSWITH, CONTAINS, AUTOCOMPLETE, MATCHES-TEXT or RELATED"

  /// Returns the error that a comparison has ended and something else follows than what may follow it.
  func error(behindComparison expected: String) -> SatchelError {
    let isText = endsWithPath && scanner.token != .end && !at(")")
    return scanner.error(expected: expected + (isText ? Self.textHint : ""))
  }

  /// Returns the error that no operator stands behind a path.
  func errorInsteadOfOperator(isQuantified: Bool) -> SatchelError {
    let expected: String
    switch scanner.token {
    case .symbol("("):
      expected =
        "an operator; there are no functions, and conditions in parentheses need ANY, ALL or NONE before their path"
    case .symbol("["):
      expected =
        "an operator; the keys of a path are joined by dots, one that is no name has quotes: metadata.'two words'"
    case .name(let name) where name.lowercased() == "matches":
      // NSPredicate's regular expressions.
      expected =
        "an operator: regular expressions have no bound on their time, use LIKE, BEGINSWITH, ENDSWITH, CONTAINS, AUTOCOMPLETE or MATCHES-TEXT"
    case .name(let name) where name.lowercased() == "is":
      expected = "an operator; a value that is missing is = nil, one that is not missing is != nil"
    default: expected = (isQuantified ? "" : "AND, OR or ") + Self.operators
    }
    return scanner.error(expected: expected)
  }

  /// Returns the error that a value on the left is followed by something else than IN.
  var errorBehindValue: SatchelError {
    // `position BETWEEN 1 AND 5`: what is wrong is the operand of BETWEEN.
    if let lonelyBound { return lonelyBound.error(expected: Self.braces) }
    return scanner.error(expected: "IN; with another operator the property stands on the left")
  }

  /// Returns the error that no value begins where one has to.
  func errorInsteadOfOperand(of operator: QueryPredicate.Operator?) -> SatchelError {
    switch `operator` {
    case .in?, .notIn?, .between?:
      if at("(") || at("[") { return scanner.error(expected: Self.braces) }
    default: break
    }
    return scanner.error(expected: "a value or a property")
  }

  /// Where options stand behind an operator that has none, or brackets in place of a list.
  func errorInsteadOfOptions(of operator: QueryPredicate.Operator) -> SatchelError {
    switch `operator` {
    case .in, .notIn, .between: scanner.error(expected: Self.braces)
    default:
      scanner.error(
        expected: "a value: only LIKE, BEGINSWITH, ENDSWITH, CONTAINS and AUTOCOMPLETE take options")
    }
  }

  private static let braces = "values in braces: {1, 5}"
}

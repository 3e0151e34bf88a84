package import SatchelText

/// What texts are matched with in a query: the operand of an operator, ready to run.
package enum TextMatcher: Hashable, Sendable {
  /// LIKE, BEGINSWITH, ENDSWITH, CONTAINS and AUTOCOMPLETE.
  case pattern(TextPattern)
  /// MATCHES-TEXT.
  case search(SearchPattern)

  /// Returns whether the UTF-8 bytes of a text match. For a ``TextPattern`` the text must be in the same form as the operand.
  package func matches(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    switch self {
    case .pattern(let pattern): unsafe pattern.matches(utf8)
    case .search(let pattern): unsafe pattern.matches(utf8)
    }
  }

  /// Returns whether a text matches.
  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { unsafe matches($0) }
  }
}

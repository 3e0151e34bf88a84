/// A word that may be meant by what somebody has typed so far.
public struct SearchSuggestion: Hashable, Sendable {
  /// The word as it is looked for: without case and diacritics.
  public let word: String
  /// How many objects of the index have it.
  public let count: Int
}

extension SearchSuggestion: CustomStringConvertible {
  /// The word, and how many objects have it.
  public var description: String { "\(word) \(count)" }
}

public import Satchel
public import SatchelSearch

/// A result of a search by relevance: an object, how well it matches, and what of it to show.
public struct SearchResult<Object: StoredObject>: Sendable {
  /// The object, as `fetch(_:)` gives it.
  public let object: Object
  /// How well it matches: a greater number is better. It says something beside those of the same search only. 0 if nothing is looked for but what
  /// must not be there.
  public let score: Double
  /// The first of the searched texts of the object that matches; if a pattern names fields, of the first property that has such a text: that on the
  /// left of MATCHES-TEXT, then the fields in the pattern's order. Empty if no pattern that counts matches.
  public let text: String
  /// What was looked for in that property.
  public let pattern: SearchPattern

  /// Where the text has what was looked for: ranges of whole scalars, ascending and apart from one another.
  /// - Complexity: As ``SearchPattern/highlights(in:)``.
  public var highlights: [Range<String.Index>] { pattern.highlights(in: text) }

  /// Returns the piece of the text that has most of what was looked for.
  /// - Parameter bytes: The most UTF-8 bytes of the piece. If fewer than 16, 16.
  /// - Complexity: As ``SearchPattern/snippet(of:bytes:)``.
  public func snippet(bytes: Int = 160) -> SearchSnippet { pattern.snippet(of: text, bytes: bytes) }
}

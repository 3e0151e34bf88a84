internal import SatchelModel

/// What texts are searched for: words, phrases, beginnings and parts of words, together, alternatively, or not at all.
///
/// `noon OR "usual place" lunc*` looks for texts with the word *noon*, and for those with the phrase *usual place* and a word that begins
/// with *lunc*. Case and diacritics are ignored. The language, and what matches, is in <doc:Search>. `MATCHES-TEXT` of queries
/// takes a pattern; this type is for what stands around a query: what somebody types, and what is shown of the texts that were found.
///
/// A pattern decides about one text at a time. It prints as a text that gives an equal pattern again, and is coded as that.
///
/// `title:work milk` names a field: in a query, the object's title has to have the one word, and the property that is searched the other one. Of a text
/// alone nobody knows whose title it is: ``inField(_:)`` gives what is looked for there.
public struct SearchPattern: Sendable {
  package let tree: SearchTree
  let matchers: SearchMatchers

  /// Patterns come of texts alone, whose parser bounds how deep they are. What says nothing is left out.
  init(_ tree: SearchTree) { self.init(meaningful: tree.meaningful) }

  /// - Parameter tree: A tree of which each word says something.
  private init(meaningful tree: SearchTree) {
    self.tree = tree
    matchers = SearchMatchers(tree)
  }

  /// Reads a pattern that a program has written.
  /// - Throws: `syntaxError`, with the column in Unicode scalars from 1, what was found there and what is expected: also for a text without a
  ///   word, and for one of more than 16,384 bytes, 1,000 words and phrases or 200 parentheses in one another.
  public init(_ text: String) throws {
    // A word that says nothing is an error there.
    self.init(meaningful: try SearchTree(strictly: text, fields: .any))
  }

  /// Reads what somebody types. Every text is a pattern: what is not closed ends with the text; what is closed without having been opened,
  /// a keyword or a sign without its words, what has no letter or number, and what goes beyond a limit, is left out.
  /// - Parameters:
  ///   - text: What was typed.
  ///   - fields: The names that are fields before a colon. Any other name, and its colon, is part of a word.
  public init(typed text: String, fields: Set<String> = []) {
    let names = SearchFields.named(fields)
    var text = text
    self.init(SearchTree(text, fields: names))
    // Printing adds quotation marks and escapes: what is typed close to the limit may go beyond it.
    while description.utf8.count > SearchTree.maximumBytes {
      text = String(text.prefix(text.count / 2))
      self.init(SearchTree(text, fields: names))
    }
  }

  /// Reads what a pattern printed, or a program has written: a text of white space is the pattern that finds nothing.
  /// - Throws: `syntaxError`, as ``init(_:)``.
  private init(printed text: String) throws {
    let isBlank = text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    self.init(isBlank ? .nothing : try SearchTree(strictly: text, fields: .any))
  }

  /// Whether it looks for nothing, because nothing was typed yet but spaces and signs. Such a pattern matches no text.
  public var isEmpty: Bool { tree == .nothing }

  /// Whether a text matches. What is looked for in fields is found in no text: see ``inField(_:)``.
  /// - Complexity: O(text · (1 + words with one star + words with two + words of phrases / 64)).
  public func matches(_ text: String) -> Bool { matchers.use { $0.matches(text) } }

  /// The words and phrases that texts are to have, each as a pattern of its own, in their order.
  package var wanted: [SearchPattern] { tree.wanted.map { SearchPattern($0) } }

  /// Where the terms of an index answer the pattern.
  package var expression: SearchExpression { matchers.expression }

  /// Whether the text with these UTF-8 bytes matches; allocates nothing.
  package func matches(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    matchers.use { unsafe $0.matches(utf8) }
  }

  /// Returns where a text has what the pattern looks for: ranges of whole scalars with their marks, ascending and apart from one another.
  ///
  /// What must not be there has no ranges. Whether the text matches as a whole does not matter: one of two words is marked, too. Hits that touch are
  /// one range.
  /// - Complexity: that of ``matches(_:)`` for a text that is read to its end, and O(ranges · log(text)). Memory for the folded text, and up to 32 bytes
  ///   for each range.
  public func highlights(in text: String) -> [Range<String.Index>] {
    matchers.use { $0.highlights(in: text) }
  }

  /// Returns the piece of a text that has most of what the pattern looks for: first of different words, then of hits; the earliest of equal
  /// ones. Without a hit, it is the beginning of the text. Of each word and phrase the first 64 hits count; what has more comes behind what
  /// has not.
  ///
  /// It begins with a word and ends behind one, or behind punctuation. A word that is longer than all of it is cut between scalars.
  /// - Parameters:
  ///   - text: The text, of which the snippet has ranges.
  ///   - bytes: The most UTF-8 bytes of the piece. If fewer than 16, 16.
  /// - Complexity: that of ``matches(_:)``, at most twice. Memory for the folded text.
  public func snippet(of text: String, bytes: Int = 160) -> SearchSnippet {
    matchers.use { $0.snippet(of: text, bytes: bytes) }
  }
}

extension SearchPattern: Hashable {
  /// Whether both look for the same, written in the same way but for spaces, parentheses and signs that change nothing.
  public static func == (left: Self, right: Self) -> Bool { left.tree == right.tree }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(tree) }
}

extension SearchPattern: CustomStringConvertible {
  /// The pattern as a text that gives an equal pattern again; empty if it looks for nothing.
  public var description: String { tree.description }
}

extension SearchPattern: Codable {
  /// Encodes the printed pattern.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Decodes a pattern that was printed, or that a program has written.
  /// - Throws: `DecodingError` with the column if the text is none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      try self.init(printed: text)
    } catch let error as SatchelError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }
}

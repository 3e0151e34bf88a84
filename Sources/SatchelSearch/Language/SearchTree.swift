/// A pattern as a tree: words, phrases, parts of words, and what has to be there together or not at all.
///
/// It is made of a text (``init(_:fields:)``, ``init(strictly:fields:)``) or of the functions ``text(_:stars:)``, ``and(_:)``, ``or(_:)``,
/// ``not(_:)`` and ``field(_:_:)``, which give equal trees for equal meanings of parentheses. What matches is in Documentation/Search.md.
package indirect enum SearchTree: Hashable, Sendable {
  /// A word, or several that follow one another.
  case words(String, Stars)
  case conjunction([SearchTree])
  case disjunction([SearchTree])
  case negation(SearchTree)
  /// A pattern that the text of one field has to match.
  case inField(String, SearchTree)

  /// Where a word may go on.
  package struct Stars: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `*word`: the first word of the text ends with it.
    package static let before = Stars(rawValue: 1)
    /// `word*`: the last word of the text begins with it.
    package static let after = Stars(rawValue: 2)
    /// `*part*`: it is anywhere in the text, whatever the words are.
    package static let both: Stars = [.before, .after]
  }

  /// The most UTF-8 bytes of a pattern's text.
  package static let maximumBytes = 16_384
  /// The most words and phrases of a pattern.
  package static let maximumTexts = 1000
  /// The most parentheses and fields that are open at one place of a pattern's text.
  package static let maximumDepth = 200

  /// A pattern that matches nothing, and says nothing where others stand beside it.
  package static let nothing = SearchTree.disjunction([])

  /// A word, or several that follow one another.
  package static func text(_ text: String, stars: Stars = []) -> SearchTree {
    text.isEmpty ? .nothing : .words(text, stars)
  }

  /// All of some patterns.
  package static func and(_ patterns: [SearchTree]) -> SearchTree {
    let parts = patterns.flatMap { pattern in
      if case .conjunction(let parts) = pattern { parts } else { pattern == .nothing ? [] : [pattern] }
    }
    return parts.isEmpty ? .nothing : parts.count == 1 ? parts[0] : .conjunction(parts)
  }

  /// One or more of some patterns.
  package static func or(_ patterns: [SearchTree]) -> SearchTree {
    let parts = patterns.flatMap { pattern in
      if case .disjunction(let parts) = pattern { parts } else { [pattern] }
    }
    return parts.count == 1 ? parts[0] : .disjunction(parts)
  }

  /// What a pattern does not match.
  package static func not(_ pattern: SearchTree) -> SearchTree {
    if case .negation(let inner) = pattern { return inner }
    return pattern == .nothing ? .nothing : .negation(pattern)
  }

  /// A pattern that the text of one field has to match; of fields in one another, the innermost counts.
  package static func field(_ name: String, _ pattern: SearchTree) -> SearchTree {
    pattern == .nothing ? .nothing : .inField(name, pattern)
  }
}

extension SearchTree {
  /// The words and phrases that stand behind no NOT, or behind two.
  var wanted: [SearchTree] { words(isWanted: true) }

  private func words(isWanted: Bool) -> [SearchTree] {
    switch self {
    case .words: isWanted ? [self] : []
    case .conjunction(let parts), .disjunction(let parts): parts.flatMap { $0.words(isWanted: isWanted) }
    case .negation(let part): part.words(isWanted: !isWanted)
    case .inField(_, let part): part.words(isWanted: isWanted)
    }
  }

  /// The tree without what says nothing, such as a word without a letter or a number: what it prints as is accepted strictly, if anything is
  /// left of it.
  var meaningful: SearchTree {
    switch self {
    case .words(let text, let stars): SearchForm(text, stars) == nil ? .nothing : self
    case .conjunction(let parts): .and(parts.map(\.meaningful))
    case .disjunction(let parts): .or(parts.map(\.meaningful).filter { $0 != .nothing })
    case .negation(let part): .not(part.meaningful)
    case .inField(let name, let part): .field(name, part.meaningful)
    }
  }
}

/// Which names stand before a colon for a field.
package enum SearchFields: Sendable {
  /// Every name: of patterns that a program has written or printed. Whether there is such a field is said by who asks with them.
  case any
  /// These: of what somebody types, where a colon is a colon as a rule.
  case named(Set<String>)

  func contains(_ name: String) -> Bool {
    switch self {
    case .any: true
    case .named(let names): names.contains(name)
    }
  }
}

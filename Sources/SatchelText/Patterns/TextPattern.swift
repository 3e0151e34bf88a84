/// A pattern to match texts with: LIKE, BEGINSWITH, ENDSWITH, CONTAINS or AUTOCOMPLETE with its operand and options, ready to run.
package struct TextPattern: Sendable {
  /// Which part of the text the operand describes.
  package enum Kind: UInt8, Hashable, Sendable {
    /// The whole text: `%` matches any run of scalars, `_` one scalar, and `\` makes the next scalar literal.
    case like
    case beginsWith, endsWith, contains
    /// Words: each word of the operand begins some word of the text, in any order. An operand without words matches no text.
    case autocomplete
  }

  /// Differences that are ignored when scalars are compared.
  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Scalars are equal if their simple case foldings are. LIKE and AUTOCOMPLETE always have this option.
    package static let caseInsensitive = Options(rawValue: 1)
    /// Texts are decomposed canonically and their nonspacing marks are dropped. AUTOCOMPLETE always has this option.
    package static let diacriticInsensitive = Options(rawValue: 2)
  }

  package let kind: Kind
  /// The operand, in the form that the texts have: in NFC if they are, or else unchanged.
  package let pattern: String
  package let options: Options
  /// What is searched for, and how.
  let form: Form

  enum Form: Sendable {
    /// The parts of a LIKE pattern.
    case like(LikePattern)
    /// Case-folded scalars.
    case folded(LiteralSearch<UInt32>)
    /// Case-folded beginnings of words.
    case words(WordPrefixes)
    /// Unchanged bytes.
    case exact(LiteralSearch<UInt8>)
  }

  /// The most UTF-8 bytes that an operand of a query may have; see ``matches(_:)-(String)`` for the cost that this
  /// bounds.
  package static let maximumBytes = 16_384

  package init(_ kind: Kind, _ pattern: String, options: Options = []) {
    self.kind = kind
    self.pattern = pattern
    let options = options.union(kind.options)
    self.options = options
    let text = options.contains(.diacriticInsensitive) ? Diacritics.removed(from: pattern) : pattern
    switch kind {
    case .like: form = .like(LikePattern(text))
    case .autocomplete: form = .words(WordPrefixes(text))
    case .beginsWith, .endsWith, .contains:
      if options.contains(.caseInsensitive) {
        form = .folded(LiteralSearch(text.unicodeScalars.map { CaseFolding.fold($0.value) }))
      } else {
        form = .exact(LiteralSearch(Array(text.utf8)))
      }
    }
  }
}

extension TextPattern {
  /// Whether it is known to match no text: it looks for beginnings of words, and has none.
  package var isOfNoText: Bool {
    if case .words(let words) = form { words.isEmpty } else { false }
  }
}

extension TextPattern.Kind {
  /// The options that patterns of the kind always have.
  fileprivate var options: TextPattern.Options {
    switch self {
    case .like: .caseInsensitive
    case .beginsWith, .endsWith, .contains: []
    case .autocomplete: [.caseInsensitive, .diacriticInsensitive]
    }
  }
}

extension TextPattern: Hashable {
  package static func == (left: Self, right: Self) -> Bool {
    left.kind == right.kind && left.options == right.options
      && UTF8Order.areEqual(left.pattern, right.pattern)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(options)
    UTF8Order.hash(pattern, into: &hasher)
  }
}

/// How a text is to be matched: LIKE, BEGINSWITH, ENDSWITH or CONTAINS with its operand and options, ready to run.
package struct TextPattern: Sendable {
  /// Which part of the text the operand describes.
  package enum Kind: UInt8, Hashable, Sendable {
    /// The whole text; `%` stands for any run, `_` for one scalar, `\` makes the next scalar literal.
    case like
    case beginsWith, endsWith, contains
  }

  /// What is overlooked when scalars are compared.
  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Scalars are equal when their simple case foldings are. LIKE always has it.
    package static let caseInsensitive = Options(rawValue: 1)
    /// Texts are decomposed canonically and lose their nonspacing marks.
    package static let diacriticInsensitive = Options(rawValue: 2)
  }

  package let kind: Kind
  /// The operand, in the form that the texts come in: NFC for ``ValueType/text``, as it is for ``ValueType/bytes``.
  package let pattern: String
  package let options: Options
  /// What of the operand is looked for, and how.
  let form: Form

  enum Form: Sendable {
    /// LIKE's parts.
    case like(LikePattern)
    /// Scalars without their case.
    case folded(LiteralSearch<UInt32>)
    /// Bytes as they are.
    case exact(LiteralSearch<UInt8>)
  }

  /// The most UTF-8 bytes of an operand that a question may have; see ``matches(_:)-(String)`` for what that bounds.
  package static let maximumBytes = 16_384

  package init(_ kind: Kind, _ pattern: String, options: Options = []) {
    self.kind = kind
    self.pattern = pattern
    self.options = kind == .like ? options.union(.caseInsensitive) : options
    let text = options.contains(.diacriticInsensitive) ? Diacritics.removed(from: pattern) : pattern
    if kind == .like {
      form = .like(LikePattern(text))
    } else if options.contains(.caseInsensitive) {
      form = .folded(LiteralSearch(text.unicodeScalars.map { CaseFolding.fold($0.value) }))
    } else {
      form = .exact(LiteralSearch(Array(text.utf8)))
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

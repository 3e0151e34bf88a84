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
  /// The operand's scalars as they are compared, with LIKE's wildcards as ``anyRun`` and ``anyScalar``.
  let scalars: [UInt32]
  /// The operand's bytes as they are compared, where case counts.
  let bytes: [UInt8]

  /// What LIKE's `%` is in ``scalars``: no scalar has that value.
  static let anyRun = UInt32.max
  /// What LIKE's `_` is in ``scalars``.
  static let anyScalar = UInt32.max - 1

  package init(_ kind: Kind, _ pattern: String, options: Options = []) {
    self.kind = kind
    self.pattern = pattern
    self.options = kind == .like ? options.union(.caseInsensitive) : options
    let text = options.contains(.diacriticInsensitive) ? Diacritics.removed(from: pattern) : pattern
    if self.options.contains(.caseInsensitive) {
      scalars =
        kind == .like ? Self.likeScalars(text) : text.unicodeScalars.map { CaseFolding.fold($0.value) }
      bytes = []
    } else {
      scalars = []
      bytes = Array(text.utf8)
    }
  }

  private static func likeScalars(_ text: String) -> [UInt32] {
    var result: [UInt32] = []
    var isEscaped = false
    for scalar in text.unicodeScalars {
      switch (scalar, isEscaped) {
      case ("\\", false):
        isEscaped = true
        continue
      // Several in a row are one.
      case ("%", false): if result.last != anyRun { result.append(anyRun) }
      case ("_", false): result.append(anyScalar)
      default: result.append(CaseFolding.fold(scalar.value))
      }
      isEscaped = false
    }
    // A backslash at the end stands for itself.
    if isEscaped { result.append(0x5C) }
    return result
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

internal import SatchelText

/// A token of a folded text: see ``TextTokens``.
package struct TextToken: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A run of letters and digits, or a single number such as ².
    case word
    /// Words that Unicode's rules join to one: `don't`, `3.14`, `example.org`, `snake_case`. The words in it follow as tokens of their own.
    case compound
    /// What stands in a word between scalars that are not seen: the two halves of a word with a soft hyphen. They follow the word.
    case fragment
    /// A letter of a script that is searched character by character.
    case character
    /// The same, directly behind another one.
    case nextCharacter
  }

  package let kind: Kind
  /// Where it is, as offsets of bytes.
  package let range: Range<Int>

  /// Whether it counts for the length of the text and for the distance of words: a compound is where its words are, a fragment where its word
  /// is.
  package var isPosition: Bool { kind != .compound && kind != .fragment }
  package var isCharacter: Bool { kind == .character || kind == .nextCharacter }
}

/// What a scalar of a folded text means for tokens.
enum TokenClass {
  /// Letters and digits, whose runs are words; `isWord` if one of them makes a word of the run.
  case letter(isWord: Bool)
  /// What stands in a word without being a letter: marks, and characters that are not seen. Of the latter none ends a word.
  case mark, invisible
  /// A low line, and what is like it.
  case lowLine
  /// A word of its own.
  case single
  case character
  case other

  /// Whether it may stand in a word behind its first letter.
  var continuesWord: Bool {
    switch self {
    case .letter, .mark, .invisible: true
    case .lowLine, .single, .character, .other: false
    }
  }

  /// Whether it may stand in a word but not begin one.
  var isSkipped: Bool {
    switch self {
    case .mark, .invisible: true
    case .letter, .lowLine, .single, .character, .other: false
    }
  }
}

extension TokenClass {
  @inline(__always)
  init(ascii byte: UInt8) {
    if byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 {
      self = .letter(isWord: true)
    } else {
      self = byte == UInt8(ascii: "_") ? .lowLine : .other
    }
  }

  /// - Parameter scalar: A scalar beyond ASCII.
  init(_ scalar: UInt32, _ properties: inout WordPropertyFinder) {
    if UnspacedScripts.contains(scalar) {
      self = .character
      return
    }
    let property = properties.property(of: scalar)
    switch property.wordClass {
    case .letter, .hebrewLetter, .numeric: self = .letter(isWord: property.makesWord)
    case .extend: self = .mark
    case .format, .zeroWidthJoiner: self = .invisible
    case .extendNumLet: self = .lowLine
    default: self = property.makesWord ? .single : .other
    }
  }

  init(_ scalar: Unicode.Scalar) {
    var properties = WordPropertyFinder()
    self =
      scalar.isASCII
      ? TokenClass(ascii: UInt8(truncatingIfNeeded: scalar.value)) : TokenClass(scalar.value, &properties)
  }
}

import Foundation

/// What is done to a text, and to the operand it is compared with, before the two are compared.
struct TextForm: OptionSet, Hashable, Sendable {
  let rawValue: Int

  /// Simple case folding, scalar by scalar: `[c]`, and LIKE.
  static let caseless = TextForm(rawValue: 1)

  /// Without the nonspacing marks of its canonical decomposition: `[d]`.
  static let markless = TextForm(rawValue: 2)

  /// How words are compared: AUTOCOMPLETE.
  static let ofWords: TextForm = [.caseless, .markless]

  /// Without what is not seen, and without marks: full-text search.
  static let seen = TextForm(rawValue: 4)

  /// How full-text search compares.
  static let ofSearch: TextForm = [.caseless, .seen]

  /// The text in this form. Marks go before cases are folded, so that İ with both options is i.
  func apply(to text: ByteString) -> ByteString {
    var result = text
    if contains(.seen) { result = result.seen } else if contains(.markless) { result = result.withoutMarks }
    if contains(.caseless) { result = result.caseFolded }
    return result
  }
}

extension ByteString {
  /// Normalisation form C.
  var composed: ByteString {
    isASCII ? self : ByteString(string.precomposedStringWithCanonicalMapping)
  }

  /// Normalisation form D.
  var decomposed: ByteString {
    isASCII ? self : ByteString(string.decomposedStringWithCanonicalMapping)
  }

  var caseFolded: ByteString {
    if isASCII {
      return ByteString(utf8: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    }
    return ByteString(scalars: scalars.map(CaseFolding.fold))
  }

  /// In form D without the nonspacing marks, and composed again: a Hangul syllable is one scalar.
  var withoutMarks: ByteString {
    if isASCII { return self }
    return ByteString(
      scalars: decomposed.scalars.filter { $0.properties.generalCategory != .nonspacingMark }
    ).composed
  }
}

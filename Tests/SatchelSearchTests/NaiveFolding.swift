import Foundation
import SatchelText

/// Folding by its definition, in passes over the whole text, with what scalars are from the properties that Swift's library has of them.
struct NaiveFolding {
  private(set) var scalars: [UInt32] = []
  /// Before which of them some were left out that are not seen. A mark that is left goes on with what stands before it.
  private(set) var breaks: Set<Int> = []

  init(_ text: String) {
    let decomposed = Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
    var left: [Unicode.Scalar] = []
    var cuts: Set<Int> = []
    for (index, scalar) in decomposed.enumerated() {
      if scalar.properties.generalCategory == .nonspacingMark { continue }
      if Self.isInvisible(scalar), !Self.joinsEmoji(left, scalar, decomposed.dropFirst(index + 1).first) {
        cuts.insert(left.count)
      } else {
        left.append(scalar)
      }
    }
    cuts = cuts.filter { $0 < left.count && !Self.isMark(left[$0]) }
    // Marks alone compose with what stands before them, and the vowels and finals of Hangul: so what is between two cuts composes by itself.
    var start = 0
    for end in cuts.sorted() + [left.count] {
      var part = String.UnicodeScalarView()
      part.append(contentsOf: left[start..<end])
      scalars += NFC.normalized(String(part)).unicodeScalars.map { Self.fold($0) }
      if end < left.count { breaks.insert(scalars.count) }
      start = end
    }
  }

  var utf8: [UInt8] { scalars.flatMap { Array(String(Unicode.Scalar($0) ?? "\u{FFFD}").utf8) } }

  private static func fold(_ scalar: Unicode.Scalar) -> UInt32 {
    scalar == "\u{2019}" || scalar == "\u{2BC}" ? 0x27 : CaseFolding.fold(scalar.value)
  }

  /// Of the plane of most letters: beyond it are tags of flags, and signs of shorthand and music.
  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x1_0000 && scalar.properties.generalCategory == .format
      && scalar.properties.isDefaultIgnorableCodePoint
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .spacingMark, .enclosingMark: true
    default: (0x1160...0x11FF).contains(scalar.value)
    }
  }

  /// Whether a zero-width joiner stands between two emoji, of which the first may have a colour of skin.
  private static func joinsEmoji(
    _ before: [Unicode.Scalar], _ scalar: Unicode.Scalar, _ behind: Unicode.Scalar?
  ) -> Bool {
    guard scalar == "\u{200D}", let behind else { return false }
    let last = before.last?.properties.isEmojiModifier == true ? before.dropLast().last : before.last
    return isPicture(behind) && last.map(isPicture) == true
  }

  /// The emoji and other pictures of the tests, of which Ⓜ folds to a letter that is none.
  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    fold(scalar) == scalar.value && scalar.properties.isEmoji && scalar.value > 0x7F
      && !scalar.properties.isEmojiModifier
      && !(0x1F1E6...0x1F1FF).contains(scalar.value)
  }
}

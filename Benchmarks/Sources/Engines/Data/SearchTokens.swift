import Foundation

/// The terms that Satchel's index has of a text, as FTS5 is given them: each in hexadecimal digits, so that every tokenizer takes it for one
/// word.
///
/// Programs do not see these terms, so the rule is written down here once more (Documentation/Search.md): exactly for words of ASCII, which
/// the benchmark asks for, and closely for the rest, so that both engines have about the same to keep.
public struct SearchTokens {
  /// The text without marks and case, as FTS5's trigrams are given it.
  public let folded: String
  /// Words and characters, in their order.
  public private(set) var words = ""
  /// Compounds, and each two characters that stand together: they are where words are, and would stand between the words of phrases.
  public private(set) var others = ""

  private let scalars: [Unicode.Scalar]
  private var index = 0

  public init(_ text: String) {
    folded = Self.fold(text)
    scalars = Array(folded.unicodeScalars)
    var afterCharacter = -1
    while index < scalars.count {
      switch Kind(scalars[index]) {
      case .character:
        Self.add(scalars[index...index], to: &words)
        if afterCharacter == index { Self.add(scalars[index - 1...index], to: &others) }
        index += 1
        afterCharacter = index
      case .letter, .digit, .lowLine: addCompound()
      case .mark, .other: index += 1
      }
    }
  }

  /// A word as FTS5 finds it among these.
  public static func term(_ word: String) -> String { "\"\(hexadecimal(word))\"" }

  /// Words that follow one another.
  public static func phrase(_ words: [String]) -> String {
    "\"" + words.map(hexadecimal).joined(separator: " ") + "\""
  }

  /// The word of a term in hexadecimal digits; nil if it has anything but letters of ASCII.
  static func word(ofTerm digits: String) -> String? {
    let digits = Array(digits.utf8)
    guard digits.count % 2 == 0 else { return nil }
    var word = ""
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16),
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      else { return nil }
      word.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return word
  }

  // MARK: The rule

  private enum Kind {
    case letter, digit, mark, lowLine, character, other

    var isInWord: Bool { self == .letter || self == .digit || self == .mark }

    init(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x30...0x39: self = .digit
      case 0x61...0x7A: self = .letter
      case 0x5F: self = .lowLine
      case 0..<0x80: self = .other
      // Han, kana, Hangul, and the scripts of South East Asia that put no space between words.
      case 0x0E00...0x0EFF, 0x1000...0x11FF, 0x1780...0x17FF, 0x3005...0x3007, 0x3041...0x30FA,
        0x30FC...0x318E,
        0x31F0...0x31FF, 0x3400...0x9FFF, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC,
        0x1B000...0x1B16F,
        0x20000...0x323AF:
        self = .character
      default:
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
          self = .letter
        case .decimalNumber: self = .digit
        case .spacingMark, .enclosingMark, .nonspacingMark: self = .mark
        default: self = .other
        }
      }
    }
  }

  /// Adds the words from here on that are kept together, and all of them as one.
  private mutating func addCompound() {
    let start = index
    var (end, count, hasLowLine) = (index, 0, false)
    while index < scalars.count {
      switch Kind(scalars[index]) {
      case .lowLine:
        hasLowLine = true
        index += 1
        end = index
        continue
      case .letter, .digit:
        let word = index
        while index < scalars.count, Kind(scalars[index]).isInWord { index += 1 }
        Self.add(scalars[word..<index], to: &words)
        count += 1
        end = index
        if joins(at: index) {
          index += 1
          continue
        }
        if index < scalars.count, Kind(scalars[index]) == .lowLine { continue }
      case .mark, .character, .other: break
      }
      break
    }
    if count > 1 || (count == 1 && hasLowLine) { Self.add(scalars[start..<end], to: &others) }
  }

  /// Whether a mark of punctuation joins the word before it with the one behind it.
  private func joins(at place: Int) -> Bool {
    guard place > 0, place + 1 < scalars.count else { return false }
    let (before, behind) = (Kind(scalars[place - 1]), Kind(scalars[place + 1]))
    switch scalars[place] {
    case "'", ".", "\u{2019}", "\u{2018}": return before == behind && (before == .letter || before == .digit)
    case ":", "\u{B7}": return before == .letter && behind == .letter
    case ",", ";": return before == .digit && behind == .digit
    default: return false
    }
  }

  private static func fold(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var scalars = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark {
      scalars.append(scalar)
    }
    return String(scalars).precomposedStringWithCanonicalMapping.lowercased()
  }

  private static func add(_ token: ArraySlice<Unicode.Scalar>, to tokens: inout String) {
    if !tokens.isEmpty { tokens += " " }
    for scalar in token {
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { add(byte, to: &tokens) }
    }
  }

  private static func add(_ byte: UInt8, to digits: inout String) {
    for digit in [byte >> 4, byte & 15] {
      digits.unicodeScalars.append(
        Unicode.Scalar(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10))
    }
  }

  private static func hexadecimal(_ word: String) -> String {
    var digits = ""
    for byte in word.utf8 { add(byte, to: &digits) }
    return digits
  }
}

import SatchelSearch
import SatchelText

/// A text as search sees it, made scalar by scalar without what the sources have for it: what the tests hold their answers against.
struct NaiveText {
  enum Kind { case letter, mark, invisible, lowLine, single, character, other }

  struct Token: Equatable {
    var kind: TextToken.Kind
    var range: Range<Int>
  }

  /// Folded: without nonspacing marks and scalars that are not seen, in NFC, without case, with one apostrophe.
  let scalars: [UInt32]
  /// Before which of the scalars some were left out that are not seen.
  private let breaks: Set<Int>
  private(set) var tokens: [Token] = []

  init(_ text: String) {
    let folding = NaiveFolding(text)
    scalars = folding.scalars
    breaks = folding.breaks
    for segment in Self.segments(scalars) {
      var start = segment.lowerBound
      while start < segment.upperBound {
        if Self.kind(scalars[start]) == .character {
          let isNext =
            tokens.last.map {
              [.character, .nextCharacter].contains($0.kind) && $0.range.upperBound == start
            }
            ?? false
          tokens.append(Token(kind: isNext ? .nextCharacter : .character, range: start..<start + 1))
          start += 1
          continue
        }
        let end =
          scalars[start..<segment.upperBound].firstIndex { Self.kind($0) == .character } ?? segment.upperBound
        addWords(of: start..<end)
        start = end
      }
    }
  }

  /// Adds the words of a piece of a segment without characters, and before them the compound that they may make.
  private mutating func addWords(of piece: Range<Int>) {
    var words: [Range<Int>] = []
    var runs: [Range<Int>] = []
    var index = piece.lowerBound
    while index < piece.upperBound {
      let kind = Self.kind(scalars[index])
      var end = index + 1
      if kind == .letter {
        while end < piece.upperBound, [.letter, .mark, .invisible].contains(Self.kind(scalars[end])) {
          end += 1
        }
        while Self.kind(scalars[end - 1]) == .invisible { end -= 1 }
        runs.append(index..<end)
        if scalars[index..<end].contains(where: Self.makesWord) { words.append(index..<end) }
      } else if kind == .single {
        runs.append(index..<end)
        words.append(index..<end)
      } else if kind == .lowLine {
        runs.append(index..<end)
      }
      index = end
    }
    if let first = runs.first, let last = runs.last, !words.isEmpty {
      let whole = first.lowerBound..<last.upperBound
      let hasLowLine = scalars[whole].contains { Self.kind($0) == .lowLine }
      if words.count > 1 || hasLowLine { tokens.append(Token(kind: .compound, range: whole)) }
    }
    for word in words {
      tokens.append(Token(kind: .word, range: word))
      let cuts = word.dropFirst().filter { breaks.contains($0) && Self.kind(scalars[$0]) == .letter }
      if cuts.isEmpty { continue }
      for (start, next) in zip([word.lowerBound] + cuts, cuts + [word.upperBound]) {
        let end = (start..<next).last { Self.kind(scalars[$0]) != .invisible } ?? start
        guard scalars[start...end].contains(where: Self.makesWord) else { continue }
        tokens.append(Token(kind: .fragment, range: start..<end + 1))
      }
    }
  }

  /// Words, compounds and fragments.
  var words: [[UInt32]] {
    tokens.filter { ![.character, .nextCharacter].contains($0.kind) }.map { Array(scalars[$0.range]) }
  }

  var positions: [Token] { tokens.filter { $0.kind != .compound && $0.kind != .fragment } }

  // MARK: Scalars

  private static func segments(_ scalars: [UInt32]) -> [Range<Int>] {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars.map { Unicode.Scalar($0) ?? "\u{FFFD}" })
    var string = String(text)
    return string.withUTF8 { utf8 in
      var segments = WordSegments(utf8)
      var result: [Range<Int>] = []
      var count = 0
      while let segment = segments.next() {
        let scalars = utf8[segment.range].count { $0 & 0xC0 != 0x80 }
        result.append(count..<count + scalars)
        count += scalars
      }
      return result
    }
  }

  /// What a scalar is, by its own list and by the properties that the system knows.
  static func kind(_ value: UInt32) -> Kind {
    let scalar = Unicode.Scalar(value) ?? " "
    switch scalar {
    case "_", "‿": return .lowLine
    case "\u{AD}", "\u{200D}", "\u{200E}": return .invisible
    case "\u{200C}", "\u{20E3}", "\u{1F3FD}": return .mark
    case "²", "①": return .single
    case "\u{2C2}", "\u{66B}": return .letter
    case "ー", "\u{FF9E}", "々": return .character
    case "\u{302E}": return .character
    default: break
    }
    let unspaced: [ClosedRange<UInt32>] = [
      0xE00...0xEFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17D3, 0x3041...0x3096, 0x30A1...0x30FA,
      0x3131...0x318E, 0x3400...0x9FFF, 0xAC00...0xD7A3,
    ]
    let isLetter = scalar.properties.isAlphabetic
    if isLetter, unspaced.contains(where: { $0.contains(value) }) { return .character }
    switch scalar.properties.generalCategory {
    case .spacingMark, .nonspacingMark, .enclosingMark: return .mark
    case .decimalNumber: return .letter
    default: return isLetter ? .letter : .other
    }
  }

  private static func makesWord(_ value: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return false }
    switch scalar.properties.generalCategory {
    case .spacingMark, .nonspacingMark, .enclosingMark: return false
    case .decimalNumber, .letterNumber, .otherNumber: return true
    default: return scalar.properties.isAlphabetic
    }
  }
}

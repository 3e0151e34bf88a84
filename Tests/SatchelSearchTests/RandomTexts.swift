import SatchelSearch
import TestSupport

/// Texts and patterns of chance, of few scalars, so that much is found.
struct RandomTexts {
  var random: SeededGenerator

  /// Letters with and without case and marks, what joins words, what ends them, characters of several scripts, and what is awkward.
  static let usual: [Unicode.Scalar] = [
    "a", "a", "b", "b", "A", "é", "e", "\u{301}", "1", "2", " ", " ", " ", ".", ",", "'", "_", "-", ":", "@",
    "/",
    "東", "京", "東", "か", "が", "タ", "ー", "한", "국",
  ]
  static let awkward: [Unicode.Scalar] = [
    "\u{AD}", "\u{200D}", "\u{200C}", "\u{200B}", "\u{2060}", "\u{200F}", "’", "\u{2BC}", "👩", "ℹ", "²", "Ⓜ",
    "א", "\"", "😀", "\u{30A0}", "ท", "\u{E35}", "\u{E33}",
    "\u{1112}",
    "\u{1161}", "\u{11AB}", "ㅎ", "\u{CCB}", "\u{CC6}", "\u{CC2}", "\u{CD5}", "\u{302E}", "\u{9C7}", "\u{9BE}",
    "\u{2C2}",
    "\u{66B}", "\u{FF9E}", "🇩", "\n", "İ", "ß", "Σ", "ς", "\u{1F3FD}", "\u{20E3}", "*", "(", ")", "\\",
    "\u{323}", "々", "‿",
    "ම", "\u{DDD}", "က", "\u{102C}", "\u{1D165}", "\u{1D16D}",
  ]

  mutating func scalar() -> Unicode.Scalar { random.pick(random.oneIn(6) ? Self.awkward : Self.usual) }

  mutating func text(upTo count: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<random.below(count + 1) { text.append(scalar()) }
    return String(text)
  }

  /// A piece of a text, or a text of its own.
  mutating func piece(of text: String, upTo count: Int) -> String {
    let scalars = Array(text.unicodeScalars)
    if scalars.isEmpty || random.oneIn(4) { return self.text(upTo: count) }
    let start = random.below(scalars.count)
    var piece = String.UnicodeScalarView()
    piece.append(contentsOf: scalars[start..<min(scalars.count, start + 1 + random.below(count))])
    return String(piece)
  }

  mutating func pattern(for text: String, depth: Int = 3) -> SearchTree {
    if depth == 0 || random.percent(45) {
      return .text(piece(of: text, upTo: 8), stars: SearchTree.Stars(rawValue: UInt8(random.below(4))))
    }
    let parts = (0..<random.below(4)).map { _ in pattern(for: text, depth: depth - 1) }
    switch random.below(5) {
    case 0, 1: return .and(parts)
    case 2: return .or(parts)
    case 3: return .not(pattern(for: text, depth: depth - 1))
    default:
      return .field(
        random.pick(["title", "body", "two words", "-x", "OR", "Ü.1"]), pattern(for: text, depth: depth - 1))
    }
  }
}

/// Texts that are hard on a string tree.
enum TextSamples {
  static let words = [
    "", "a", "ab", "abc", "active", "pending", "true", "2024-05-17T08:00:00Z", "Straße", "Ελληνικά",
    "русский", "日本語",
    "עברית", "🏳️‍🌈", "e\u{301}", "\u{10FFFF}",
  ]

  /// 300 bytes that no node holds whole.
  static let longPrefix = [UInt8](repeating: 0x6B, count: 300)

  static func text(using random: inout some RandomNumberGenerator) -> [UInt8] {
    switch Int.random(in: 0..<1000, using: &random) {
    case 0..<200: return Array(words.randomElement(using: &random)!.utf8)
    case 200..<500: return Array("value-\(Int.random(in: 0..<5000, using: &random))".utf8)
    case 500..<600: return Array("user/\(Int.random(in: 0..<40, using: &random))/status".utf8)
    case 600..<700:
      // Few byte values, so that texts are prefixes of one another, with the least and the greatest byte.
      return (0..<Int.random(in: 0...6, using: &random)).map { _ in
        [0, 0xFF, 1].randomElement(using: &random)!
      }
    case 700..<800:
      // Equal in all that a node holds, different only beyond, and sometimes of just the length that a node holds.
      var text = longPrefix
      text.removeLast(Int.random(in: 50...70, using: &random))
      if Bool.random(using: &random) { return text }
      text += longPrefix.prefix(Int.random(in: 0...90, using: &random))
      text += (0..<Int.random(in: 0...2, using: &random)).map { _ in
        UInt8.random(in: 0x6A...0x6C, using: &random)
      }
      return text
    case 800..<820:
      return (0..<2048).map { _ in UInt8.random(in: 0x61...0x63, using: &random) }
    case 820: return [UInt8](repeating: 0x7A, count: 100_000 + Int.random(in: 0...2, using: &random))
    default:
      return (0..<Int.random(in: 4...24, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
    }
  }
}

import SatchelSearch
import SatchelText
import TestSupport
import Testing

@Suite struct TextTokenTests {
  /// Words stand as they are, compounds before their words in brackets, a character that stands directly behind another one behind a plus.
  @Test(arguments: [
    ("", ""), ("Hello, World!", "hello world"), ("don't", "[don't] don t"),
    ("3.14 or 3,14", "[3.14] 3 14 or [3,14] 3 14"),
    ("1,000.50", "[1,000.50] 1 000 50"), ("www.example.org", "[www.example.org] www example org"),
    ("bob@example.org", "bob [example.org] example org"),
    ("https://example.org/a_b?c=d", "https [example.org] example org [a_b] a b c d"),
    ("snake_case _private_ __", "[snake_case] snake case [_private_] private"), ("e-mail", "e mail"),
    ("x² ①", "x ² ①"),
    ("東京タワー", "東 +京 +タ +ワ +ー"), ("東京、タワー", "東 +京 タ +ワ +ー"), ("東 京", "東 京"),
    ("iPhoneが2台", "iphone か 2 台"), ("한국어를", "한 +국 +어 +를"), ("K-팝ABC", "k 팝 abc"),
    ("abc한_x.한", "abc 한 [_x] x 한"),
    ("สวัสดี", "ส +ว +ส +ด"), ("Việt Nam", "viet nam"), ("Cafe\u{301}", "cafe"), ("Ångström", "angstrom"),
    ("ÇA", "ca"),
    ("צה\"ל", "[צה\"ל] צה ל"), ("مَرْحَبًا", "مرحبا"), ("हिन्दी में", "हिनदी म"), ("👍🏽 ok 😀", "ok"),
    ("a\u{AD}b\u{AD} c", "a\u{AD}b c"),
    ("l'été", "[l'ete] l ete"), ("İstanbul", "istanbul"), ("ΣΑΣ", "σασ"), ("x\u{200D}", "x"),
    ("\u{2C2} a", "a"),
  ])
  func tokens(_ text: String, _ expected: String) {
    let bytes = TextFolder.folded(text)
    let found = TextToken.all(of: bytes).map { token in
      let word = String(decoding: bytes[token.range], as: UTF8.self)
      return switch token.kind {
      case .word, .character: word
      case .compound: "[\(word)]"
      case .nextCharacter: "+\(word)"
      }
    }
    #expect(found.joined(separator: " ").unicodeScalars.elementsEqual(expected.unicodeScalars), "\(found)")
  }

  @Test func againstTheDefinition() {
    var texts = RandomTexts(random: SeededGenerator())
    for _ in 0..<TestEnvironment.rounds(5000) {
      let text = texts.text(upTo: texts.random.oneIn(10) ? 100 : 12)
      let naive = NaiveText(text)
      let bytes = TextFolder.folded(text)
      let found = TextToken.all(of: bytes).map { token in
        let start = bytes[..<token.range.lowerBound].count { $0 & 0xC0 != 0x80 }
        return NaiveText.Token(
          kind: token.kind, range: start..<start + bytes[token.range].count { $0 & 0xC0 != 0x80 })
      }
      #expect(found == naive.tokens, "\(text.debugDescription)")
    }
  }

  /// What a word is, does not depend on where it stands: so patterns find what texts have.
  @Test func wordsAreTheirOwnWords() {
    var texts = RandomTexts(random: SeededGenerator())
    for _ in 0..<TestEnvironment.rounds(3000) {
      let bytes = TextFolder.folded(texts.text(upTo: 20))
      for token in TextToken.all(of: bytes) {
        let word = Array(bytes[token.range])
        #expect(TextFolder.folded(String(decoding: word, as: UTF8.self)) == word)
        let again = TextToken.all(of: word)
        #expect(
          again.first?.range == word.indices && (token.kind == .compound) == (again.first?.kind == .compound),
          "\(String(decoding: word, as: UTF8.self).debugDescription)")
      }
    }
  }

  @Test func tablesAreOfOneVersion() {
    #expect(UnspacedScripts.unicodeVersion == WordProperty.unicodeVersion)
    #expect(UnspacedScripts.runs.count % 2 == 0)
    #expect(zip(UnspacedScripts.runs, UnspacedScripts.runs.dropFirst()).allSatisfy { $0 <= $1 })
  }

  /// No letter of the table is a digit, or what folding drops; and every one makes a word.
  @Test func charactersAreLetters() {
    for run in stride(from: 0, to: UnspacedScripts.runs.count, by: 2) {
      for value in UnspacedScripts.runs[run]...UnspacedScripts.runs[run + 1] {
        #expect(UnspacedScripts.contains(value))
        let category = Unicode.Scalar(value)?.properties.generalCategory
        #expect(category != .nonspacingMark && category != .decimalNumber, "\(value)")
      }
    }
    for value: UInt32 in [
      0x20, 0x61, 0xE00, 0xE31, 0xE3F, 0xE50, 0x2FFF, 0x3000, 0x3099, 0xA000, 0xABFF, 0xD7A4, 0x1F600,
      0x10FFFF,
    ] {
      #expect(!UnspacedScripts.contains(value), "\(value)")
    }
  }
}

import SatchelSearch
import SatchelText
import TestSupport
import Testing

@Suite struct TextTokenTests {
  /// Words stand as they are, compounds before their words in brackets, fragments behind them in angle brackets, a character that stands
  /// directly behind another one behind a plus.
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
    ("a\u{AD}b\u{AD} c", "ab <a> <b> c"), ("این\u{200C}ها", "اینها <این> <ها>"),
    ("do\u{AD}n't", "[don't] don <do> <n> t"), ("a.\u{200B}b", "[a.b] a b"), ("a_\u{2060}b", "[a_b] a b"),
    ("\u{202E}rtl\u{202C} a", "rtl a"), ("a\u{AD}\u{2C2}", "a\u{2C2} <a>"), ("a\u{200D}🏽b", "a🏽b"),
    ("東\u{200B}京a\u{200B}b", "東 +京 ab <a> <b>"), ("a\u{FEFF}b-c\u{AD}d", "ab <a> <b> cd <c> <d>"),
    ("ℹ\u{200D}ℹ", "ℹ\u{200D}ℹ"), ("don’t L\u{2BC}état", "[don't] don t [l'etat] l etat"),
    ("l'été", "[l'ete] l ete"), ("İstanbul", "istanbul"), ("ΣΑΣ", "σασ"), ("x\u{200D}", "x"),
    ("\u{2C2} a", "a"),
  ])
  func tokens(_ text: String, _ expected: String) {
    let (bytes, tokens) = tokens(of: text)
    let found = tokens.map { token in
      let word = String(decoding: bytes[token.range], as: UTF8.self)
      return switch token.kind {
      case .word, .character: word
      case .compound: "[\(word)]"
      case .fragment: "<\(word)>"
      case .nextCharacter: "+\(word)"
      }
    }
    #expect(found.joined(separator: " ").unicodeScalars.elementsEqual(expected.unicodeScalars), "\(found)")
  }

  /// The tokens of a text as it stands, with its breaks.
  private func tokens(of text: String) -> (bytes: [UInt8], tokens: [TextToken]) {
    var folder = TextFolder()
    var text = text
    text.withUTF8 { folder.fold($0) }
    let tokens = folder.bytes.withUnsafeBufferPointer { bytes in
      var tokens = TextTokens(bytes, breaks: folder.breaks)
      var all: [TextToken] = []
      while let token = tokens.next() { all.append(token) }
      return all
    }
    return (folder.bytes, tokens)
  }

  @Test func againstTheDefinition() {
    var texts = RandomTexts(random: SeededGenerator())
    for _ in 0..<TestEnvironment.rounds(5000) {
      let text = texts.text(upTo: texts.random.oneIn(10) ? 100 : 12)
      let naive = NaiveText(text)
      let (bytes, tokens) = tokens(of: text)
      let found = tokens.map { token in
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
      let (bytes, tokens) = tokens(of: texts.text(upTo: 20))
      for token in tokens {
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

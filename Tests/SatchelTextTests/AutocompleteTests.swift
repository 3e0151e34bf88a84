import SatchelText
import TestSupport
import Testing

@Suite struct AutocompleteTests {
  @Test(arguments: [
    ("hel wo", "Hello, World!", true), ("wo hel", "Hello, World!", true), ("hello", "hel", false),
    ("ello", "Hello", false), ("hel", "Othello", false), ("hel", "the hell", true), ("HEL", "hello", true),
    ("hel hello", "hello", true), ("hel hel", "hello", true), ("hel help", "hello", false),
    ("hel help", "help", true), ("", "anything", false), ("", "", false), ("?! 😀", "?! 😀", false),
    ("a", "", false), ("a 😀", "a", true), ("e\u{301}", "Éa", true), ("cafe", "Café Müller", true),
    ("muller café", "Cafe\u{301} Müller", true), ("naï", "naive", true), ("straße", "STRASSE", false),
    ("STRAẞE", "straße", true), ("İ", "i", true), ("don", "don't", true), ("don'", "don’t", true),
    ("don't", "don’t", false), ("t", "don't", false), ("3.1", "3.14", true), ("14", "3.14", false),
    ("exam", "bob@example.org", true), ("example.o", "bob@example.org", true), ("org", "example.org", false),
    ("snake", "snake_case", true), ("case", "snake_case", false), ("mail", "e-mail", true),
    ("京", "東京", true), ("京東", "東京", true), ("タワ", "東京タワー", true), ("ワー", "タワー", false),
    ("한국", "한국어", true), ("국어", "한국어", false), ("\u{1112}\u{1161}\u{11AB}", "한국어", true),
    ("дом", "ДОМОЙ", true),
    ("σας", "ΣΑΣΣ", true), ("Vietnam", "Việt Nam", false), ("viet na", "Việt Nam", true),
    ("12", "1 2", false),
  ])
  func finds(_ operand: String, _ text: String, _ expected: Bool) {
    #expect(TextPattern(.autocomplete, operand).matches(text) == expected)
    #expect(TextPattern(.autocomplete, NFC.normalized(operand)).matches(NFC.normalized(text)) == expected)
    #expect(TextPattern(.autocomplete, operand).matches(foldedWords(of: text)) == expected)
  }

  private func foldedWords(of text: String) -> FoldedWords {
    var text = text
    return text.withUTF8 { FoldedWords($0) }
  }

  @Test func otherPatternsMatchNoWords() {
    #expect(!TextPattern(.contains, "a").matches(foldedWords(of: "a")))
  }

  @Test func optionsAreAlwaysOn() {
    let all: TextPattern.Options = [.caseInsensitive, .diacriticInsensitive]
    for options in [TextPattern.Options(), .caseInsensitive, .diacriticInsensitive, all] {
      let pattern = TextPattern(.autocomplete, "É", options: options)
      #expect(pattern.options == all && pattern.matches("eau"))
      #expect(pattern == TextPattern(.autocomplete, "É"))
    }
    #expect(TextPattern(.autocomplete, "e") != TextPattern(.beginsWith, "e", options: all))
  }

  @Test func whetherThereAreWords() {
    #expect(TextPattern(.autocomplete, "").isOfNoText && TextPattern(.autocomplete, "😀, — ™").isOfNoText)
    #expect(!TextPattern(.autocomplete, "a").isOfNoText && !TextPattern(.contains, "").isOfNoText)
  }

  /// Many beginnings, of which some begin others, against the definition.
  @Test func againstTheDefinition() {
    var random = SeededGenerator()
    let scalars: [Unicode.Scalar] = [
      "a", "a", "b", "B", "é", "e", "c", " ", " ", ",", "'", "1", "字", "\u{301}",
    ]
    func text(_ random: inout SeededGenerator, upTo count: Int) -> String {
      var text = String.UnicodeScalarView()
      for _ in 0..<random.below(count) { text.append(random.pick(scalars)) }
      return String(text)
    }
    var found = 0
    for _ in 0..<TestEnvironment.rounds(5000) {
      let operand = text(&random, upTo: random.oneIn(8) ? 80 : 8)
      let value = text(&random, upTo: random.oneIn(8) ? 200 : 30)
      let wanted = words(of: operand)
      let there = words(of: value)
      let expected =
        !wanted.isEmpty
        && wanted.allSatisfy { wanted in there.contains { $0.starts(with: wanted) } }
      found += expected ? 1 : 0
      #expect(
        TextPattern(.autocomplete, operand).matches(value) == expected,
        "\(operand.debugDescription) of \(value.debugDescription)")
      #expect(
        TextPattern(.autocomplete, operand).matches(foldedWords(of: value)) == expected,
        "\(operand.debugDescription) of the words of \(value.debugDescription)")
    }
    #expect(found > 0)
  }

  /// The words of a text, folded by scalars.
  private func words(of text: String) -> [[UInt32]] {
    var text = Diacritics.removed(from: text)
    let words = text.withUTF8 { utf8 in
      var segments = WordSegments(utf8)
      var words: [String] = []
      while let range = segments.nextWord() {
        words.append(String(decoding: UnsafeBufferPointer(rebasing: utf8[range]), as: UTF8.self))
      }
      return words
    }
    return words.map { $0.unicodeScalars.map { CaseFolding.fold($0.value) } }
  }

  @Test func bytesThatAreNoText() {
    for bytes: [UInt8] in [[0xFF], [0x61, 0xFF], [0xFF, 0x61, 0xC3], [0xED, 0xA0, 0x80, 0x61]] {
      bytes.withUnsafeBufferPointer { buffer in
        #expect(!TextPattern(.autocomplete, "é b").matches(buffer))
        #expect(TextPattern(.autocomplete, "a").matches(buffer) == bytes.contains(0x61))
      }
    }
  }

  /// Steps in the length of the text, for an operand of few words and of as many as it may have.
  @Test func costsLinearSteps() {
    let many = (0..<TextPattern.maximumBytes / 6).map { "a" + String($0 + 1000) }.joined(separator: " ")
    let operands = ["a b", String(repeating: "a", count: 8000) + "b", many + " zz"]
    let texts: [(Int) -> String] = [
      { String(repeating: "a ", count: $0 / 2) }, { String(repeating: "a", count: $0) },
      { count in (0..<count / 6).map { "a" + String($0 % 3000 + 1000) }.joined(separator: " ") },
    ]
    for operand in operands {
      let pattern = TextPattern(.autocomplete, operand)
      for text in texts {
        let growth = Growth(20_000) { count in
          var text = text(count)
          return text.withUTF8 { utf8 in
            CountedSteps.of { #expect(!pattern.matches(utf8, counting: &$0)) }
          }
        }
        #expect(growth.isLinear, "\(operand.prefix(10)): \(growth)")
        #expect(growth.steps[2] <= 80_000 * 40, "\(operand.prefix(10)): \(growth)")
      }
    }
  }
}

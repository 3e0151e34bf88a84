import SatchelText
import TestSupport
import Testing

@Suite struct TextPatternTests {
  /// What LIKE has to say of a pattern and a text.
  @Test(arguments: [
    ("", "", true), ("", "a", false), ("%", "", true), ("%", "anything", true), ("%%", "", true),
    ("_", "", false), ("_", "a", true), ("_", "é", true), ("_", "e\u{301}", false), ("__", "e\u{301}", true),
    ("_", "👨‍👩‍👧", false), ("_____", "👨‍👩‍👧", true), ("_", "🇩🇪", false), ("__", "🇩🇪", true),
    ("abc", "ABC", true), ("abc", "abcd", false), ("abc", "xabc", false), ("a%c", "ac", true),
    ("a%c", "abbbc", true), ("a%c", "abbbd", false), ("%b%", "abc", true), ("%b%", "ac", false),
    ("a_c", "abc", true), ("a_c", "ac", false), ("a%b%c", "a1b2c", true), ("a%b%c", "a1c2b", false),
    ("%aab", "aaaab", true), ("%_b", "b", false), ("_%", "", false), ("_%", "x", true),
    ("%ab%ab", "ab", false),
    ("%ab%ab", "abab", true), ("%ababc", "abababc", true),
    ("50\\%", "50%", true), ("50\\%", "500", false), ("a\\_b", "a_b", true), ("a\\_b", "axb", false),
    ("a\\\\b", "a\\b", true), ("a\\b", "ab", true), ("a\\", "a\\", true), ("a\\", "a", false),
    ("\\", "\\", true),
    ("\\a%", "Abc", true),
    ("straße", "STRASSE", false), ("straße", "STRAẞE", true), ("ẞ", "ß", true), ("ß", "ss", false),
    ("İ", "i", false), ("İ", "İ", true), ("I", "ı", false), ("i", "I", true), ("ı", "ı", true),
    ("Σ", "σ", true), ("Σ", "ς", true), ("σ", "ς", true), ("ΌΣΟΣ", "όσος", true),
    ("K", "\u{212A}", true), ("å", "Å", true), ("ÅNGSTRÖM", "ångström", true), ("ῼ", "ῳ", true),
    ("ꭰ", "Ꭰ", true), ("ａ", "Ａ", true), ("𐐀", "𐐨", true), ("ǅ", "ǆ", true), ("ǅ", "Ǆ", true),
    ("дом%", "ДОМОЙ", true), ("ﬀ", "ff", false),
  ])
  func like(_ pattern: String, _ text: String, _ expected: Bool) {
    #expect(TextPattern(.like, pattern).matches(text) == expected)
  }

  @Test(arguments: [
    (TextPattern.Kind.beginsWith, "ab", "abc", "", true), (.beginsWith, "ab", "Abc", "", false),
    (.beginsWith, "ab", "Abc", "c", true), (.beginsWith, "", "", "", true),
    (.beginsWith, "abc", "ab", "", false),
    (.beginsWith, "abc", "ab", "c", false), (.beginsWith, "e", "éa", "d", true),
    (.beginsWith, "é", "ea", "d", true),
    (.beginsWith, "É", "ea", "d", false), (.beginsWith, "É", "ea", "cd", true),
    (.beginsWith, "%", "abc", "", false), (.beginsWith, "%", "%a", "c", true),
    (.endsWith, "bc", "abc", "", true), (.endsWith, "BC", "abc", "", false),
    (.endsWith, "BC", "abc", "c", true),
    (.endsWith, "", "", "c", true), (.endsWith, "abc", "bc", "", false), (.endsWith, "ẞ", "Straß", "c", true),
    (.endsWith, "k", "a\u{212A}", "c", true), (.endsWith, "abc", "bc", "c", false),
    (.endsWith, "ñ", "man", "d", true),
    (.contains, "b", "abc", "", true), (.contains, "", "", "", true), (.contains, "x", "", "", false),
    (.contains, "B", "abc", "", false), (.contains, "B", "abc", "c", true),
    (.contains, "aab", "aaaab", "", true),
    (.contains, "aAb", "aaaab", "c", true), (.contains, "σς", "ΣΣ", "c", true),
    (.contains, "naïve", "a naive b", "d", true),
    (.contains, "NAÏVE", "a naive b", "d", false), (.contains, "NAÏVE", "a naive b", "cd", true),
    (.contains, "Viet", "Việt Nam", "d", true), (.contains, "ss", "ß", "cd", false),
    (.contains, "👧", "👨‍👩‍👧", "", true),
    (.contains, "각", "한각", "", true), (.contains, "각", "한각", "d", true), (.contains, "_", "abc", "", false),
    (.like, "nai_e%", "NAÏVETÉ", "d", true), (.like, "_", "e\u{301}", "d", true),
    (.contains, "ø", "o", "d", false), (.contains, "l", "ł", "d", false),
  ])
  func options(
    _ kind: TextPattern.Kind, _ pattern: String, _ text: String, _ options: String, _ expected: Bool
  ) {
    var set: TextPattern.Options = []
    if options.contains("c") { set.insert(.caseInsensitive) }
    if options.contains("d") { set.insert(.diacriticInsensitive) }
    #expect(TextPattern(kind, pattern, options: set).matches(text) == expected)
  }

  /// Two pointers against the plain recursion that defines LIKE.
  @Test func likeAgainstRecursion() {
    func isLike(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
      guard let first = pattern.first else { return text.isEmpty }
      if first == "%" {
        return (text.startIndex...text.endIndex).contains { isLike(pattern.dropFirst(), text[$0...]) }
      }
      guard let scalar = text.first else { return false }
      return (first == "_" || first == scalar) && isLike(pattern.dropFirst(), text.dropFirst())
    }
    var random = SeededGenerator()
    var matched = 0
    for _ in 0..<TestEnvironment.rounds(2000) {
      let pattern = random.scalars(of: ["a", "b", "é", "%", "_"], upTo: 7)
      let text = random.scalars(of: ["a", "b", "é"], upTo: 9)
      let expected = isLike(pattern[...], text[...])
      matched += expected ? 1 : 0
      var patternText = String.UnicodeScalarView()
      patternText.append(contentsOf: pattern)
      var valueText = String.UnicodeScalarView()
      valueText.append(contentsOf: text)
      let like = TextPattern(.like, String(patternText))
      #expect(like.matches(String(valueText)) == expected, "\(like.pattern) \(valueText)")
    }
    #expect(matched > 0)
  }

  /// A pattern and a text as long as they like, for each way to match: steps in their sum.
  @Test func costsLinearSteps() {
    let accents: TextPattern.Options = [.caseInsensitive, .diacriticInsensitive]
    func a(_ count: Int) -> String { String(repeating: "a", count: count) }
    // What nearly matches at every place.
    let kinds: [(String, (Int) -> TextPattern, (Int) -> String)] = [
      ("contains", { TextPattern(.contains, a($0 / 2) + "b") }, a),
      ("contains[c]", { TextPattern(.contains, a($0 / 2) + "B", options: .caseInsensitive) }, a),
      (
        "contains[cd]",
        { TextPattern(.contains, String(repeating: "é", count: $0 / 2) + "b", options: accents) },
        { String(repeating: "e\u{44D}\u{301}\u{316}", count: $0 / 4) }
      ),
      ("like", { TextPattern(.like, "%" + a($0 / 2) + "b%") }, a),
      (
        "like, parts", { TextPattern(.like, String(repeating: "%ab", count: $0 / 8) + "%c") },
        { String(repeating: "aab", count: $0 / 3) }
      ),
      (
        "like, wildcards in front and behind",
        {
          TextPattern(
            .like, String(repeating: "_", count: $0 / 4) + "%" + String(repeating: "_a", count: $0 / 8))
        }, a
      ),
      ("begins", { TextPattern(.beginsWith, a($0) + "b", options: .caseInsensitive) }, a),
      ("ends", { TextPattern(.endsWith, "b" + a($0 - 1), options: .caseInsensitive) }, a),
    ]
    for (name, pattern, text) in kinds {
      let growth = Growth(4096) { count in
        let pattern = pattern(count)
        var text = text(count)
        return text.withUTF8 { utf8 in CountedSteps.of { _ = pattern.matches(utf8, counting: &$0) } }
      }
      #expect(growth.isLinear, "\(name): \(growth)")
    }
  }

  /// A part with `_` between two `%` costs a step for 64 of its scalars, so that the bound on patterns bounds it.
  @Test func wildcardsCostTheBoundAtMost() {
    let most = TextPattern.maximumBytes
    let part = String(repeating: "a_", count: most / 2 - 2) + "b"
    let pattern = TextPattern(.like, "%" + part + "%")
    let growth = Growth(2 * most) { count in
      var text = String(repeating: "a", count: count)
      return text.withUTF8 { utf8 in CountedSteps.of { _ = pattern.matches(utf8, counting: &$0) } }
    }
    #expect(growth.isLinear, "\(growth)")
    #expect(growth.steps[2] <= 8 * most * (most / 64 + 1))
    #expect(pattern.matches(String(repeating: "a", count: most - 4) + "b"))
    #expect(!pattern.matches(String(repeating: "a", count: most - 5) + "b"))
  }

  /// Patterns with many `_` between `%`, of more places than a word has bits.
  @Test func longPartsAgainstAPlainSearch() {
    var random = SeededGenerator()
    var matched = 0
    for _ in 0..<TestEnvironment.rounds(2000) / 4 {
      let letters: [Unicode.Scalar] = ["a", "b"]
      let part: [Unicode.Scalar] = (0..<Int.random(in: 1...150, using: &random)).map { _ in
        Int.random(in: 0..<20, using: &random) == 0 ? (letters.randomElement(using: &random) ?? "a") : "_"
      }
      let text = random.scalars(of: letters, upTo: 400)
      func fits(at start: Int) -> Bool {
        start + part.count <= text.count
          && part.indices.allSatisfy { part[$0] == "_" || part[$0] == text[start + $0] }
      }
      let expected = text.indices.contains { fits(at: $0) }
      matched += expected ? 1 : 0
      func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
      }
      #expect(TextPattern(.like, "%" + string(part) + "%").matches(string(text)) == expected)
      let literal = part.prefix(9).map { $0 == "_" ? (letters.randomElement(using: &random) ?? "a") : $0 }
      let holds = text.indices.contains { text[$0...].starts(with: literal) }
      for options in [TextPattern.Options(), .caseInsensitive] {
        let pattern = TextPattern(.contains, string(literal), options: options)
        #expect(pattern.matches(string(text)) == holds)
      }
    }
    #expect(matched > 0)
  }

  /// Patterns that take exponential time when every `%` is retried.
  @Test func manyRuns() {
    let text = String(repeating: "a", count: 2000)
    let pattern = String(repeating: "%a", count: 300)
    #expect(!TextPattern(.like, pattern + "b").matches(text))
    #expect(TextPattern(.like, pattern).matches(text))
    #expect(!TextPattern(.contains, String(text.prefix(500)) + "B", options: .caseInsensitive).matches(text))
  }

  /// A syllable is one scalar, and is not found by a part of it.
  @Test func hangulSyllablesStayWhole() {
    #expect(TextPattern(.like, "_", options: .diacriticInsensitive).matches("\u{AC01}"))
    #expect(TextPattern(.like, "_", options: .diacriticInsensitive).matches("\u{1100}\u{1161}\u{11A8}"))
    #expect(!TextPattern(.beginsWith, "\u{1100}", options: .diacriticInsensitive).matches("\u{AC01}"))
    #expect(TextPattern(.contains, "\u{AC01}", options: .diacriticInsensitive).matches("e\u{301}\u{AC01}"))
  }

  /// The table for scalars below U+0300 against the general way, which the last scalar of the second text forces.
  @Test func diacriticsOfLatinLetters() {
    for value in UInt32(0x80)..<0x300 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let plain = Diacritics.removed(from: String(scalar))
      #expect(plain.unicodeScalars.count == 1)
      let pattern = TextPattern(.endsWith, "x" + plain, options: .diacriticInsensitive)
      #expect(pattern.matches("éx" + String(scalar)))
      #expect(
        TextPattern(.contains, "x" + plain + "字", options: .diacriticInsensitive).matches(
          "éx" + String(scalar) + "字"))
      #expect(TextPattern(.contains, plain, options: .diacriticInsensitive).matches(String(scalar)))
    }
  }

  @Test func bytesThatAreNoText() {
    let wrong: [[UInt8]] = [
      [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0x80], [0xC3, 0x28], [0xED, 0xA0, 0x80],
      [0xF8, 0x80],
    ]
    for bytes in wrong {
      bytes.withUnsafeBufferPointer { buffer in
        for options in [TextPattern.Options(), .caseInsensitive, .diacriticInsensitive] {
          #expect(!TextPattern(.contains, "é", options: options).matches(buffer))
          #expect(!TextPattern(.endsWith, "é", options: options).matches(buffer))
          #expect(!TextPattern(.beginsWith, "é", options: options).matches(buffer))
        }
        #expect(TextPattern(.like, "%").matches(buffer))
      }
    }
  }

  @Test func equalityIsOfBytes() {
    #expect(TextPattern(.contains, "\u{E9}") != TextPattern(.contains, "e\u{301}"))
    #expect(TextPattern(.like, "a") == TextPattern(.like, "a", options: .caseInsensitive))
    #expect(TextPattern(.contains, "a") != TextPattern(.endsWith, "a"))
  }
}

extension SeededGenerator {
  fileprivate mutating func scalars(of choice: [Unicode.Scalar], upTo count: Int) -> [Unicode.Scalar] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in choice.randomElement(using: &self) ?? "a" }
  }
}

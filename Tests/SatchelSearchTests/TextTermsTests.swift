import SatchelSearch
import SatchelText
import TestSupport
import Testing

@Suite struct TextTermsTests {
  @Test(arguments: [
    ("", 0, ""), ("noon, Noon", 2, "noon:2"), ("don't", 2, "don:1 don't:1 t:1"),
    ("a.b a", 3, "a:2 a.b:1 b:1"),
    ("東京都", 3, "京:1 京都:1 東:1 東京:1 都:1"), ("ああああ", 4, "あ:4 ああ:3"), ("東a京", 3, "a:1 京:1 東:1"),
    ("한국 한국", 4, "국:2 한:2 한국:2"), ("a\u{AD}a a", 2, "a:3 aa:1"), ("don’t don't", 4, "don:2 don't:2 t:2"),
    ("این\u{200C}ها", 1, "این:1 اینها:1 ها:1"), ("東\u{200B}京", 2, "京:1 東:1 東京:1"),
  ])
  func terms(_ text: String, _ length: Int, _ expected: String) {
    var terms = TextTerms()
    terms.add(text)
    let found = described(terms)
    #expect(terms.length == length && found == expected)
    // Another object forgets the one before.
    terms.removeAll()
    #expect(terms.count == 0 && terms.length == 0)
    terms.add(text)
    let again = described(terms)
    #expect(again == expected)
  }

  /// The terms in ascending order of their bytes.
  private func described(_ terms: TextTerms) -> String {
    var result: [(term: [UInt8], frequency: Int)] = []
    terms.forEach { result.append((Array($0), $1)) }
    result.sort { $0.term.lexicographicallyPrecedes($1.term) }
    return result.map { "\(String(decoding: $0.term, as: UTF8.self)):\($0.frequency)" }
      .joined(separator: " ")
  }

  @Test func againstTheDefinition() {
    var texts = RandomTexts(random: SeededGenerator())
    var terms = TextTerms()
    for _ in 0..<TestEnvironment.rounds(2000) {
      terms.removeAll()
      var expected: [[UInt8]: Int] = [:]
      var length = 0
      for _ in 0..<texts.random.below(3) {
        let text = texts.text(upTo: 30)
        terms.add(text)
        let naive = NaiveText(text)
        length += naive.positions.count
        for (index, token) in naive.tokens.enumerated() {
          expected[utf8(naive.scalars[token.range]), default: 0] += 1
          if token.kind == .nextCharacter {
            expected[
              utf8(naive.scalars[naive.tokens[index - 1].range.lowerBound..<token.range.upperBound]),
              default: 0] += 1
          }
        }
      }
      var found: [[UInt8]: Int] = [:]
      terms.forEach { term, frequency in
        let isFirst = found.updateValue(frequency, forKey: Array(term)) == nil
        #expect(isFirst)
      }
      #expect(found == expected && terms.length == length && terms.count == expected.count)
    }
  }

  /// Canonically equivalent texts have the same terms: they are made of a text as it is.
  @Test func formsOfATextAreOne() {
    var texts = RandomTexts(random: SeededGenerator())
    var changed = 0
    for _ in 0..<TestEnvironment.rounds(2000) {
      let text = texts.text(upTo: 30)
      let normalized = NFC.normalized(text)
      if !normalized.utf8.elementsEqual(text.utf8) { changed += 1 }
      var terms = [TextTerms(), TextTerms()]
      terms[0].add(text)
      terms[1].add(normalized)
      #expect(
        described(terms[0]) == described(terms[1]) && terms[0].length == terms[1].length,
        "\(text.debugDescription)")
    }
    #expect(changed > 0)
  }

  private func utf8(_ scalars: ArraySlice<UInt32>) -> [UInt8] {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars.map { Unicode.Scalar($0) ?? "\u{FFFD}" })
    return Array(String(text).utf8)
  }

  @Test func longWordsAreCut() {
    for count in [63, 64, 65, 65_536] {
      var terms = TextTerms()
      terms.add(String(repeating: "A", count: count))
      let expected = [UInt8](repeating: 0x61, count: min(count, TextTerms.maximumBytes))
      terms.forEach { term, frequency in
        #expect(
          Array(term) == expected + (count > TextTerms.maximumBytes ? [TextTerms.cutMark] : [])
            && frequency == 1)
      }
      #expect(terms.count == 1 && terms.length == 1)
    }
  }

  /// Texts that nobody writes, but anybody can send.
  @Test func hostileTexts() {
    let texts: [(text: String, length: Int, terms: Int)] = [
      (String(repeating: "noon ", count: 200_000), 200_000, 1),
      ("e" + String(repeating: "\u{301}", count: 100_000), 1, 1),
      (String(repeating: "\u{301}\u{323}", count: 50_000), 0, 0),
      (String(repeating: "_", count: 100_000), 0, 0),
      (String(repeating: "a_", count: 50_000), 50_000, 2),
      (String(repeating: "a\u{AD}", count: 50_000), 1, 2),
      ("a" + String(repeating: "\u{AD}", count: 50_000) + "b", 1, 3),
      ("\u{1112}\u{302E}" + String(repeating: "\u{AD}", count: 50_000) + "b", 3, 4),
      (String(repeating: "👩\u{200D}", count: 50_000), 0, 0),
      (String(repeating: "東", count: 50_000), 50_000, 2),
      ("\u{1100}" + String(repeating: "\u{302E}\u{1161}", count: 20_000), 40_001, 6),
      (String(repeating: "a'", count: 50_000), 50_000, 2),
      (String(repeating: "1,", count: 50_000), 50_000, 2),
    ]
    for (text, length, count) in texts {
      var terms = TextTerms()
      terms.add(text)
      #expect(terms.length == length && terms.count == count, "\(text.prefix(10))")
    }
  }
}

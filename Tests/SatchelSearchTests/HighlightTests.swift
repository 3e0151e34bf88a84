import SatchelSearch
import SatchelText
import TestSupport
import Testing

@Suite struct HighlightTests {
  /// The text with brackets around what is highlighted.
  @Test(arguments: [
    ("noon", "See you at Noon!", "See you at [Noon]!"), ("cafe", "Cafe\u{301} CAFÉ", "[Cafe\u{301}] [CAFÉ]"),
    ("noon*", "noontime noon", "[noon]time [noon]"),
    ("*time", "noontime", "noon[time]"), ("*oo*", "noon moon", "n[oo]n m[oo]n"), ("*aa*", "aaaa", "[aaaa]"),
    ("\"usual place\"", "a Usual, Place b", "a [Usual, Place] b"),
    ("a -b", "a b", "[a] b"), ("-(-a)", "a", "[a]"), ("京都", "東京都", "東[京都]"), ("か", "がか", "[がか]"),
    ("*ab* OR *cd*", "abcd", "[abcd]"),
    ("*org example", "example.org", "[example].[org]"), ("\"a b\" OR b OR *c*", "c a b c", "[c] [a b] [c]"),
    ("\u{1D15E}", "a \u{1D15E}b", "a \u{1D15E}b"), ("*\u{1D15E}*", "a \u{1D15E}b", "a [\u{1D15E}]b"),
    ("한", "\u{1112}\u{1161}\u{11AB}국", "[\u{1112}\u{1161}\u{11AB}]국"),
    ("example", "bob@example.org", "bob@[example].org"),
    ("bob@example.org", "<bob@example.org>", "<[bob@example.org]>"),
    ("a OR b", "b a c", "[b] [a] c"), ("don't don", "don't", "[don't]"), ("x", "", ""),
    ("\u{30C4}", "\u{1112}\u{302E}ツ", "\u{1112}\u{302E}[ツ]"),
    ("viet", "Việt\u{323}\u{301} Nam", "[Việt\u{323}\u{301}] Nam"), ("İ", "istanbul i", "istanbul [i]"),
    ("donau", "Donau\u{AD}dampf", "[Donau]\u{AD}dampf"), ("dampf", "Donau\u{AD}dampf", "Donau\u{AD}[dampf]"),
    ("donaudampf", "Donau\u{AD}dampf", "[Donau\u{AD}dampf]"),
    ("donau dampf", "a\u{AD}Donau\u{AD}dampf\u{AD}b", "a\u{AD}[Donau\u{AD}dampf]\u{AD}b"),
    ("*ud*", "Donau\u{AD}dampf", "Dona[u\u{AD}d]ampf"),
    ("ها", "این\u{200C}ها", "این\u{200C}[ها]"), ("اینها", "این\u{200C}ها", "[این\u{200C}ها]"),
    ("این", "این\u{200C}ها", "[این\u{200C}]ها"), ("rtl", "\u{202E}rtl\u{202C} a", "\u{202E}[rtl]\u{202C} a"),
    ("a", "\u{FEFF}a\u{2060}b\u{200B}", "\u{FEFF}[a]\u{2060}b\u{200B}"),
    ("b c", "a\u{200F}b c\u{200E}", "a\u{200F}[b] [c]\u{200E}"),
    ("x", "\u{1112}\u{302E}\u{AD}x", "\u{1112}\u{302E}\u{AD}[x]"),
    ("*하*", "\u{1112}\u{200B}\u{1161}국", "[\u{1112}\u{200B}\u{1161}]국"),
    ("*👧*", "👩\u{200D}👧", "👩\u{200D}[👧]"),
    ("don't", "I don’t.", "I [don’t]."), ("don’t", "I don't.", "I [don't]."),
    ("t", "don\u{2BC}t", "don\u{2BC}[t]"),
  ])
  func highlights(_ pattern: String, _ text: String, _ expected: String) {
    var matcher = SearchMatcher(SearchTree(pattern))
    let found = bracketed(text, matcher.highlights(in: text))
    #expect(found.unicodeScalars.elementsEqual(expected.unicodeScalars), "\(found)")
  }

  private func bracketed(_ text: String, _ ranges: [Range<String.Index>]) -> String {
    var result = ""
    var place = text.startIndex
    for range in ranges {
      result += text[place..<range.lowerBound] + "[" + text[range] + "]"
      place = range.upperBound
    }
    return result + text[place...]
  }

  @Test func ofOneField() {
    var matcher = SearchMatcher(SearchTree("title:a b", fields: .named(["title"])))
    let title = matcher.condition.field(named: "title")
    #expect(matcher.condition.field(named: "body") == nil)
    let found = [
      bracketed("a b", matcher.highlights(in: "a b", field: title)),
      bracketed("a b", matcher.highlights(in: "a b")),
    ]
    #expect(found == ["[a] [b]", "a [b]"])
  }

  /// What is highlighted is what matches: each piece by itself, and with all of them taken out nothing is found.
  @Test func coversTheHits() {
    var texts = RandomTexts(random: SeededGenerator())
    var pieces = 0
    for _ in 0..<TestEnvironment.rounds(3000) {
      let text = texts.text(upTo: 30)
      let stars = SearchTree.Stars(rawValue: UInt8(texts.random.below(4)))
      let pattern = SearchTree.text(texts.piece(of: text, upTo: 4), stars: stars)
      var matcher = SearchMatcher(pattern)
      let ranges = matcher.highlights(in: text)
      #expect(matcher.isMatch != ranges.isEmpty)
      let isMatch = matcher.matches(text)
      #expect(isMatch != ranges.isEmpty)
      guard isMatch else { continue }
      for (range, next) in zip(ranges, ranges.dropFirst()) { #expect(range.upperBound <= next.lowerBound) }
      for range in ranges {
        pieces += 1
        #expect(!range.isEmpty && range.lowerBound.samePosition(in: text.unicodeScalars) != nil)
        #expect(range.upperBound.samePosition(in: text.unicodeScalars) != nil)
        let found = matcher.matches(String(text[range]))
        #expect(found, "\(pattern) \(text.debugDescription) \(text[range].debugDescription)")
      }
      var rest = String.UnicodeScalarView()
      var place = text.startIndex
      for range in ranges {
        // What stood beside it must not become one word.
        rest.append(contentsOf: text[place..<range.lowerBound].unicodeScalars)
        rest.append("\u{1}")
        place = range.upperBound
      }
      rest.append(contentsOf: text[place...].unicodeScalars)
      if case .words(let words, _) = pattern, let form = SearchForm(words, stars), case .part = form {
        let found = matcher.matches(String(rest))
        #expect(!found, "\(pattern) \(text.debugDescription) \(String(rest).debugDescription)")
      }
    }
    #expect(pieces > 0)
  }

  /// How often a word is in a text is what the index says.
  @Test func frequenciesAreThoseOfTerms() {
    var texts = RandomTexts(random: SeededGenerator())
    for _ in 0..<TestEnvironment.rounds(1000) {
      let text = texts.text(upTo: 40)
      var terms = TextTerms()
      terms.add(text)
      terms.forEach { term, frequency in
        var matcher = SearchMatcher(.text(String(decoding: term, as: UTF8.self)))
        let found = matcher.frequencies(in: text)
        #expect(found == [frequency], "\(text.debugDescription)")
      }
    }
  }

  /// What is kept of a text that has what is looked for everywhere: one range where hits touch, at most half as many ranges as bytes where they do not, and
  /// for a snippet 64 hits of each word, whatever the text. So a range of 8 bytes is 4 bytes for a byte of text.
  @Test func keepsFewRanges() {
    let same = String(repeating: "x", count: 10_000)
    let apart = String(repeating: "x ", count: 5000)
    for (pattern, text, ranges) in [
      ("*xx*", same, 1), ("*x*", same, 1), ("*xx* OR *xxx*", same, 1), ("x", apart, 5000),
      ("x OR x* OR *x OR *x* OR *\"x \"*", apart, 5000), ("\"x x x\" OR x", apart, 1), ("y", apart, 0),
      ("x -(*x*)", apart, 5000), ("*東*", String(repeating: "東", count: 1000), 1),
      ("*x*", String(repeating: "x\u{AD}", count: 1000), 1),
    ] {
      var matcher = SearchMatcher(SearchTree(pattern))
      let highlights = matcher.highlights(in: text)
      #expect(matcher.keptCounts.ranges <= max(ranges, 1) && matcher.keptCounts.hits == 0, "\(pattern)")
      #expect(
        matcher.keptCounts.places <= (text.contains("\u{AD}") ? 2000 : 1) && highlights.count <= ranges,
        "\(pattern)")
      let snippet = matcher.snippet(of: text, bytes: 80)
      #expect(matcher.keptCounts.ranges <= 64 * 5 && matcher.keptCounts.hits <= 64 * 5, "\(pattern)")
      #expect(snippet.highlights.count <= 40 && snippet.highlights.isEmpty == highlights.isEmpty)
    }
  }
}

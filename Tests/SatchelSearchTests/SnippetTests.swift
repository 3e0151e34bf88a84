import SatchelSearch
import SatchelText
import TestSupport
import Testing

@Suite struct SnippetTests {
  private static let long =
    "The first words say nothing of it. Then comes noon, and much later, after many other words, the usual place at noon with lunch. The end."

  /// The piece with its hits in brackets, and dots where the text goes on.
  @Test(arguments: [
    ("noon", "See you at noon.", 100, "See you at [noon]."),
    ("lunch", long, 40, "…usual place at noon with [lunch]. The end."),
    ("noon", long, 40, "…of it. Then comes [noon], and much later,…"),
    ("noon lunch", long, 40, "…usual place at [noon] with [lunch]. The end."),
    ("\"usual place\" noon", long, 40, "…the [usual place] at [noon] with lunch…"),
    ("zebra", long, 40, "The first words say nothing of it. Then…"),
    ("end", long, 30, "…at noon with lunch. The [end]."), ("the", "the", 0, "[the]"), ("x", "", 20, ""),
    (
      "\"word word\"", "A " + String(repeating: "word ", count: 30), 40,
      "…[word word word word word word word word]…"
    ),
    (
      "*ord*", "Say " + String(repeating: "swordfish ", count: 9), 30, "…sw[ord]fish sw[ord]fish sw[ord]fish…"
    ),
    ("*\"ord w\"*", "Say " + String(repeating: "word ", count: 30), 32, "…w[ord word word word word word]…"),
    (
      "zebra", "An internationalisation zebra, and more words behind it", 32,
      "…[zebra], and more…"
    ),
    ("*tion*", "An internationalisationalised zebra, and more", 32, "An interna[tion]alisa[tion]alised…"),
    ("東京", "あいうえおかきくけこ東京さしすせそたちつてと", 30, "…きくけこ[東京]さしすせ…"),
  ])
  func snippets(_ pattern: String, _ text: String, _ bytes: Int, _ expected: String) {
    var matcher = SearchMatcher(SearchTree(pattern))
    let found = described(matcher.snippet(of: text, bytes: bytes), of: text)
    #expect(found == expected)
  }

  private func described(_ snippet: SearchSnippet, of text: String) -> String {
    var result = snippet.isCutBefore ? "…" : ""
    var place = snippet.range.lowerBound
    for range in snippet.highlights {
      result += text[place..<range.lowerBound] + "[" + text[range] + "]"
      place = range.upperBound
    }
    return result + text[place..<snippet.range.upperBound] + (snippet.isCutBehind ? "…" : "")
  }

  /// Within its bytes, between words, with a hit in it if there is one, and its hits those of the text.
  @Test func keepsItsWord() {
    var texts = RandomTexts(random: SeededGenerator())
    var (cut, hits) = (0, 0)
    for _ in 0..<TestEnvironment.rounds(2000) {
      let text = (0..<texts.random.below(8)).map { _ in texts.text(upTo: 20) }.joined(separator: " ")
      var matcher = SearchMatcher(texts.pattern(for: text, depth: 1))
      let limit = 16 + texts.random.below(60)
      let snippet = matcher.snippet(of: text, bytes: limit)
      let highlights = matcher.highlights(in: text)
      let piece = text[snippet.range]
      #expect(
        piece.utf8.count <= limit && (piece.utf8.count == text.utf8.count) == (text.utf8.count <= limit))
      #expect(snippet.isCutBefore == (snippet.range.lowerBound > text.startIndex))
      #expect(snippet.isCutBehind == (snippet.range.upperBound < text.endIndex))
      #expect(snippet.range.lowerBound.samePosition(in: text.unicodeScalars) != nil)
      #expect(snippet.range.upperBound.samePosition(in: text.unicodeScalars) != nil)
      let expected = highlights.map { $0.clamped(to: snippet.range) }.filter { !$0.isEmpty }
      #expect(snippet.highlights == expected)
      #expect(expected.isEmpty == highlights.isEmpty, "\(matcher.condition) \(text.debugDescription)")
      cut += snippet.isCutBefore || snippet.isCutBehind ? 1 : 0
      hits += expected.count
    }
    #expect(cut > 0 && hits > 0)
  }

  /// What is chosen of a text with more hits than count has all of its hits marked.
  @Test func marksAllOfTheChosen() {
    let text = String(repeating: "the ", count: 500) + "zebra and the end"
    var matcher = SearchMatcher(SearchTree("the zebra"))
    let found = described(matcher.snippet(of: text, bytes: 24), of: text)
    #expect(found == "…[the] [the] [zebra] and [the]…")
  }

  /// A word that is longer than the piece is cut within.
  @Test func ofOneEndlessWord() {
    let text = String(repeating: "é", count: 5000)
    for pattern in ["e*", "x", "*eee*", "*" + String(repeating: "e", count: 400) + "*"] {
      var matcher = SearchMatcher(SearchTree(pattern))
      let snippet = matcher.snippet(of: text, bytes: 33)
      #expect(text[snippet.range].utf8.count <= 33 && text[snippet.range].utf8.count >= 16, "\(pattern)")
      #expect(snippet.highlights.isEmpty == (pattern == "x"))
    }
  }
}

@Suite struct RelevanceTests {
  /// What SQLite's bm25() says of a table `fts5` with the texts "a b", "a", "c c c d", "d e f g" and "b", with its sign changed: of "c" for the
  /// third, "d OR b" for the third and the first, "e" for the fourth, "a" for the second.
  @Test func likeSQLite() {
    func score(_ counts: [Int], _ frequencies: ArraySlice<UInt8>, _ length: Int) -> Double {
      Relevance(objects: 5, averageLength: 12 / 5, counts: counts).score(frequencies, length: length)
    }
    let scores = [
      score([1], [3], 4), score([2, 2], [1, 0], 4), score([2, 2], [0, 1], 2), score([1], [1], 4),
      score([2], [1], 1),
    ]
    let expected = [
      1.5105918969186511, 0.26437104305952447, 0.3610921563739847, 0.8631953696678006, 0.4419336839203991,
    ]
    for (score, expected) in zip(scores, expected) { #expect(abs(score - expected) < 1e-12) }
  }

  /// What most objects have weighs next to nothing, but not less than nothing.
  @Test func floor() {
    let relevance = Relevance(objects: 10, averageLength: 5, counts: [9, 10, 5, 11])
    let score = relevance.score([1, 1, 1, 1], length: 5)
    #expect(score > 0 && score < 1e-5)
    #expect(relevance.score([0, 0, 0, 0], length: 5) == 0)
    #expect(Relevance(objects: 0, averageLength: 0, counts: [0]).score([1], length: 0).isFinite)
  }

  /// More of a word is better, rarer words are better, shorter texts are better.
  @Test func order() {
    let relevance = Relevance(objects: 1000, averageLength: 10, counts: [10, 100])
    #expect(relevance.score([2, 0], length: 10) > relevance.score([1, 0], length: 10))
    #expect(relevance.score([1, 0], length: 10) > relevance.score([0, 1], length: 10))
    #expect(relevance.score([1, 0], length: 5) > relevance.score([1, 0], length: 10))
    #expect(relevance.score([1, 1], length: 10) > relevance.score([1, 0], length: 10))
  }
}

import SatchelModel
import SatchelSearch
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct SearchPatternTests {
  /// Whatever is typed is a pattern whose text is accepted strictly and gives it again; it finds what its tree finds.
  @Test func whatIsTypedIsAPattern() throws {
    var texts = RandomTexts(random: SeededGenerator())
    var empty = 0
    for _ in 0..<TestEnvironment.rounds(3000) {
      let text = texts.text(upTo: 20)
      let typed = texts.random.oneIn(3) ? texts.text(upTo: 12) : texts.pattern(for: text).description
      let pattern = SearchPattern(typed: typed)
      let coded = try JSONDecoder().decode([SearchPattern].self, from: JSONEncoder().encode([pattern]))
      #expect(coded == [pattern], "\(typed.debugDescription)")
      var matcher = SearchMatcher(SearchTree(typed))
      for _ in 0..<2 { #expect(pattern.matches(text) == matcher.matches(text), "\(typed.debugDescription)") }
      if pattern.isEmpty {
        empty += 1
        #expect(pattern.description.isEmpty && !pattern.matches(text) && pattern.highlights(in: text).isEmpty)
      } else {
        #expect(try SearchPattern(pattern.description) == pattern, "\(typed.debugDescription)")
      }
    }
    #expect(empty > 0)
  }

  @Test func aProgramsPatternIsStrict() throws {
    #expect(
      try SearchPattern("noon  OR (\"usual place\" lunc*)").description == "noon OR \"usual place\" lunc*")
    for (text, column) in [("", "1"), ("noon OR", "8"), ("\"noon", "1"), ("a 😀", "3")] {
      let error = #expect(throws: SatchelError.self) { try SearchPattern(text) }
      #expect(error?.code == .syntaxError && error?.context["column"] == column, "\(text)")
    }
  }

  /// Of what is typed without fields, of times and of addresses, a colon is part of a word.
  @Test func aColonIsPartOfAWord() throws {
    for text in [
      "10:30", "12:30:05", "2024-01-31T10:30", "https://example.org/a", "http://x", "mailto:bob@example.org",
      "tel:123",
      "urn:isbn:123", "bob@example.org:80", "a/b:c",
    ] {
      let pattern = try SearchPattern(text)
      #expect(pattern.fields.isEmpty && pattern.matches("At (\(text))."), "\(text)")
      #expect(pattern == SearchPattern(typed: text), "\(text)")
    }
    #expect(SearchPattern(typed: "title:noon").matches("(title:noon)"))
    #expect(!SearchPattern(typed: "title:noon").matches("noon"))
  }

  @Test func whatCannotBeDecoded() throws {
    func decode(_ text: String) throws -> SearchPattern? {
      try JSONDecoder().decode([SearchPattern].self, from: JSONEncoder().encode([text])).first
    }
    #expect(try decode("")?.isEmpty == true)
    #expect(try decode("noon  (place)") == SearchPattern("noon place"))
    for text in ["(a", "a OR", "\"a"] {
      #expect(throws: DecodingError.self) { try decode(text) }
    }
  }

  /// What printing adds does not take a typed pattern beyond the limit.
  @Test func typedNearTheLimit() throws {
    let typed = "\"a " + String(repeating: "\\x", count: 8000)
    #expect(SearchTree(typed).description.utf8.count > SearchTree.maximumBytes)
    let pattern = SearchPattern(typed: typed)
    #expect(!pattern.isEmpty && pattern.description.utf8.count <= SearchTree.maximumBytes)
    #expect(try SearchPattern(pattern.description) == pattern)
  }

  /// One pattern serves several threads.
  @Test func threadsShareAPattern() async throws {
    let pattern = try SearchPattern("noon -\"usual place\"")
    let texts = (0..<200).map { $0 % 3 == 0 ? "At noon, the usual place." : "At noon \($0)." }
    let counts = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { texts.count { pattern.matches($0) } } }
      return await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 133, count: 8))
  }

  @Test func highlightsAndSnippet() throws {
    let pattern = SearchPattern(typed: "café noo*")
    let text = "At NOON in the Cafe\u{301}."
    #expect(pattern.highlights(in: text).map { text[$0] } == ["NOO", "Cafe\u{301}"])
    let long = String(repeating: "Nothing here. ", count: 50) + text
    let snippet = pattern.snippet(of: long, bytes: 40)
    #expect(snippet.isCutBefore && !snippet.isCutBehind && long[snippet.range].utf8.count <= 40)
    #expect(snippet.highlights.map { long[$0] } == ["NOO", "Cafe\u{301}"])
  }
}

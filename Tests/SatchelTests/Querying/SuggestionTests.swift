import Satchel
import SatchelRelevance
import SatchelScenes
import TestSupport
import Testing

/// Words that begin as what was typed ends, counted beside all texts.
@Suite struct SuggestionTests {
  private static let vocabulary = [
    "lunch", "lunches", "luncheon", "Lunch", "lung", "noon", "don't", "done", "example.org", "éclair",
    "eclairs",
  ]

  private let store: MessageStore

  init() throws {
    store = try Scratch().store
    try store.write { tx in try tx.createConversation(with: ["bob"], id: "a") }
    try store.declare(RelevanceTests.words)
  }

  private func suggest(_ text: String, _ limit: Int = 10) throws -> [String] {
    try store.suggestions(for: text, in: "words", limit: limit).map(\.description)
  }

  private func receive(_ texts: [String], _ id: Message.ID) throws {
    try store.write { tx in try tx.receive(texts.map { .text($0) }, in: "a", from: "bob", id: id) }
  }

  @Test func countsAreExact() throws {
    var random = SeededGenerator()
    var messages: [Message.ID: Set<String>] = [:]
    for step in 0..<8 {
      for number in 0..<40 {
        // Who is deleted does not come again, so each has a name of its own.
        if number % 3 == 2, let id = messages.keys.min(by: { $0.rawValue < $1.rawValue }) {
          try store.write { try $0.delete(id) }
          messages[id] = nil
        } else {
          let id = Message.ID("m\(step * 40 + number)")
          let words = (0..<random.below(8)).map { _ in random.pick(Self.vocabulary) }
          try receive([words.joined(separator: " "), number == 0 ? "" : "lung"], id)
          messages[id] = Set(words + (number == 0 ? [] : ["lung"]))
        }
      }
      if step % 3 == 1 { try store.checkpoint() }
      for typed in [
        "l", "lun", "LUNC", "noon at lunch", "x", "e", "éc", "do", "don'", "example.", "example.o",
      ] {
        // The compounds are words of their own, and so are the words in them.
        let forms = [
          "lunch": ["lunch"], "lunches": ["lunches"], "luncheon": ["luncheon"], "Lunch": ["lunch"],
          "lung": ["lung"], "noon": ["noon"], "don't": ["don't", "don", "t"], "done": ["done"],
          "example.org": ["example.org", "example", "org"], "éclair": ["eclair"], "eclairs": ["eclairs"],
        ]
        let beginning = ["LUNC": "lunc", "noon at lunch": "lunch", "éc": "ec"][typed] ?? typed
        var counts: [String: Int] = [:]
        for words in messages.values {
          for term in Set(words.flatMap { forms[$0] ?? [] }) where term.hasPrefix(beginning) {
            counts[term, default: 0] += 1
          }
        }
        if typed == "don'" || typed == "example." { counts = [:] }
        let expected = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
          "\($0.key) \($0.value)"
        }
        #expect(try suggest(typed) == expected, "\(typed)")
        #expect(try suggest(typed, 2) == Array(expected.prefix(2)), "\(typed)")
      }
    }
    #expect(try suggest("lun", 0) == [])
    try expectSound(store)
  }

  @Test func charactersAreSuggestedByPairs() throws {
    try receive(["東京都 京都"], "m0")
    try receive(["京都"], "m1")
    #expect(try suggest("東京") == ["京 2", "京都 2"])
    #expect(try suggest("東") == ["東 1", "東京 1"])
    #expect(try suggest("") == [] && suggest("noon ") == [] && suggest("😀") == [])
    try receive([String(repeating: "long", count: 20) + " longer"], "m2")
    #expect(try suggest("long") == ["longer 1"])
  }

  @Test func theIndexIsNamed() throws {
    func code(_ name: String, _ limit: Int = 10) -> SatchelError.Code? {
      do {
        _ = try store.suggestions(for: "l", in: name, limit: limit)
        return nil
      } catch { return (error as? SatchelError)?.code }
    }
    try store.declare(Index(named: "dates", on: Message.self) { [$0.sentAt] })
    #expect(code("words") == nil)
    #expect(code("other") == .unknownIndex)
    #expect(code("dates") == .invalidValue)
    #expect(code("words", -1) == .invalidValue)
  }
}
